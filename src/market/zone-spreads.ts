/** Mean spreads between zones. */
import type { MarketDay } from './market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from './zones.ts'

interface Span {
  from: MarketDay
  to: MarketDay
}

/** Mean and number of hours of each zone and market day, YYYY-MM-DD. */
export type DailyMeans = ReadonlyMap<ZoneCode, ReadonlyMap<string, { price: number; hours: number }>>

/** The last calendar month or week (Monday to Sunday) completed by `end`, or the 30 days up to it; and the same kind of span before it. */
export function spreadSpans(kind: 'week' | 'month' | '30d', end: MarketDay): { span: Span; before: Span } {
  const begins = {
    week: (day: MarketDay) => day.subtract({ days: day.dayOfWeek - 1 }),
    month: (day: MarketDay) => day.with({ day: 1 }),
    '30d': (day: MarketDay) => day.subtract({ days: 29 }),
  }
  const begin = begins[kind]
  const spanTo = (to: MarketDay): Span => ({ from: begin(to), to })
  const isOver = kind === '30d' || !begin(end.add({ days: 1 })).equals(begin(end))
  const span = spanTo(isOver ? end : begin(end).subtract({ days: 1 }))
  return { span, before: spanTo(span.from.subtract({ days: 1 })) }
}

/** Mean of the first zone minus the second over their common days, weighted by hours; undefined if there are none. */
export function meanSpread(
  means: DailyMeans,
  [a, b]: readonly [ZoneCode, ZoneCode],
  { from, to }: Span,
): number | undefined {
  const [first, last] = [from.toString(), to.toString()]
  let [sum, count] = [0, 0]
  for (const [date, { price, hours }] of means.get(a) ?? []) {
    const other = means.get(b)?.get(date)
    if (other === undefined || date < first || date > last) continue
    sum += hours * (price - other.price)
    count += hours
  }
  return count === 0 ? undefined : sum / count
}

interface Mover {
  zones: [ZoneCode, ZoneCode]
  mean: number
  before: number
}

/** Every pair of market zones once, sorted by largest change, with the more expensive zone first. Pairs that lack a mean are left out. */
export function spreadMovers(means: DailyMeans, { span, before }: { span: Span; before: Span }): Mover[] {
  const zones = [...means.keys()].filter((zone) => zone !== NATIONAL_ZONE)
  const pairs = zones.flatMap((a, i) => zones.slice(i + 1).map((b): [ZoneCode, ZoneCode] => [a, b]))
  const movers = pairs.flatMap(([a, b]): Mover[] => {
    const [now, then] = [meanSpread(means, [a, b], span), meanSpread(means, [a, b], before)]
    if (now === undefined || then === undefined) return []
    return now < 0 ? [{ zones: [b, a], mean: -now, before: -then }] : [{ zones: [a, b], mean: now, before: then }]
  })
  return movers.sort((a, b) => Math.abs(b.mean - b.before) - Math.abs(a.mean - a.before))
}
