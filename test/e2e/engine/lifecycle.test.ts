import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync, watch } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EngineInUse, findRunningEngine, startEngine } from '../../../src/platform/engine/engine.ts'
import { query } from '../../../src/platform/engine/messages.ts'
import { connectTo, temporaryFolder } from './engine-fixture.ts'
import { RawClient } from './raw-client.ts'

const INSERTING_PROCESS = path.join(import.meta.dirname, 'inserting-process.ts')

describe('the lifecycle of an engine', () => {
  let dataDir: string
  let remove: () => Promise<void>
  const children: ChildProcess[] = []
  /** A folder in which a first start is done, to save time in the tests. */
  let prepared: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    prepared = await temporaryFolder()
    await (await startEngine({ dataDir: prepared.folder })).stop()
  })
  afterAll(() => prepared.remove())

  beforeEach(async () => {
    const temporary = await temporaryFolder()
    dataDir = path.join(temporary.folder, 'data')
    remove = temporary.remove
    await cp(prepared.folder, dataDir, { recursive: true })
  })
  afterEach(async () => {
    for (const child of children.splice(0)) await kill(child)
    await remove()
  })

  function startProcess(...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [INSERTING_PROCESS, dataDir, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }

  test('a second start on the same folder is refused, in the same process', async () => {
    await using engine = await startEngine({ dataDir })
    await expect(startEngine({ dataDir })).rejects.toThrow(EngineInUse)
    await expect(startEngine({ dataDir })).rejects.toThrow(`${dataDir} is in use by process ${process.pid}`)
    expect(await findRunningEngine(dataDir)).toEqual(engine.address)
    const sql = connectTo(engine)
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
    await sql.end()
  })

  test('a second start is refused while another process uses the folder, whose engine can be found', async () => {
    const child = startProcess('start-only')
    await lines(child).next()
    await expect(startEngine({ dataDir })).rejects.toThrow(`${dataDir} is in use by process ${child.pid}`)
    const address = await findRunningEngine(dataDir)
    expect(address?.pid).toBe(child.pid)
    await kill(child)
    expect(await findRunningEngine(dataDir)).toBeUndefined()
    await (await startEngine({ dataDir })).stop()
  })

  test('no acknowledged insert is lost in three consecutive SIGKILLs', async () => {
    for (let round = 1; round <= 3; round++) {
      const child = startProcess()
      const acknowledged = await numbersUntilKilled(child, round * 150)
      await using engine = await startEngine({ dataDir })
      const sql = connectTo(engine)
      const ids = (await sql`select id from acknowledged order by id`).map((row) => row.id)
      await sql.end()
      expect(ids).toEqual(Array.from(ids, (_, index) => index + 1))
      // The last insert may have been committed without its number being read.
      expect(ids.length).toBeGreaterThanOrEqual(acknowledged)
      expect(ids.length).toBeLessThanOrEqual(acknowledged + 1)
    }
  })

  test('a first start that is killed half-way can be repeated', async () => {
    await rm(dataDir, { recursive: true })
    mkdirSync(dataDir)
    const begun = Promise.withResolvers<void>()
    const watcher = watch(dataDir, (_, name) => name === 'pgdata.new' && begun.resolve())
    const child = startProcess('start-only')
    await begun.promise
    watcher.close()
    await kill(child)
    expect(existsSync(path.join(dataDir, 'pgdata'))).toBe(false)
    await (await startEngine({ dataDir })).stop()
  })

  test('its folders are private to the user, and a path too long for a socket works', async () => {
    dataDir = path.join(dataDir, 'long'.repeat(30))
    const engine = await startEngine({ dataDir })
    const socketFolder = path.dirname(engine.address.socketPath)
    for (const folder of [dataDir, path.join(dataDir, 'pgdata'), socketFolder]) {
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    }
    const sql = connectTo(engine)
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
    await sql.end()
    await engine.stop()
    expect(existsSync(socketFolder)).toBe(false)
  })

  test('a stop rolls back open transactions, notifies the clients and releases the folder', async () => {
    const engine = await startEngine({ dataDir })
    const client = await RawClient.open(engine)
    client.send(query('create table notes (text text)'), query('begin'), query("insert into notes values ('open')"))
    for (let i = 0; i < 3; i++) await client.readUntil('Z')
    const farewell = client.terminationError()
    await engine.stop()
    expect(await farewell).toBe('57P01')
    expect(await findRunningEngine(dataDir)).toBeUndefined()
    await using again = await startEngine({ dataDir })
    const sql = connectTo(again)
    expect(await sql`select * from notes`).toEqual([])
    await sql.end()
  })

  test('a crash of the database is reported, and the next start recovers', async () => {
    const engine = await startEngine({ dataDir })
    const sql = connectTo(engine)
    await sql`create table notes as select 'kept' as text`
    await sql`create function without_end(n int) returns int language sql as 'select without_end(n + 1)'`
    await sql`select without_end(1)`.catch(() => undefined)
    expect((await engine.crashed).message).toContain('The embedded database failed')
    await sql.end({ timeout: 0 })
    await using again = await startEngine({ dataDir })
    const sqlAgain = connectTo(again)
    expect(await sqlAgain`select text from notes`).toEqual([{ text: 'kept' }])
    await sqlAgain.end()
    await engine.stop()
  })
})

function lines(child: ChildProcess): AsyncIterator<string> {
  if (!child.stdout) throw new Error('the process has no output to read')
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]()
}

/** Kills the process at the given number; returns the last number it printed. */
async function numbersUntilKilled(child: ChildProcess, number: number): Promise<number> {
  let last = 0
  const output = lines(child)
  for (let line = await output.next(); !line.done; line = await output.next()) {
    if (line.value !== 'started') last = Number(line.value)
    if (last >= number) child.kill('SIGKILL')
  }
  return last
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
