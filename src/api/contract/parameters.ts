/**
 * Parameters shared by several endpoints. Each parses text and, on an error, states in one phrase what it expects. Values are
 * case-sensitive, except assets and zones.
 */
import * as z from 'zod'
import { ASSET_SLUGS } from '../../market/assets.ts'
import { type MarketDay, parseMarketDay } from '../../market/market-day.ts'
import { invalidParameter } from './errors.ts'
import * as field from './fields.ts'
import type { Format } from './plans.ts'

/** Days outside this span are typing errors, and not every database supports the extremes. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2100

/** Makes an enumeration case-insensitive: responses have `PUN` where paths have `pun`. */
export function anyCase<T extends z.ZodEnum>(values: T) {
  const bySpelling = new Map(values.options.map((value) => [String(value).toLowerCase(), value]))
  const canonical = (given: unknown) => (typeof given === 'string' && bySpelling.get(given.toLowerCase())) || given
  return z.preprocess(canonical, values)
}

export const assetSlug = anyCase(z.enum(ASSET_SLUGS).meta({ description: 'The index.', example: 'pun' }))

/** Parses `YYYY-MM-DD` into a `MarketDay`. */
export const marketDay = z
  .string()
  .transform((text, context): MarketDay => {
    const day = parseMarketDay(text)
    if (day && day.year >= FIRST_YEAR && day.year <= LAST_YEAR) return day
    const message = day
      ? `must be between ${FIRST_YEAR}-01-01 and ${LAST_YEAR}-12-31`
      : 'must be a calendar date, YYYY-MM-DD'
    context.issues.push({ code: 'custom', message, input: text })
    return z.NEVER
  })
  .meta({
    description: 'Market day in Europe/Rome.',
    example: '2026-11-21',
    override: { type: 'string', format: 'date' },
  })

/** Parses `YYYY-MM` into a `Temporal.PlainYearMonth`. */
export const calendarMonth = z
  .string()
  .transform((text, context): Temporal.PlainYearMonth => {
    const day = parseMarketDay(`${text}-01`)
    if (day && day.year >= FIRST_YEAR && day.year <= LAST_YEAR) return day.toPlainYearMonth()
    const message = day ? `must be between ${FIRST_YEAR}-01 and ${LAST_YEAR}-12` : 'must be a calendar month, YYYY-MM'
    context.issues.push({ code: 'custom', message, input: text })
    return z.NEVER
  })
  .meta({
    description: 'Calendar month in Europe/Rome.',
    example: '2026-10',
    override: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
  })

/** An unencoded `+`, decoded as a space: `2026-11-20T13:00:00 01:00`. */
const LOST_PLUS = /T[\d:.]+ \d\d(:?\d\d)?$/

/** `07:00`, from 00:00 to 23:59. */
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/

/** Parses an ISO 8601 instant into a `Temporal.Instant`. */
export const asOf = z
  .string()
  .transform((text, context): Temporal.Instant => {
    const instant = parseInstant(text)
    const year = instant?.toZonedDateTimeISO('UTC').year
    if (instant && year !== undefined && year >= FIRST_YEAR && year <= LAST_YEAR) return instant
    const message = instant
      ? `must be between the years ${FIRST_YEAR} and ${LAST_YEAR}`
      : LOST_PLUS.test(text)
        ? 'must have its + encoded as %2B: in a URL a plain + is a space'
        : 'must be an instant with offset, such as 2026-11-20T12:00:00Z'
    context.issues.push({ code: 'custom', message, input: text })
    return z.NEVER
  })
  .optional()
  .meta({
    description: 'Return what was known at this instant, before later corrections.',
    example: '2026-11-20T12:00:00Z',
    override: { type: 'string', format: 'date-time' },
  })

/** `YYYY-MM-DDThh:mm±hh:mm`, or `hh:mm` for the next occurrence of that local time in Rome. */
export const instantOrClock = z
  .string()
  .transform((text, context): Temporal.Instant | Temporal.PlainTime => {
    const read = CLOCK.test(text) ? Temporal.PlainTime.from(text) : parseInstant(text)
    if (read) return read
    const message = LOST_PLUS.test(text)
      ? 'must have its + encoded as %2B: in a URL a plain + is a space'
      : 'must be a time such as 07:00, or an instant with offset such as 2026-11-22T07:00:00Z'
    context.issues.push({ code: 'custom', message, input: text })
    return z.NEVER
  })
  .meta({ example: '07:00', override: { type: 'string' } })

export interface ClockSpan {
  from: Temporal.PlainTime
  to: Temporal.PlainTime
}

