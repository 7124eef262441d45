/**
 * The process that writes a file: it reads from the database itself, so that not a row passes through the process that serves
 * requests. It publishes nothing; a kill leaves an unfinished file that nobody was told of.
 */
import type { BulkDataset, BulkFormat } from '../contract/bulk.ts'
import { serveTask } from '../processes/serve-task.ts'
import { connectDatabase } from '../store/database.ts'
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
  await using database = connectDatabase({ url: databaseUrl, poolSize: 1 })
  return await exportDataset(database.sql, { ...request, dataset: DATASETS[dataset] })
})
