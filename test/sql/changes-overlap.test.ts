/** Overlapping transactions: positions appear in commit order, and gaps are never filled later. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type ChangeStore, changeStore, recordChanges } from '../../src/store/changes.ts'
import type { Database } from '../../src/store/database.ts'
import { isEmbedded, testDatabase } from '../support/database.ts'
import { startPlainServer, untilBlockedByLock } from '../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../support/postgres-cluster.ts'

const WRITERS = 6
const CHANGES_EACH = 25
const AT = Temporal.Instant.from('2026-11-21T12:00:00Z')

async function writer({ sql }: Database, name: number): Promise<number> {
  let committed = 0
  for (let n = 0; n < CHANGES_EACH; n++) {
    const late = (i: number) => ({ kind: 'source.late' as const, dataset: 'sources' as const, details: { name, n, i } })
    const isUndone = (n + name) % 4 === 0
    await sql
      .begin(async (tx) => {
        await recordChanges(
          tx,
          Array.from({ length: 1 + (n % 3) }, (_, i) => late(i)),
          { sources: [], at: AT },
        )
        await pause((n * 7 + name) % 5)
        if (isUndone) throw new Error('undone')
      })
      .then(() => {
        committed += 1 + (n % 3)
      })
      .catch((err: Error) => expect(err.message).toBe('undone'))
  }
  return committed
}

/** Reads from the last position as a client does, until it has seen that many changes. */
async function read(store: ChangeStore, count: () => number | undefined): Promise<number[]> {
  const seen: number[] = []
  for (let position = 0; seen.length !== count(); ) {
    const { changes, next } = await store.after(position, { limit: 7 })
    seen.push(...changes.map((change) => change.position))
    position = next
  }
  return seen
}

async function expectNothingMissed(database: Database): Promise<void> {
  let total: number | undefined
  const reading = read(changeStore(database.sql), () => total)
  const committed = await Promise.all(Array.from({ length: WRITERS }, (_, name) => writer(database, name)))
  total = committed.reduce((sum, each) => sum + each, 0)
  expect(await reading).toEqual(Array.from({ length: total }, (_, i) => i + 1))
}

it.runIf(isEmbedded)('a reader of the embedded database misses nothing', async () => {
  await using db = await testDatabase()
  await expectNothingMissed(db.database)
})

describe.skipIf(!hasPostgres)(needsPostgres('on a server'), () => {
  it('a reader misses nothing, in any order of commits', async () => {
    await using server = await startPlainServer({ poolSize: WRITERS + 2 })
    await expectNothingMissed(server.database)
  })

  it('a transaction that records later also commits later', async () => {
    await using server = await startPlainServer({ poolSize: 4 })
    const { sql } = server.database
    const store = changeStore(sql)
    const one = { kind: 'source.late' as const, dataset: 'sources' as const, details: {} }
    let second: Promise<void> | undefined
    await sql.begin(async (tx) => {
      await recordChanges(tx, [one], { sources: [], at: AT })
      second = sql.begin((other) => recordChanges(other, [one], { sources: [], at: AT })).then(() => undefined)
      await untilBlockedByLock(server.database)
      expect((await store.after(0, { limit: 10 })).changes).toEqual([])
    })
    await second
    expect((await store.after(0, { limit: 10 })).changes.map(({ position }) => position)).toEqual([1, 2])
  })
})
