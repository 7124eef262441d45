/**
 * When each publisher is asked for a market day, how often, and from when on the day is late: the crontab of fetching, in Europe/Rome.
 * Pure: it knows the market day, the number of attempts and the instant. Which days there are at all is the fetcher's `expects`.
 */

import { MARKET_TIME_ZONE, type MarketDay } from '../market/market-day.ts'
import type { FetchedSourceId, SourcesConfig } from '../service/config/source-config.ts'

export interface Timetable {
  /** From when on a market day is asked for: so many calendar days after it (before it: negative), at that clock time. */
  askFrom: { days: number; time: string }
  /** Not complete at that time, the day is late: usual delay of the publisher and a margin in which it has been seen to be late. */
  lateAt: { days: number; time: string }
  /** Pauses between attempts, the last one for all further ones. */
  pausesMinutes: readonly number[]
  /** Asked only for what better sources have not delivered, and not read again for corrections. */
  standIn: boolean
  why: string
}

/** Polling rests from midnight to this time; then it resumes, less often. */
const RESUMES_AT = Temporal.PlainTime.from('07:00')
const PAUSE_MINUTES_ON_LATER_DAYS = 60

const TIMETABLES: Record<FetchedSourceId, Timetable> = {
  'gme-mgp': {
    askFrom: { days: -1, time: '12:55' },
    lateAt: { days: -1, time: '15:00' },
    pausesMinutes: [1, 2, 3, 5, 8, 13, 20, 30],
    standIn: false,
    why: 'results of the next day come out between 12:55 and 13:30; by 15:00 they have been there on all but bad days',
  },
  entsoe: {
    askFrom: { days: -1, time: '14:30' },
    lateAt: { days: -1, time: '17:00' },
    pausesMinutes: [10, 20, 30],
    standIn: true,
    why: 'the second source of the zones, asked once the first is more than an hour behind',
  },
  'gme-mgas': {
    askFrom: { days: -1, time: '19:00' },
    lateAt: { days: -1, time: '23:00' },
    pausesMinutes: [10, 15, 30],
    standIn: false,
    why: 'the session before the gas day ends in the evening, weekends included',
  },
  'eex-ttf': {
    askFrom: { days: -1, time: '18:00' },
    lateAt: { days: -1, time: '22:00' },
    pausesMinutes: [10, 20, 30, 60],
    standIn: false,
    why: 'settlement of the last trading day before delivery',
  },
  'eia-brent': {
    askFrom: { days: 1, time: '20:00' },
    lateAt: { days: 8, time: '20:00' },
    pausesMinutes: [24 * 60],
    standIn: false,
    why: 'the agency lists a trading day some days later, in its afternoon: once an evening is enough',
  },
  'eex-eua': {
    askFrom: { days: 0, time: '11:15' },
    lateAt: { days: 0, time: '18:00' },
    pausesMinutes: [15, 30, 60],
    standIn: false,
    why: 'the auction closes at 11:00 and its report follows',
  },
  'arera-offers': {
    askFrom: { days: 0, time: '00:10' },
    lateAt: { days: 0, time: '10:00' },
    pausesMinutes: [30, 60],
    standIn: false,
    why: 'the five files of a day appear between 22:30 and 23:05 UTC of the evening before: by 01:05 in summer, 00:05 in winter',
  },
}

/** The neutral gas price is final once its gas day is over, at 06:00, and listed in the early afternoon. */
const NEUTRAL_GAS_PRICE: Timetable = {
  ...TIMETABLES['eex-ttf'],
  askFrom: { days: 1, time: '14:00' },
  lateAt: { days: 1, time: '20:00' },
  why: 'final on the day after the gas day, in the early afternoon',
}

export function timetableOf(source: FetchedSourceId, { eexTtfForm }: Pick<SourcesConfig, 'eexTtfForm'>): Timetable {
  return source === 'eex-ttf' && eexTtfForm === 'ngp' ? NEUTRAL_GAS_PRICE : TIMETABLES[source]
}

/** The instant from which the day is asked for: of the day-ahead prices of 2026-03-30, 12:55 on the 29th. */
export function askedFrom({ askFrom }: Timetable, day: MarketDay): Temporal.Instant {
  return at(day, askFrom)
}

/** The instant at which the day is late if it is not complete. */
export function lateFrom({ lateAt }: Timetable, day: MarketDay): Temporal.Instant {
  return at(day, lateAt)
}

/** The latest market day that is asked for at the instant. */
export function latestAsked(timetable: Timetable, now: Temporal.Instant): MarketDay {
  const { days, time } = timetable.askFrom
  const local = romeOf(now)
  const begun = Temporal.PlainTime.compare(local.toPlainTime(), Temporal.PlainTime.from(time)) >= 0
  return local.toPlainDate().subtract({ days: days + (begun ? 0 : 1) })
}

/**
 * When to ask again after so many attempts in vain: ever longer pauses until midnight, and just when the day becomes late, so that
 * nobody calls late what is there; on the days that follow once an hour, from 07:00 on. `retryAfterSeconds` is what the publisher
 * itself asks for, and goes before all of this.
 */
export function askAgainAt(
  timetable: Timetable,
  day: MarketDay,
  attempts: number,
  now: Temporal.Instant,
  retryAfterSeconds = 0,
): Temporal.Instant {
  const publication = romeOf(askedFrom(timetable, day)).toPlainDate()
  const isLaterDay = (local: Temporal.ZonedDateTime) => Temporal.PlainDate.compare(local.toPlainDate(), publication) > 0
  const { pausesMinutes } = timetable
  const usual = pausesMinutes[Math.min(attempts, pausesMinutes.length) - 1] ?? PAUSE_MINUTES_ON_LATER_DAYS
  const minutes = isLaterDay(romeOf(now)) ? Math.max(usual, PAUSE_MINUTES_ON_LATER_DAYS) : usual
  const wanted = now.add({ seconds: Math.max(minutes * 60, Math.ceil(retryAfterSeconds)) })
  const late = lateFrom(timetable, day)
  const isBetween = Temporal.Instant.compare(now, late) < 0 && Temporal.Instant.compare(late, wanted) < 0
  const next = romeOf(isBetween && retryAfterSeconds === 0 ? late : wanted)
  const resting = isLaterDay(next) && Temporal.PlainTime.compare(next.toPlainTime(), RESUMES_AT) < 0
  return (resting ? next.withPlainTime(RESUMES_AT) : next).toInstant()
}

function romeOf(instant: Temporal.Instant): Temporal.ZonedDateTime {
  return instant.toZonedDateTimeISO(MARKET_TIME_ZONE)
}

function at(day: MarketDay, { days, time }: { days: number; time: string }): Temporal.Instant {
  return day.add({ days }).toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: time }).toInstant()
}
