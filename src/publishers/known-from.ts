/** From when on values count as known: for `as_of`, and for forecasts of the past, which may use nothing else. */
import { fundamental } from '../market/fundamentals.ts'
import type { FundamentalDay } from './observations.ts'
import { momentOf } from './schedule.ts'

/** Read so long after its usual publication, a day was loaded as history. */
const LOADED_LATER_HOURS = 48

/** The instant at which the day was read, or of history its usual publication. */
export function knownFrom(
  { series, area, day }: Pick<FundamentalDay, 'series' | 'area' | 'day'>,
  readAt: Temporal.Instant,
): Temporal.Instant {
  const { known, knownIn } = fundamental(series)
  const published = momentOf(day, knownIn?.[area] ?? known)
  const isHistory = Temporal.Instant.compare(readAt, published.add({ hours: LOADED_LATER_HOURS })) > 0
  return isHistory ? published : readAt
}
