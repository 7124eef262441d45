/** Analysts' statements with the embedded database: run on copies of it, in processes that are killed at their limits. */
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionStringFor, type Engine, startEngine } from '../../src/platform/engine/engine.ts'
import { makeAnalystCopy } from '../../src/store/analyst-copy.ts'
import { analystProcesses } from '../../src/store/analyst-processes.ts'
import { ANALYST_LIMITS, analystSql, TooManyStatements } from '../../src/store/analyst-sql.ts'
import { incrementDataVersion } from '../../src/store/data-version.ts'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { copyPreparedDatabase } from '../support/database.ts'
import { endProcess, runCommand, startProduct } from '../support/product.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** Accepts every statement, so that the processes here also get those that the statement reader would reject. */
const ACCEPT_ALL = { refusalOf: async () => undefined }
const KEY = 'key_a'
/** No practical time limit, since processes have the lowest priority on a busy machine. */
const LIMITS = { ...ANALYST_LIMITS, seconds: 3_600, atATime: 9, perKey: 9 }
const ENDLESS = 'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b'
const LARGE = `select length(repeat('a', 700000000))`

let made: Awaited<ReturnType<typeof copyPreparedDatabase>>
let engine: Engine
let url: string
let database: Database
beforeAll(async () => {
  made = await copyPreparedDatabase()
  engine = await startEngine({ dataDir: path.join(made.dataDir, 'engine'), durable: false })
  url = connectionStringFor(engine.address)
  database = connectDatabase({ url, poolSize: 4 })
})
afterAll(async () => {
  await database.close()
  await engine.stop()
  await made.remove()
})

const versionNow = async () => {
  const [row] = await database.sql<{ version: number }[]>`select version from data_version`
  return row?.version ?? 0
}

/** `seen`: the latest data version that the service knows. */
async function openCopies({ idleMs = 3_600_000 } = {}) {
  const folder = path.join(made.dataDir, 'analysts')
  const state = {
    now: Temporal.Instant.from('2026-11-20T10:00:00Z'),
    seen: await versionNow(),
    problems: [] as string[],
  }
  const processes = analystProcesses({
    ...{ url, engineFolder: path.join(made.dataDir, 'engine'), folder, idleMs },
    dataVersion: { current: () => state.seen },
    clock: { now: () => state.now },
    onProblem: (_err, what) => state.problems.push(what),
  })
  return {
    state,
    folder,
    processes,
    copies: () => (existsSync(folder) ? readdirSync(folder) : []),
    sql: analystSql(processes, { reader: ACCEPT_ALL, limits: LIMITS }),
    [Symbol.asyncDispose]: () => processes[Symbol.asyncDispose](),
  }
}

describe('a database copy for analysts', () => {
  it('is consistent although the database is written to meanwhile', async () => {
    const { sql } = database
    await sql`create table accounts as select n as id, 100 as amount from generate_series(1, 20000) n`
    const stop = new AbortController()
    const writing = (async () => {
      for (let n = 1; !stop.signal.aborted; n++)
        await sql.begin(async (tx) => {
          await tx`update accounts set amount = amount - 1 where id % 7 = ${n % 7}`
          await tx`update accounts set amount = amount + 1 where id % 7 = ${n % 7}`
          await tx`insert into accounts values (${-n}, 0)`
          if (n % 5 === 0) await tx`insert into accounts select -n, 0 from generate_series(1000000, 1001000) n`
        })
    })()
    const folder = path.join(made.dataDir, 'consistent')
    await mkdir(folder)
    await makeAnalystCopy({ url, engineFolder: path.join(made.dataDir, 'engine'), folder })
    stop.abort()
    await writing
    await using copied = await startEngine({ dataDir: folder, durable: false })
    await using found = connectDatabase({ url: connectionStringFor(copied.address), poolSize: 1 })
    const [row] = await found.sql`
      select sum(amount)::int as amount, count(*) filter (where id between -999999 and 0)::int as transactions,
        -min(id) filter (where id between -999999 and 0) as last from accounts`
    expect(row).toEqual({ amount: 2_000_000, transactions: row?.last, last: row?.last })
    await sql`drop table accounts`
  })
})

