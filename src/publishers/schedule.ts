/**
 * When and how often a market day is requested, and from when on it is late, in Europe/Rome. Pure: depends only on the publisher's
 * schedule, the market day, the number of attempts and the current time.
 */

import { counted } from '../market/counted.ts'
import { fundamentalOf } from '../market/fundamentals.ts'
import { MARKET_TIME_ZONE, type MarketDay } from '../market/market-day.ts'
import type { FundamentalDay } from './observations.ts'
import type { Moment } from './publisher.ts'

export interface Schedule {
  askFrom: Moment
  earlyAt?: Moment | undefined
  lateAt: Moment
  refetchAt?: Moment | undefined
  pausesMinutes: readonly number[]
}

/** Polling pauses from midnight to this time; then it resumes, less often. */
const RESUMES_AT = Temporal.PlainTime.from('07:00')
const PAUSE_MINUTES_ON_LATER_DAYS = 60

/** Returns the instant of a moment. Day-ahead prices of 2026-03-30, published at 12:55 on the day before: 12:55 in Rome on the 29th. */
export function momentToInstant(day: MarketDay, { days, time }: Moment): Temporal.Instant {
  return day.add({ days }).toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: time }).toInstant()
}

/** Returns the latest market day that is due at `now`. */
export function latestDueDay({ askFrom: { days, time } }: Pick<Schedule, 'askFrom'>, now: Temporal.Instant): MarketDay {
  const local = toRomeTime(now)
  const begun = Temporal.PlainTime.compare(local.toPlainTime(), Temporal.PlainTime.from(time)) >= 0
  return local.toPlainDate().subtract({ days: days + (begun ? 0 : 1) })
}

/**
 * Returns the time of the next attempt after `attempts` failed ones. Pauses grow until midnight, with one attempt exactly when the day
 * becomes late, so that a published day is never reported as late. On later days attempts are hourly from 07:00. The publisher's
 * `retryAfterSeconds` takes precedence.
 */
export function nextAttemptAt(
  schedule: Schedule,
  day: MarketDay,
  attempts: number,
  now: Temporal.Instant,
  retryAfterSeconds = 0,
): Temporal.Instant {
  const publication = toRomeTime(momentToInstant(day, schedule.askFrom)).toPlainDate()
  const isLaterDay = (local: Temporal.ZonedDateTime) => Temporal.PlainDate.compare(local.toPlainDate(), publication) > 0
  const { pausesMinutes } = schedule
  const usual = pausesMinutes[Math.min(attempts, pausesMinutes.length) - 1] ?? PAUSE_MINUTES_ON_LATER_DAYS
  const minutes = isLaterDay(toRomeTime(now)) ? Math.max(usual, PAUSE_MINUTES_ON_LATER_DAYS) : usual
  const notBefore = now.add({ seconds: Math.max(minutes * 60, Math.ceil(retryAfterSeconds)) })
  const late = momentToInstant(day, schedule.lateAt)
  const isBetween = Temporal.Instant.compare(now, late) < 0 && Temporal.Instant.compare(late, notBefore) < 0
  const next = toRomeTime(isBetween && retryAfterSeconds === 0 ? late : notBefore)
  const isPaused = isLaterDay(next) && Temporal.PlainTime.compare(next.toPlainTime(), RESUMES_AT) < 0
  return (isPaused ? next.withPlainTime(RESUMES_AT) : next).toInstant()
}

function toRomeTime(instant: Temporal.Instant): Temporal.ZonedDateTime {
  return instant.toZonedDateTimeISO(MARKET_TIME_ZONE)
}

/** A day read this long after its usual publication was loaded as history. */
const LOADED_LATER_HOURS = 48

/**
 * Returns when a day's values became known, for `as_of` and for forecasts of past days, which may use only what was known. This is the
 * instant at which the day was read or, for history, its usual publication.
 */
export function knownFrom(
  { series, area, day }: Pick<FundamentalDay, 'series' | 'area' | 'day'>,
  readAt: Temporal.Instant,
): Temporal.Instant {
  const { known, knownIn } = fundamentalOf(series)
  const published = momentToInstant(day, knownIn?.[area] ?? known)
  const isHistory = Temporal.Instant.compare(readAt, published.add({ hours: LOADED_LATER_HOURS })) > 0
  return isHistory ? published : readAt
}

/** `12:55 Europe/Rome on the day before` */
export function formatMoment({ days, time }: Moment): string {
  const when =
    days === -1
      ? 'on the day before'
      : days === 0
        ? 'on the day'
        : `${counted(Math.abs(days), 'day')} ${days < 0 ? 'before' : 'later'}`
  return `${time} ${MARKET_TIME_ZONE} ${when}`
}
