/**
 * Child process that makes files. It reads from the database itself, so that no row passes through the process that serves requests.
 * It publishes nothing: if it is killed, it leaves only unfinished files that no client has seen.
 */
import { serveTask } from '../../platform/processes/serve-task.ts'
import { connectSql, endSql } from '../../store/connect-sql.ts'
import { DATASETS } from './datasets/index.ts'
import { type ExportProgress, type FileRequest, type MakeFilesOptions, makeFiles } from './make-files.ts'
import type { MadeFile } from './write-file.ts'

export interface MakerTask extends FileRequest, Pick<MakeFilesOptions, 'file' | 'isServer'> {
  databaseUrl: string
}

serveTask<MakerTask, MadeFile[], ExportProgress>(async ({ databaseUrl, dataset, ...making }, onProgress) => {
  const sql = connectSql(databaseUrl, { poolSize: 1 })
  try {
    return await makeFiles(sql, { ...making, dataset: DATASETS[dataset], onProgress })
  } finally {
    await endSql(sql)
  }
})
