/**
 * The process that writes a file: it reads from the database itself, so that not a row passes through the process that serves
 * requests. It publishes nothing; a kill leaves an unfinished file that was never announced.
 */
import type { BulkDataset, BulkFormat } from '../../api/contract/bulk.ts'
import { serveTask } from '../../platform/processes/serve-task.ts'
import type { RowFilter } from '../../store/bulk-rows.ts'
import { connectSql, endSql } from '../../store/connect-sql.ts'
import { DATASETS } from './datasets/index.ts'
import { type ExportedFile, exportDataset } from './export-dataset.ts'
import type { ExportProgress } from './export-progress.ts'

export interface ExportTask {
  databaseUrl: string
  isServer: boolean
  dataset: BulkDataset
  format: BulkFormat
  file: string
  wanted?: RowFilter
  columns?: readonly string[] | undefined
}

serveTask<ExportTask, ExportedFile | undefined, ExportProgress>(async (task, onProgress) => {
  const { databaseUrl, dataset, ...request } = task
  const sql = connectSql(databaseUrl, { poolSize: 1 })
  try {
    return await exportDataset(sql, { ...request, dataset: DATASETS[dataset], onProgress })
  } finally {
    await endSql(sql)
  }
})