/** `22:00-06:00`: a part of every day in Rome time; it spans midnight if it ends before it begins. */
export const clockSpan = z
  .string()
  .transform((text, context): ClockSpan => {
    const [from = '', to = '', ...more] = text.split('-')
    if (more.length === 0 && CLOCK.test(from) && CLOCK.test(to) && from !== to)
      return { from: Temporal.PlainTime.from(from), to: Temporal.PlainTime.from(to) }
    context.issues.push({ code: 'custom', message: 'must be two different times such as 22:00-06:00', input: text })
    return z.NEVER
  })
  .meta({ example: '22:00-06:00', override: { type: 'string' } })

interface DecimalOptions {
  min: number
  max: number
  example: number
  default: number
}

const DECIMAL = /^-?\d{1,4}(?:\.\d{1,6})?$/

/** Parses a decimal number. */
export function decimalParameter({ min, max, example, default: byDefault }: DecimalOptions) {
  return z
    .string()
    .transform((text, context): number => {
      const value = DECIMAL.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return value
      const message = `must be a decimal number from ${min} to ${max} with at most 6 decimals, such as ${example}`
      context.issues.push({ code: 'custom', message, input: text })
      return z.NEVER
    })
    .default(byDefault)
    .meta({
      example: String(example),
      override: { type: 'number', minimum: min, maximum: max, default: byDefault, example },
    })
}

/** Whether the hourly forecast follows the published prices. */
export const forecastTail = z.enum(['tail']).optional().meta({
  description: '`tail`: after the published prices, medians of the hourly forecast for the next three days (API plan).',
  example: 'tail',
})

/** Media types for `Accept` other than JSON, and their meanings. */
const FORMAT_WORDS: Record<Exclude<Format, 'json'>, { mediaType: string; meaning: string }> = {
  csv: { mediaType: '`text/csv`', meaning: 'CSV: UTF-8, separator `;`, decimal comma, header in the first row.' },
  arrow: { mediaType: '`application/vnd.apache.arrow.stream`', meaning: 'Arrow: an IPC stream.' },
  ics: { mediaType: '`text/calendar`', meaning: 'iCalendar: a calendar to subscribe to.' },
}

/** The parameter `format` of an endpoint with several formats. */
export function formatParameter(formats: readonly Format[]) {
  const others = formats.filter((format) => format !== 'json').map((format) => FORMAT_WORDS[format])
  const mediaTypes = others.map(({ mediaType }) => mediaType).join(' or ')
  return z
    .enum(formats)
    .optional()
    .meta({
      description: [
        `Format of the answer, \`json\` if left out. Wins over the header \`Accept\`, which may ask for ${mediaTypes} as well.`,
        ...others.map(({ meaning }) => meaning),
      ].join(' '),
      example: 'json',
    })
}
export const csvSeparator = z.enum(['semicolon', 'comma', 'tab']).optional().meta({
  description: 'What separates the columns of CSV; `semicolon` if left out. With `comma` decimals have a point.',
  example: 'comma',
})

export const csvDecimal = z.enum(['comma', 'point']).optional().meta({
  description: 'The decimal mark of CSV; `comma` if left out, unless commas separate the columns.',
  example: 'point',
})

export const timesParameter = z.enum(['utc']).optional().meta({
  description: '`utc`: every `starts_at` and `ends_at` comes in UTC too, as `starts_at_utc` and `ends_at_utc`.',
  example: 'utc',
})

/** Throws `invalid_parameter` for an instant in the future. */
export function refuseFuture(instant: Temporal.Instant | undefined, now: Temporal.Instant, param = 'as_of'): void {
  if (instant && Temporal.Instant.compare(instant, now) > 0) throw invalidParameter(param, 'must not be in the future')
}

/** Echo of `as_of` in a response. */
export const asOfEcho = field.text.optional('The requested instant, UTC.', '2026-11-20T12:00:00Z')

function parseInstant(text: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(text)
  } catch {
    return undefined
  }
}

/** A non-empty list of distinct values. */
export function distinctListOf<T extends z.ZodType>(value: T) {
  return z
    .array(value)
    .min(1)
    .refine((given) => new Set(given).size === given.length, { message: 'must not repeat a value' })
}

/** Returns the requested interval; undefined for a single day. Throws `invalid_parameter` if the parameters cannot be combined. */
export function intervalOf(
  { date, from, to }: { date?: MarketDay | undefined; from?: MarketDay | undefined; to?: MarketDay | undefined },
  daysMax: number,
): { from: MarketDay; to: MarketDay } | undefined {
  if (from === undefined && to === undefined) return undefined
  if (date !== undefined) throw invalidParameter('date', 'cannot be combined with from and to')
  if (from === undefined) throw invalidParameter('from', 'is needed with to')
  if (to === undefined) throw invalidParameter('to', 'is needed with from')
  const days = from.until(to).days + 1
  if (days < 1) throw invalidParameter('from', `must not be after to (${to}); got "${from}"`)
  if (days > daysMax)
    throw invalidParameter('to', `must be at most ${daysMax - 1} days after from; the interval has ${days} days`)
  return { from, to }
}