describe('analyst processes', () => {
  it('copy the database on demand, delete the copy when idle, and leave no folder on shutdown', async () => {
    {
      await using opened = await openCopies({ idleMs: 1 })
      expect(opened.copies()).toEqual([])
      const { rows, dataVersion } = await opened.sql.run('select session_user, current_user', KEY)
      expect({ rows, dataVersion }).toEqual({ rows: [['analyst', 'analyst']], dataVersion: await versionNow() })
      await expect.poll(opened.copies).toEqual([])
      expect((await opened.sql.run('select 2', KEY)).rows).toEqual([['2']])
    }
    expect(existsSync(path.join(made.dataDir, 'analysts'))).toBe(false)
  })

  it('delete the copies of a service that was killed', async () => {
    const folder = path.join(made.dataDir, 'analysts')
    await mkdir(path.join(folder, 'copy-old'), { recursive: true })
    await writeFile(path.join(folder, 'copy-old/file'), 'left')
    await using opened = await openCopies()
    await expect.poll(opened.copies).toEqual([])
  })

  it('read newer data once the copy is a minute old and the data have changed', async () => {
    await using opened = await openCopies()
    const { state, sql } = opened
    const versionOf = async () => (await sql.run('select 1', KEY)).dataVersion
    const first = await versionOf()
    await incrementDataVersion(database.sql)
    state.seen = first + 1
    state.now = state.now.add({ seconds: 59 })
    expect(await versionOf()).toBe(first)
    state.now = state.now.add({ seconds: 1 })
    expect(await versionOf()).toBe(first + 1)
    const copies = opened.copies()
    state.now = state.now.add({ hours: 24 })
    expect(await versionOf()).toBe(first + 1)
    expect(opened.copies()).toEqual(copies)
    expect(copies).toHaveLength(1)
  })

  it('finish a statement on the copy it began with', async () => {
    await using opened = await openCopies()
    const { state, sql } = opened
    const stream = sql.stream('select n from generate_series(1, 3000) n', KEY)
    const first = await stream.next()
    await incrementDataVersion(database.sql)
    state.seen += 1
    state.now = state.now.add({ minutes: 1 })
    expect((await sql.run('select 1', KEY)).dataVersion).toBe(state.seen)
    let rows = first.value?.rows.length ?? 0
    for await (const part of stream) {
      rows += part.rows.length
      expect(part.dataVersion).toBe(state.seen - 1)
    }
    expect(rows).toBe(3000)
    await expect.poll(opened.copies).toHaveLength(1)
  })

  it('are killed at their limits, and the next statement succeeds', async () => {
    await using opened = await openCopies()
    const short = analystSql(opened.processes, { reader: ACCEPT_ALL, limits: { ...LIMITS, seconds: 1 } })
    await expect(short.run(ENDLESS, KEY)).rejects.toThrow('takes longer than 1 seconds')
    await expect(opened.sql.run(LARGE, KEY)).rejects.toThrow('takes more than 512 MB of memory')
    const deep = `select '${'['.repeat(200_000)}'::jsonb`
    await expect(opened.sql.run(deep, KEY)).rejects.toThrow(/nested too deeply/)
    expect(opened.state.problems).toEqual(['a query has ended the copy of the database that it ran on'])
    expect((await opened.sql.run('select 7', KEY)).rows).toEqual([['7']])
  })

  it('run four statements at a time and refuse a fifth; endless ones block no other', async () => {
    await using opened = await openCopies()
    const short = analystSql(opened.processes, { reader: ACCEPT_ALL, limits: { ...LIMITS, seconds: 2 } })
    const endless = [1, 2, 3].map(() => short.run(ENDLESS, KEY).catch((err: Error) => err.message))
    const fourth = opened.sql.run('select 4', KEY)
    await expect(opened.sql.run('select 5', KEY)).rejects.toThrow(TooManyStatements)
    expect((await fourth).rows).toEqual([['4']])
    expect(await Promise.all(endless)).toEqual(Array(3).fill('takes longer than 2 seconds'))
  })
})

describe('a first start of the product', () => {
  it('answers SQL over HTTP and MCP; the start after a kill deletes the copies', async () => {
    await using stack = new AsyncDisposableStack()
    const dataDir = await scratchFolder(stack)
    const env = { CLOCK: '2026-10-25T14:30:00Z', SAMPLE_DATA: 'off' }
    const copies = path.join(dataDir, 'analysts')
    const first = await startProduct({ dataDir, env })
    const issue = ['create', '--plan', 'Trading', '--owner', 'a test', '--json']
    const issued = await runCommand({ DATA_DIR: dataDir }, 'keys.ts', ...issue)
    const headers = {
      authorization: `Bearer ${JSON.parse(issued).key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const post = (pathname: string, body: object) =>
      fetch(new URL(pathname, first.url), { method: 'POST', headers, body: JSON.stringify(body) })
    expect(existsSync(copies)).toBe(false)
    // The service accepts a key within a second of its creation; on a busy machine a query may time out.
    await expect.poll(async () => (await post('/v1/sql', { sql: 'select 1 as one' })).status).toBe(200)
    const call = { name: 'postSql', arguments: { body: { sql: 'select count(*) as zones from zones' } } }
    const tool = () => post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
    await expect.poll(async () => (await tool()).text()).toMatch(/zones[^0-9]*8/)

    const endless = post('/v1/sql', { sql: ENDLESS })
    expect(readdirSync(copies)).toHaveLength(1)
    await Promise.all([endProcess(first.process, 'SIGKILL'), expect(endless).rejects.toThrow()])
    const second = await startProduct({ dataDir, env })
    await expect.poll(() => existsSync(copies)).toBe(false)
    await endProcess(second.process, 'SIGTERM')
  })
})
