/** Intervals longer than an operation answers at once: split, asked one after another, and put together again. */
import { NoDataError, NotFoundError } from './errors.ts'
import { addDays, daysBetween, dayText } from './time.ts'

type Fields = Record<string, unknown>

export interface Interval {
  from: string
  to: string
}

/** The interval in parts of at most so many days. */
export function partsOf(from: string, to: string, daysMax: number): Interval[] {
  const parts: Interval[] = []
  for (let first = dayText(from); daysBetween(first, to) > 0; first = addDays(first, daysMax)) {
    const last = addDays(first, daysMax - 1)
    parts.push({ from: first, to: last < to ? last : to })
  }
  return parts
}

/** The answers to the parts; one without data is left out as long as others have some. */
export async function askParts<T>(parts: Interval[], ask: (part: Interval) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  let nothing: unknown
  for (const part of parts) {
    try {
      answers.push(await ask(part))
    } catch (err) {
      if (!(err instanceof NoDataError || err instanceof NotFoundError)) throw err
      nothing ??= err
    }
  }
  if (answers.length === 0) throw nothing
  return answers
}

/** Merges several answers into that of the whole interval. */
export function joined(answers: Fields[], { from, to }: Interval): Fields {
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

/** The mean only where every part has one: it is missing where hours are. */
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
