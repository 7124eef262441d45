/** The process that writes partitions: it reads from the database itself, as that of the single files does. It publishes nothing. */
import type { BulkDataset } from '../../api/contract/bulk.ts'
import { serveTask } from '../../platform/processes/serve-task.ts'
import { connectSql, endSql } from '../../store/connect-sql.ts'
import { DATASETS } from '../bulk/datasets/index.ts'
import { type PartitionFile, type PartitionRequest, writePartitions } from './write-partitions.ts'

export interface PartitionTask extends Omit<PartitionRequest, 'dataset'> {
  databaseUrl: string
  dataset: BulkDataset
}

serveTask<PartitionTask, PartitionFile[]>(async ({ databaseUrl, dataset, ...request }) => {
  const sql = connectSql(databaseUrl, { poolSize: 1 })
  try {
    return await writePartitions(sql, { ...request, dataset: DATASETS[dataset] })
  } finally {
    await endSql(sql)
  }
})
