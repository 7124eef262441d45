/** Entry of the short-lived thread that creates the PostgreSQL data at the first start: its memory goes when it ends. */
import { workerData } from 'node:worker_threads'
import { createDatabase } from './database.ts'

await createDatabase(workerData as string)
