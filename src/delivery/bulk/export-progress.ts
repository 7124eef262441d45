/** How far the reading of a dataset has come, by the place of the last row in what is wanted. */
import { BULK_PARTS } from '../../api/contract/bulk.ts'
import { indexOf } from '../../api/contract/table.ts'
import { startOfMarketDay } from '../../market/market-day.ts'
import { ALL_ROWS, type RowFilter } from '../../store/bulk-rows.ts'
import type { Dataset, DatasetChunk } from './dataset.ts'

export interface ExportProgress {
  /** That have been read. */
  rows: number
  /** About how much has been read, below 100. */
  percent: number
}

/** The rest is for the writer and the check. */
const READ_PERCENT = 95

/** To be called with each chunk and the rows read so far. Where rows are not in the order of parts, only their time counts. */
export function progressOf(
  { name, sortedBy, partitionedBy, columns }: Dataset,
  wanted: RowFilter = ALL_ROWS,
  report: (progress: ExportProgress) => void,
): (chunk: DatasetChunk, rows: number) => void {
  const isByPart = sortedBy[0] === partitionedBy.part
  const parts = isByPart ? [...(wanted.parts ?? BULK_PARTS[name])].sort() : ['']
  const from = msOf(wanted.from)
  const days = msOf(wanted.to) - from + DAY_MS
  let percent = 0
  return (chunk, rows) => {
    const last = (column: string) => chunk.columns[indexOf(columns, column)]?.at(-1)
    const part = isByPart ? Math.max(0, parts.indexOf(String(last(partitionedBy.part)))) : 0
    const time = last(partitionedBy.time)
    const within = ((typeof time === 'number' ? time : msOf(String(time))) - from) / days
    const share = (part + Math.min(1, Math.max(0, within))) / parts.length
    percent = Math.max(percent, Math.floor(share * READ_PERCENT))
    report({ rows, percent })
  }
}

const DAY_MS = 86_400_000

function msOf(day: string): number {
  return startOfMarketDay(Temporal.PlainDate.from(day)).epochMilliseconds
}
