/** The record of all hourly values, each with the instant from which it was known, and the history as known at one instant. */
import { MARKET_TIME_ZONE, type MarketDay } from '../../src/market/market-day.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import { type DayNumber, dayNumber } from '../calendar.ts'
import { type History, type PriceRevision, revisionsFrom, type Series, seriesAt } from '../history.ts'
import {
  type DailyHours,
  type Fundamentals,
  HOURS,
  type HourlyHistory,
  type HourlyPrices,
  lastPricedDay,
  NEIGHBOURS,
} from './history.ts'

/** The hours of one day as they were stated at one instant. */
export interface HoursRevision {
  day: DayNumber
  /** 24 clock hours. */
  hours: ArrayLike<number>
  knownAtMs: number
}

export type FundamentalsRecord = {
  [Series in Exclude<keyof Fundamentals, 'usual' | 'neighbours'>]?: readonly HoursRevision[]
} & {
  usual?: Record<keyof NonNullable<Fundamentals['usual']>, readonly HoursRevision[]>
} & { neighbours?: { [Market in keyof NonNullable<Fundamentals['neighbours']>]?: readonly HoursRevision[] } }

export interface HourlyRecord {
  /** Hours and means of each zone. The PUN's are those of the daily record. */
  zones: Partial<Record<ZoneCode, readonly PriceRevision[]>>
  fundamentals: Partial<Record<ZoneCode, FundamentalsRecord>>
}

/** Returns the record without the days before `from`. */
export function hourlyRecordFrom({ zones, fundamentals }: HourlyRecord, from: MarketDay): HourlyRecord {
  const first = dayNumber(from)
  const hoursFrom = (revisions: readonly HoursRevision[]) => revisions.filter(({ day }) => day >= first)
  return {
    zones: mapped(zones, (revisions) => revisionsFrom(revisions, from)),
    fundamentals: mapped(fundamentals, ({ usual, neighbours, ...own }) => ({
      ...mapped(own, hoursFrom),
      ...(usual && { usual: { wind: hoursFrom(usual.wind), solar: hoursFrom(usual.solar) } }),
      ...(neighbours && { neighbours: mapped(neighbours, hoursFrom) }),
    })),
  }
}

function mapped<Key extends string, From, To>(
  values: Partial<Record<Key, From>>,
  to: (value: From) => To,
): Partial<Record<Key, To>> {
  const entries = Object.entries(values) as [Key, From][]
  return Object.fromEntries(entries.map(([key, value]) => [key, to(value)])) as Partial<Record<Key, To>>
}

/** History of a zone at the instant of the daily history, without later values and corrections. */
export function hourlyHistoryAt(record: HourlyRecord, daily: History, zone: ZoneCode): HourlyHistory {
  const { knownAt, holidays } = daily
  const { PUN, PSV, TTF } = daily.series
  const national = hourlyPrices(PUN)
  const revisions = record.zones[zone]
  const prices = revisions === undefined ? national : hourlyPrices(seriesAt(revisions, knownAt))
  const firstTarget = (lastPricedDay(prices) ?? 0) + 1
  const fundamentals = fundamentalsAt(record.fundamentals[zone] ?? {}, knownAt, firstTarget)
  return { knownAt, zone, prices, national, gas: { PSV, TTF }, holidays, fundamentals }
}

function hourlyPrices({ firstDay, prices, hours }: Series): HourlyPrices {
  return { firstDay, values: hours ?? new Float64Array(prices.length * HOURS).fill(Number.NaN), means: prices }
}

/** Takes past days as stated with the lead time that the first target day has now, and future days as stated now. */
function fundamentalsAt(record: FundamentalsRecord, knownAt: Temporal.Instant, firstTarget: DayNumber): Fundamentals {
  const limits = limitsAt(knownAt, firstTarget)
  const at = (revisions: readonly HoursRevision[] | undefined) => revisions && hoursAt(revisions, limits)
  const { load, wind, solar } = { load: at(record.load), wind: at(record.wind), solar: at(record.solar) }
  const neighbours = Object.fromEntries(
    NEIGHBOURS.flatMap((market) => {
      const known = at(record.neighbours?.[market])
      return known === undefined ? [] : [[market, known]]
    }),
  )
  const usual = { wind: at(record.usual?.wind), solar: at(record.usual?.solar) }
  return {
    ...(load && { load }),
    ...(wind && { wind }),
    ...(solar && { solar }),
    ...(usual.wind && usual.solar && { usual: { wind: usual.wind, solar: usual.solar } }),
    ...(Object.keys(neighbours).length > 0 && { neighbours }),
  }
}

/** Latest instant, in ms, at which a value of the day may have become known; in market time, so that 11:15 stays 11:15. */
function limitsAt(knownAt: Temporal.Instant, firstTarget: DayNumber): (day: DayNumber) => number {
  const now = knownAt.toZonedDateTimeISO(MARKET_TIME_ZONE)
  const limits = new Map<DayNumber, number>()
  return (day) => {
    const limit =
      limits.get(day) ?? (day >= firstTarget ? now : now.subtract({ days: firstTarget - day })).epochMilliseconds
    limits.set(day, limit)
    return limit
  }
}

function hoursAt(revisions: readonly HoursRevision[], limitOf: (day: DayNumber) => number): DailyHours | undefined {
  const latest = new Map<DayNumber, HoursRevision>()
  for (const revision of revisions) {
    const { day, knownAtMs } = revision
    if (knownAtMs <= limitOf(day) && knownAtMs >= (latest.get(day)?.knownAtMs ?? Number.NEGATIVE_INFINITY))
      latest.set(day, revision)
  }
  if (latest.size === 0) return undefined
  const days = [...latest.keys()]
  const firstDay = days.reduce((least, day) => Math.min(least, day))
  const last = days.reduce((most, day) => Math.max(most, day))
  const values = new Float64Array((last - firstDay + 1) * HOURS).fill(Number.NaN)
  for (const [day, { hours }] of latest) values.set(hours, (day - firstDay) * HOURS)
  return { firstDay, values }
}

/** Makes a revision of a day for the record. */
export function hoursRevision(day: Temporal.PlainDate, hours: ArrayLike<number>, knownAtMs: number): HoursRevision {
  return { day: dayNumber(day), hours, knownAtMs }
}
