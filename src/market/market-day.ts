/**
 * The market day: a calendar day in Europe/Rome. It has 24 hours, 23 on the last Sunday of March and 25 on the last Sunday of
 * October; in quarter-hours 96, 92 and 100. Intervals are numbered from 1 by elapsed time since local midnight, so an ordinal is
 * never a clock hour. Arithmetic on instants is in UTC; the next market day is the next calendar day, never "+24 hours".
 */

export const MARKET_TIME_ZONE = 'Europe/Rome'

/** Interval lengths in which the day-ahead market has been cleared or published, in minutes. */
export const RESOLUTIONS = [15, 30, 60] as const
export type ResolutionMinutes = (typeof RESOLUTIONS)[number]

/** Display resolutions of prices, in minutes. */
export const GRANULARITIES = { hour: 60, quarter: 15 } as const satisfies Record<string, ResolutionMinutes>
export type Granularity = keyof typeof GRANULARITIES

export type MarketDay = Temporal.PlainDate

/** Four-digit years from 0001: PostgreSQL's calendar and the civil calendar have no year 0, but Temporal's has. */
const CALENDAR_DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/

/** Reads `YYYY-MM-DD`; undefined for anything else, impossible dates such as 2026-02-30 and the year 0000 included. */
export function parseMarketDay(text: string): MarketDay | undefined {
  if (!CALENDAR_DATE.test(text)) return undefined
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

/** The market day an instant belongs to: `2026-03-28T23:00Z` is 2026-03-29. */
export function marketDayOf(instant: Temporal.Instant): MarketDay {
  return inRome(instant).toPlainDate()
}

/** The instant of local midnight at which the day begins. */
export function startOfMarketDay(day: MarketDay): Temporal.Instant {
  return day.toZonedDateTime(MARKET_TIME_ZONE).toInstant()
}

/** 23, 24 or 25. */
export function hoursInMarketDay(day: MarketDay): number {
  return day.toZonedDateTime(MARKET_TIME_ZONE).hoursInDay
}

/** Clock hour, 0 to 23, that is skipped in March and repeated in October: the change is at 02:00 and 03:00 Rome time. */
export const CHANGED_HOUR = 2
const CLOCK_HOURS = 24

/** The clock hours of the 23, 24 or 25 elapsed hours of a day: 0, 1, 3 … in March, 0, 1, 2, 2, 3 … in October. */
export function clockHoursOf(count: number): number[] {
  return Array.from({ length: count }, (_, hour) => {
    if (hour < CHANGED_HOUR || (hour === CHANGED_HOUR && count >= CLOCK_HOURS)) return hour
    return hour + CLOCK_HOURS - count
  })
}

/** How many intervals of that length the day has: 96 quarters on most days, 92 and 100 on the change days. */
export function intervalsInMarketDay(day: MarketDay, resolutionMinutes: ResolutionMinutes): number {
  return (hoursInMarketDay(day) * 60) / resolutionMinutes
}

/** Start of the n-th interval (from 1) of the day. */
export function intervalStart(day: MarketDay, ordinal: number, resolutionMinutes: ResolutionMinutes): Temporal.Instant {
  return startOfMarketDay(day).add({ minutes: (ordinal - 1) * resolutionMinutes })
}

/** ISO 8601 with the offset in force in Rome: `2026-10-25T02:00:00+01:00` is the second of the two hours that start at 02:00. */
export function toRomeIso(instant: Temporal.Instant): string {
  return msToRomeIso(instant.epochMilliseconds)
}

/** As `toRomeIso`, for milliseconds since 1970. */
export function msToRomeIso(ms: number): string {
  if (ms < ONE_UTC_SINCE_MS) return inRome(instantAt(ms)).toString({ timeZoneName: 'never', smallestUnit: 'second' })
  const { offsetMs, offset } = romeOffset(Math.floor((ms - HOUR_MS) / DAY_MS), ms)
  const seconds = Math.floor((ms + offsetMs) / 1000)
  const [minute, hour, day] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)]
  return `${dateOf(day)}T${TWO_DIGITS[hour % 24]}:${TWO_DIGITS[minute % 60]}:${TWO_DIGITS[seconds % 60]}${offset}`
}

/** ISO 8601 in UTC, truncated to seconds: `2026-10-25T00:00:00Z`. */
export function toUtcIso(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' })
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Since then Rome changes its clocks at 01:00 UTC, so all instants of a day that begins at 01:00 UTC have the same offset. */
const ONE_UTC_SINCE_MS = Date.UTC(1996, 0, 1)
/** Fifty years. */
const CACHED_DAYS_MAX = 20_000
/** Cached by that day: applying the time-zone rules takes longer than the rest of formatting a timestamp. */
const offsets = new Map<number, { offsetMs: number; offset: string }>()

function romeOffset(day: number, ms: number): { offsetMs: number; offset: string } {
  const known = offsets.get(day)
  if (known !== undefined) return known
  const { offset, offsetNanoseconds } = inRome(instantAt(ms))
  const found = { offsetMs: offsetNanoseconds / 1e6, offset }
  if (offsets.size >= CACHED_DAYS_MAX) offsets.clear()
  offsets.set(day, found)
  return found
}

/** Cached by days since 1970: responses contain many timestamps of the same day. */
const dates = new Map<number, string>()

function dateOf(day: number): string {
  const known = dates.get(day)
  if (known !== undefined) return known
  const date = new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)
  if (dates.size >= CACHED_DAYS_MAX) dates.clear()
  dates.set(day, date)
  return date
}

function instantAt(ms: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(ms)
}

function inRome(instant: Temporal.Instant): Temporal.ZonedDateTime {
  return instant.toZonedDateTimeISO(MARKET_TIME_ZONE)
}

/** `20260114` is 2026-01-14; undefined for anything else, including impossible dates. */
export function parseCompactDay(text: string): MarketDay | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? []
  return year === undefined ? undefined : parseMarketDay(`${year}-${month}-${day}`)
}

/** The inverse of `parseCompactDay`. */
export function compactDay(day: MarketDay): string {
  return day.toString().replaceAll('-', '')
}
