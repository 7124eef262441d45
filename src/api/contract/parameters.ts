/** Parameters that several endpoints take. Each reads text and says in one phrase what it expects; the spelling is exact. */
import * as z from 'zod'
import { ASSET_SLUGS } from '../../market/assets.ts'
import { type MarketDay, parseMarketDay } from '../../market/market-day.ts'
import { invalidParameter } from './errors.ts'
import type { Format } from './plans.ts'

/** Days outside this span are typing errors, and not every database takes the extremes. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2100

export const assetSlug = z.enum(ASSET_SLUGS).meta({ description: 'The index.', example: 'pun' })

/** `YYYY-MM-DD` in, a `MarketDay` out. */
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

/** `YYYY-MM` in, a `Temporal.PlainYearMonth` out. */
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

/** `2026-11-20T13:00:00 01:00` */
const LOST_PLUS = /T[\d:.]+ \d\d(:?\d\d)?$/

/** An instant in ISO 8601 in, a `Temporal.Instant` out. */
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
    description: 'Answer what was known at this instant: values read by then, before later corrections.',
    example: '2026-11-20T12:00:00Z',
    override: { type: 'string', format: 'date-time' },
  })

/** `format` of an endpoint that answers in several. */
export function formatParameter(formats: readonly Format[]) {
  const isArrow = formats.includes('arrow')
  return z
    .enum(formats)
    .optional()
    .meta({
      description:
        `Format of the answer, \`json\` if left out. Wins over the header \`Accept\`, which may ask for \`text/csv\`${isArrow ? ' or `application/vnd.apache.arrow.stream`' : ''} as well. ` +
        `CSV: UTF-8, separator \`;\`, decimal comma, header in the first row.${isArrow ? ' Arrow: an IPC stream.' : ''}`,
      example: 'json',
    })
}
/** Throws `invalid_parameter` for an instant in the future, about which nothing is known yet. */
export function refuseFuture(instant: Temporal.Instant | undefined, now: Temporal.Instant): void {
  if (instant && Temporal.Instant.compare(instant, now) > 0)
    throw invalidParameter('as_of', 'must not be in the future')
}

/** Its echo in an answer. */
export const asOfEcho = z
  .string()
  .optional()
  .meta({ description: 'The requested instant, UTC.', example: '2026-11-20T12:00:00Z' })

function parseInstant(text: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(text)
  } catch {
    return undefined
  }
}
