/**
 * The process that writes a file: it reads from the database itself, so that not a row passes through the process that serves
 * requests. It publishes nothing; a kill leaves an unfinished file that was never announced.
 */
import type { BulkDataset, BulkFormat } from '../../api/contract/bulk.ts'
import { serveTask } from '../../platform/processes/serve-task.ts'
import { connectSql, endSql } from '../../store/connect-sql.ts'
import { DATASETS } from './datasets/index.ts'
import { type ExportedFile, exportDataset } from './export-dataset.ts'

export interface ExportTask {
  databaseUrl: string
  isServer: boolean
  dataset: BulkDataset
  format: BulkFormat
  file: string
}

serveTask<ExportTask, ExportedFile | undefined>(async ({ databaseUrl, dataset, ...request }) => {
  const sql = connectSql(databaseUrl, { poolSize: 1 })
  try {
    return await exportDataset(sql, { ...request, dataset: DATASETS[dataset] })
  } finally {
    await endSql(sql)
  }
})
