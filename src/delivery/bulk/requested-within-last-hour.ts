/** Whether an export was requested so recently that another request waits: exports fail, are cut short, have no rows to share, or lose their file. */
import type { ExportState } from '../../store/bulk-files.ts'

export function requestedWithinLastHour(
  { requestedAt }: Pick<ExportState, 'requestedAt'>,
  now: Temporal.Instant,
): boolean {
  return Temporal.Instant.compare(requestedAt, now.subtract({ hours: 1 })) > 0
}
