import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync, watch } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EngineInUse, findRunningEngine, startEngine } from '../../../src/platform/engine/engine.ts'
import { endProcess } from '../../support/product.ts'
import { connectTo, preparedFolders } from './engine-fixture.ts'
import { RawClient } from './raw-client.ts'

const ENGINE_MAIN = path.join(import.meta.dirname, '../../faults/engine-main.ts')

const folderOfTest = await preparedFolders()

describe('the lifecycle of an engine', () => {
  let dataDir: string
  const children: ChildProcess[] = []
  beforeEach(() => {
    dataDir = folderOfTest()
  })
  afterEach(async () => {
    for (const child of children.splice(0)) await endProcess(child, 'SIGKILL')
  })

  function startProcess() {
    const child = spawn(process.execPath, [ENGINE_MAIN, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
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
    const child = startProcess()
    await once(child.stdout, 'data')
    await expect(startEngine({ dataDir })).rejects.toThrow(`${dataDir} is in use by process ${child.pid}`)
    const address = await findRunningEngine(dataDir)
    expect(address?.pid).toBe(child.pid)
    await endProcess(child, 'SIGKILL')
    expect(await findRunningEngine(dataDir)).toBeUndefined()
    await (await startEngine({ dataDir })).stop()
  })

  test('a first start that is killed half-way can be repeated', async () => {
    await rm(dataDir, { recursive: true })
    mkdirSync(dataDir)
    const begun = Promise.withResolvers<void>()
    const watcher = watch(dataDir, (_, name) => name === 'pgdata.new' && begun.resolve())
    const child = startProcess()
    await begun.promise
    watcher.close()
    await endProcess(child, 'SIGKILL')
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
    await client.run('create table notes (text text)', 'begin', "insert into notes values ('open')")
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
