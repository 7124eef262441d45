/** When a file that was asked for is asked for again: what failed, never ended, had no rows to pass on or was lost. */
import type { ExportState } from '../../store/bulk-files.ts'

const AGAIN_AFTER_HOURS = 1

export function isAskedLately({ requestedAt }: Pick<ExportState, 'requestedAt'>, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(requestedAt, now.subtract({ hours: AGAIN_AFTER_HOURS })) > 0
}
