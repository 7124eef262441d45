/** Entry of the short-lived thread that creates the PostgreSQL data at the first start: its memory goes when it ends. */
import { workerData } from 'node:worker_threads'
import { createDatabase } from './database.ts'

export interface CreateDatabaseData {
  databaseFolder: string
  durable: boolean
}

const { databaseFolder, durable } = workerData as CreateDatabaseData
await createDatabase(databaseFolder, durable)
