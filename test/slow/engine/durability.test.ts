import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../models/numeric/random.ts'
import { connectionStringFor, findRunningEngine } from '../../../src/platform/engine/engine.ts'
import { connectSql, type Sql } from '../../../src/store/connect-sql.ts'
import { preparedFolders } from '../../e2e/engine/engine-fixture.ts'
import type { HeldSyncsCommand, HeldSyncsEvent } from '../../support/power-loss/held-syncs.ts'
import { type Acknowledged, cutPower, findMissingCommits, type Loss } from '../../support/power-loss/power-loss.ts'
import { endProcess } from '../../support/product.ts'
import { repetitions } from '../../support/repetitions.ts'

const ENGINE_MAIN = path.join(import.meta.dirname, '../../faults/engine-main.ts')
const HELD_SYNCS = path.join(import.meta.dirname, '../../support/power-loss/held-syncs.ts')

type FourClients = [Sql, Sql, Sql, Sql]

const folderOfTest = await preparedFolders()
let folder: string
beforeEach(() => {
  folder = folderOfTest()
})

describe('a commit', () => {
  let engine: ChildProcess
  let clients: Sql[] = []

  async function start(durability: 'on' | 'off'): Promise<FourClients> {
    engine = fork(ENGINE_MAIN, [folder, durability], {
      execArgv: ['--import', HELD_SYNCS],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    await once(engine.stdout as NodeJS.ReadableStream, 'data')
    const address = await findRunningEngine(folder)
    if (!address) throw new Error('the engine is not there')
    const connect = () => connectSql(connectionStringFor(address), { poolSize: 1 })
    const four = [connect(), connect(), connect(), connect()] as FourClients
    clients = four
    await four[0]`create table notes (id int)`
    engine.send('hold' satisfies HeldSyncsCommand)
    await received('holding')
    return four
  }
  afterEach(async () => {
    await Promise.all(clients.map((sql) => sql.end({ timeout: 0 })))
    await endProcess(engine, 'SIGKILL')
  })

  async function received(expected: HeldSyncsEvent): Promise<void> {
    expect(await once(engine, 'message')).toEqual([expected, undefined])
  }

  test('is acknowledged after its sync; waiting commits share one sync, and reads continue', async () => {
    const [first, second, third, reader] = await start('on')
    const acknowledged: number[] = []
    const insert = (sql: Sql, id: number) => sql`insert into notes values (${id})`.then(() => acknowledged.push(id))

    const synced = received('asked')
    const one = insert(first, 1)
    await Promise.race([synced, one])
    expect(acknowledged).toEqual([])

    const others = [insert(second, 2), insert(third, 3)]
    await expect.poll(() => reader`select id from notes order by id`).toHaveLength(3)
    expect(acknowledged).toEqual([])

    const syncedAgain = received('asked')
    engine.send('release' satisfies HeldSyncsCommand)
    await Promise.all([one, syncedAgain])
    expect(acknowledged).toEqual([1])
    engine.send('release' satisfies HeldSyncsCommand)
    await Promise.all(others)
  })

  test('whose sync fails is never acknowledged, and the engine ends', async () => {
    const [sql] = await start('on')
    const synced = received('asked')
    const insert = sql`insert into notes values (1)`.then(() => 'acknowledged')
    await synced
    engine.send('fail' satisfies HeldSyncsCommand)
    await expect(insert).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await findRunningEngine(folder)).toBeUndefined()
  })

  test('does not wait for a sync if durability is off', async () => {
    const [writer, reader] = await start('off')
    await writer`insert into notes values (1)`
    expect(await reader`select id from notes`).toEqual([{ id: 1 }])
  })
})

test('no acknowledged commit is lost or damaged by repeated power loss', async () => {
  const acknowledged: Acknowledged = new Map()
  const losses: Loss[] = ['everything', ...Array<Loss>(repetitions(1, 5)).fill('at random')]
  for (const [round, loss] of losses.entries()) {
    const random = seededRandom(round)
    await cutPower({ folder, at: 3_000 + Math.floor(2_000 * random()), loss, random }, acknowledged)
    expect(await findMissingCommits(folder, acknowledged)).toEqual([])
  }
  expect([...acknowledged.keys()].sort()).toEqual([
    'counters/1',
    'counters/2',
    'counters/3',
    'entries/1',
    'entries/2',
    'entries/3',
    'prices',
    'tables',
  ])
})
