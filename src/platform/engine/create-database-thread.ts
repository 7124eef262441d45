/**
 * Entry of the short-lived thread that creates the PostgreSQL data at the first start; its memory is freed when it ends. The folder
 * is renamed to its final name once complete, so a first start that was killed half-way is simply started again.
 */
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { unpackDatabase } from './packed-database.ts'
import { syncFoldersAbove, syncTree } from './sync-path.ts'

export interface CreateDatabaseData {
  databaseFolder: string
  durable: boolean
  /** A packed database to start from; if undefined, an empty one is created. */
  template: string | undefined
}

const { databaseFolder, durable, template } = workerData as CreateDatabaseData
const unfinished = `${databaseFolder}.new`
rmSync(unfinished, { recursive: true, force: true })
if (template === undefined) {
  const { createDatabase } = await import('./database.ts')
  await createDatabase(unfinished)
} else {
  unpackDatabase(template, unfinished)
}
chmodSync(unfinished, 0o700)
if (durable) await syncTree(unfinished)
renameSync(unfinished, databaseFolder)
if (durable) syncFoldersAbove(databaseFolder)
