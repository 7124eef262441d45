/** When a file that is not there may be asked for: not while it is being made, not again and again where that comes to nothing. */
import type { ExportState } from '../../store/bulk-files.ts'

/** What was made and is lost is made again; a store that loses everything at once is not filled without end. */
const LOST_AGAIN_AFTER = { minutes: 1 }
/** What failed, never ended, or had no rows to pass on. */
const AGAIN_AFTER = { hours: 1 }

/** `last`: what came of it the last time it was asked for, if ever. */
export function mayBeMade(
  last: Pick<ExportState, 'requestedAt' | 'outcome'> | undefined,
  now: Temporal.Instant,
): boolean {
  if (last === undefined) return true
  const wasMade = last.outcome === 'published' || last.outcome === 'unchanged'
  const { requestedAt } = last
  return Temporal.Instant.compare(now, requestedAt.add(wasMade ? LOST_AGAIN_AFTER : AGAIN_AFTER)) >= 0
}
