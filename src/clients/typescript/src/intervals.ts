/** Splits intervals longer than an operation accepts, requests the parts sequentially, and merges the responses. */
import { NoDataError, NotFoundError } from './errors.ts'
import { addDays, daysBetween, dayText } from './time.ts'

type Fields = Record<string, unknown>

export interface Interval {
  from: string
  to: string
}

/** Splits an interval into parts of at most `daysMax` days. */
export function partsOf(from: string, to: string, daysMax: number): Interval[] {
  const parts: Interval[] = []
  for (let first = dayText(from); daysBetween(first, to) > 0; first = addDays(first, daysMax)) {
    const last = addDays(first, daysMax - 1)
    parts.push({ from: first, to: last < to ? last : to })
  }
  return parts
}

/** Requests the parts and returns their responses. Parts without data are skipped; if all are, throws the first error. */
export async function fetchParts<T>(parts: Interval[], fetchPart: (part: Interval) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  let nothing: unknown
  for (const part of parts) {
    try {
      answers.push(await fetchPart(part))
    } catch (err) {
      if (!(err instanceof NoDataError || err instanceof NotFoundError)) throw err
      nothing ??= err
    }
  }
  if (answers.length === 0) throw nothing
  return answers
}

/** Merges the responses to the parts into one response for the whole interval. */
export function mergeResponses(answers: Fields[], { from, to }: Interval): Fields {
  const first = answers[0] as Fields
  const lists = Object.keys(first).filter((name) => Array.isArray(first[name]))
  const whole: Fields = { ...first, from, to }
  for (const name of lists) whole[name] = answers.flatMap((answer) => (answer[name] ?? []) as unknown[])
  if (typeof first.count === 'number') whole.count = answers.reduce((sum, { count }) => sum + Number(count), 0)
  if (first.stats)
    whole.stats = statsOf(
      lists.flatMap((name) => whole[name] as Fields[]),
      answers,
    )
  return whole
}

/** Computes statistics. `avg` is omitted unless every part has one: parts with missing hours have none. */
function statsOf(rows: Fields[], answers: Fields[]): Fields {
  const values = rows.flatMap(valuesOf)
  const mean = Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100
  const hasMean = answers.every(({ stats }) => (stats as Fields | undefined)?.avg !== undefined)
  const ends = values.reduce(({ min, max }, value) => ({ min: Math.min(min, value), max: Math.max(max, value) }), {
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
  })
  return { ...ends, ...(hasMean && { avg: mean }) }
}

function valuesOf(row: Fields): number[] {
  if (typeof row.value === 'number') return [row.value]
  return ((row.quarters ?? row.hours ?? []) as Fields[]).map(({ value }) => value as number)
}
