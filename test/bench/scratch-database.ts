/** A fresh, migrated database: the embedded engine in a temporary folder, or a new database of the server that DATABASE_URL names. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'
import { connectSql } from '../../src/store/connect-sql.ts'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'

const SERVER_URL = process.env.DATABASE_URL

export interface ScratchDatabase extends AsyncDisposable {
  database: Database
  url: string
  folder: string
}

export async function scratchDatabase({ durable = true } = {}): Promise<ScratchDatabase> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-bench-'))
  const { url, remove } = await (SERVER_URL === undefined ? newEngine(folder, durable) : newDatabase(SERVER_URL))
  const database = connectDatabase({ url, poolSize: 4 })
  await migrate(database)
  return {
    database,
    url,
    folder,
    async [Symbol.asyncDispose]() {
      await database.close()
      await remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function newEngine(folder: string, durable: boolean) {
  const engine = await startEngine({ dataDir: path.join(folder, 'engine'), durable })
  return { url: connectionStringFor(engine.address), remove: () => engine.stop() }
}

async function newDatabase(serverUrl: string) {
  const name = `energy_prices_bench_${process.pid}_${Date.now()}`
  const run = async (statement: string) => {
    const sql = connectSql(serverUrl, { poolSize: 1 })
    await sql.unsafe(statement)
    await sql.end()
  }
  await run(`create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => run(`drop database ${name} with (force)`) }
}
