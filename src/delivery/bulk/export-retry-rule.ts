/** Decides whether a missing file may be requested: not while it is being made, and not repeatedly after failures. */
import type { ExportState } from '../../store/bulk-files.ts'

/** Pause before a lost file is made again, in case the store keeps losing files. */
const LOST_FILE_RETRY_AFTER = { minutes: 1 }
/** Pause after a failure, an export that never ended, or one without rows that may be redistributed. */
const FAILURE_RETRY_AFTER = { hours: 1 }

/** `last`: the outcome of the last request, if any. */
export function canRequestExport(
  last: Pick<ExportState, 'requestedAt' | 'outcome'> | undefined,
  now: Temporal.Instant,
): boolean {
  if (last === undefined) return true
  const wasMade = last.outcome === 'published' || last.outcome === 'unchanged'
  const { requestedAt } = last
  return Temporal.Instant.compare(now, requestedAt.add(wasMade ? LOST_FILE_RETRY_AFTER : FAILURE_RETRY_AFTER)) >= 0
}
