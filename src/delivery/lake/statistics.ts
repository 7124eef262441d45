/** Minimum, maximum and missing values of each column of a file: readers pass over files that cannot hold what they look for. */
import type { ColumnStatistics } from '../../store/lake-files.ts'
import type { Chunk } from '../bulk/dataset.ts'

/** Of no rows yet. */
export function noStatistics(columns: number): ColumnStatistics[] {
  return Array.from({ length: columns }, () => ({ min: null, max: null, nulls: 0 }))
}

/** Adds the rows of a chunk. */
export function addStatistics(statistics: readonly ColumnStatistics[], { columns }: Chunk): void {
  statistics.forEach((one, i) => {
    for (const value of columns[i] ?? []) {
      if (value === null) one.nulls += 1
      else {
        if (one.min === null || value < one.min) one.min = value
        if (one.max === null || value > one.max) one.max = value
      }
    }
  })
}
