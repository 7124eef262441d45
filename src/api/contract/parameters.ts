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

/**
 * A parameter that `parse` reads from text. `problem` is the error, such as `must be a whole number`, if it returns undefined;
 * `byDefault` is the text that an absent parameter stands for.
 */
export function parsedText<T>(
  parse: (text: string) => T | undefined,
  problem: string | ((text: string) => string),
  byDefault?: string,
) {
  const given = byDefault === undefined ? z.string() : z.string().default(byDefault)
  return given.transform((text, context): T => {
    const value = parse(text)
    if (value !== undefined) return value
    const message = typeof problem === 'string' ? problem : problem(text)
    context.issues.push({ code: 'custom', message, input: text })
    return z.NEVER
  })
}

function withinYears<T extends { year: number }>(time: T | undefined): T | undefined {
  return time && time.year >= FIRST_YEAR && time.year <= LAST_YEAR ? time : undefined
}

/** Makes an enumeration case-insensitive: responses have `PUN` where paths have `pun`. */
export function anyCase<T extends z.ZodEnum>(values: T) {
  const bySpelling = new Map(values.options.map((value) => [String(value).toLowerCase(), value]))
  const canonical = (given: unknown) => (typeof given === 'string' && bySpelling.get(given.toLowerCase())) || given
  return z.preprocess(canonical, values)
}

export const assetSlug = anyCase(z.enum(ASSET_SLUGS).meta({ description: 'The index.', example: 'pun' }))

/** Parses `YYYY-MM-DD` into a `MarketDay`. */
export const marketDay = parsedText(
  (text): MarketDay | undefined => withinYears(parseMarketDay(text)),
  (text) =>
    parseMarketDay(text)
      ? `must be between ${FIRST_YEAR}-01-01 and ${LAST_YEAR}-12-31`
      : 'must be a calendar date, YYYY-MM-DD',
).meta({
  description: 'Market day in Europe/Rome.',
  example: '2026-11-21',
  override: { type: 'string', format: 'date' },
})

/** Parses `YYYY-MM` into a `Temporal.PlainYearMonth`. */
export const calendarMonth = parsedText(
  (text) => withinYears(parseMarketDay(`${text}-01`))?.toPlainYearMonth(),
  (text) =>
    parseMarketDay(`${text}-01`)
      ? `must be between ${FIRST_YEAR}-01 and ${LAST_YEAR}-12`
      : 'must be a calendar month, YYYY-MM',
).meta({
  description: 'Calendar month in Europe/Rome.',
  example: '2026-10',
  override: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
})

/** An unencoded `+`, decoded as a space: `2026-11-20T13:00:00 01:00`. */
const LOST_PLUS = /T[\d:.]+ \d\d(:?\d\d)?$/
const PLUS_PROBLEM = 'must have its + encoded as %2B: in a URL a plain + is a space'

/** `07:00`, from 00:00 to 23:59. */
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/

/** Parses an ISO 8601 instant into a `Temporal.Instant`. */
export const asOf = parsedText(
  (text) => withinYears(parseInstant(text)?.toZonedDateTimeISO('UTC'))?.toInstant(),
  (text) => {
    if (parseInstant(text)) return `must be between the years ${FIRST_YEAR} and ${LAST_YEAR}`
    return LOST_PLUS.test(text) ? PLUS_PROBLEM : 'must be an instant with offset, such as 2026-11-20T12:00:00Z'
  },
)
  .optional()
  .meta({
    description: 'Return what was known at this instant, before later corrections.',
    example: '2026-11-20T12:00:00Z',
    override: { type: 'string', format: 'date-time' },
  })

/** `YYYY-MM-DDThh:mm±hh:mm`, or `hh:mm` for the next occurrence of that local time in Rome. */
export const instantOrClock = parsedText(
  (text) => (CLOCK.test(text) ? Temporal.PlainTime.from(text) : parseInstant(text)),
  (text) =>
    LOST_PLUS.test(text)
      ? PLUS_PROBLEM
      : 'must be a time such as 07:00, or an instant with offset such as 2026-11-22T07:00:00Z',
).meta({ example: '07:00', override: { type: 'string' } })

export interface ClockSpan {
  from: Temporal.PlainTime
  to: Temporal.PlainTime
}

/** `22:00-06:00`: a part of every day in Rome time; it spans midnight if it ends before it begins. */
export const clockSpan = parsedText((text): ClockSpan | undefined => {
  const [from = '', to = '', ...more] = text.split('-')
  if (more.length > 0 || !CLOCK.test(from) || !CLOCK.test(to) || from === to) return undefined
  return { from: Temporal.PlainTime.from(from), to: Temporal.PlainTime.from(to) }
}, 'must be two different times such as 22:00-06:00').meta({ example: '22:00-06:00', override: { type: 'string' } })

interface DecimalOptions {
  min: number
  max: number
  example: number
  default: number
}

const DECIMAL = /^-?\d{1,4}(?:\.\d{1,6})?$/

/** Parses a decimal number. */
export function decimalParameter({ min, max, example, default: byDefault }: DecimalOptions) {
  return parsedText(
    (text) => within(min, max, DECIMAL.test(text) ? Number(text) : Number.NaN),
    `must be a decimal number from ${min} to ${max} with at most 6 decimals, such as ${example}`,
  )
    .default(byDefault)
    .meta({
      example: String(example),
      override: { type: 'number', minimum: min, maximum: max, default: byDefault, example },
    })
}

function within(min: number, max: number, value: number): number | undefined {
  return value >= min && value <= max ? value : undefined
}

interface WholeNumberOptions {
  /** Default: 1. */
  min?: number
  max: number
  default?: number
  description: string
  /** Default: the maximum. */
  example?: string
}

/** Parses a whole number in plain digits. */
export function wholeNumber({ min = 1, max, default: byDefault, ...about }: WholeNumberOptions) {
  const bounds = { type: 'integer', minimum: min, maximum: max } as const
  return parsedText(
    (text) => within(min, max, /^(0|[1-9]\d{0,3})$/.test(text) ? Number(text) : Number.NaN),
    `must be a whole number from ${min} to ${max}`,
    byDefault?.toString(),
  ).meta({
    ...about,
    override: byDefault === undefined ? bounds : { ...bounds, default: byDefault, example: max },
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

/** Reads a comma-separated list; undefined if it names a value that does not exist, or one twice. */
export function distinctOf<T>(text: string, find: (name: string) => T | undefined): readonly T[] | undefined {
  const named = text.split(',').map(find)
  const found = named.filter((value) => value !== undefined)
  return found.length === named.length && new Set(found).size === found.length ? found : undefined
}

/** A non-empty list of distinct values. */
export function distinctListOf<T extends z.ZodType>(value: T) {
  return z
    .array(value)
    .min(1)
    .refine((given) => new Set(given).size === given.length, { message: 'must not repeat a value' })
}

/** Throws `invalid_parameter` if an interval of days or months ends before it begins. */
export function refuseReversed<Time extends { until(end: Time): Temporal.Duration }>(from: Time, to: Time): void {
  if (from.until(to).sign < 0) throw invalidParameter('from', `must not be after to (${to}); got "${from}"`)
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
  refuseReversed(from, to)
  const days = from.until(to).days + 1
  if (days > daysMax)
    throw invalidParameter('to', `must be at most ${daysMax - 1} days after from; the interval has ${days} days`)
  return { from, to }
}
