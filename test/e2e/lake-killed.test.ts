/**
 * A process that is killed at any moment while it publishes the lake: readers of the table, in a folder or in S3, and of the list see a
 * complete snapshot. Each night sets all prices to a new number, so that a snapshot that mixes two nights has two prices.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import { lakeListing } from '../../src/store/lake-files.ts'
import { databaseOfFile, isEmbedded } from '../support/database.ts'
import { icebergRows, icebergTable } from '../support/iceberg.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import type { LakeRun } from '../support/publish-lake-process.ts'
import { repetitions } from '../support/repetitions.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'

const PROGRAM = path.join(import.meta.dirname, '../support/publish-lake-process.ts')
const DAYS = ['2025-10-26', '2026-03-29', '2026-10-25']
const ROWS = 2 * (100 + 92 + 100)
const S3 = { id: 'an-access-key', secret: 'not-a-secret-of-anybody' }
const KILLS = repetitions(3, 10)

const db = await databaseOfFile()
const { sql } = db.database
let folder: string
let s3: S3Server
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-test-'))
  s3 = await startS3Server(S3)
  await sql`delete from lake_files`
  await sql`delete from lake_snapshots`
})
afterEach(async () => {
  await s3[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const STORES = {
  folder: {
    of: () => ({}),
    table: () => folderStore(folder).uri('lake/pun-hourly'),
    data: () => readdir(path.join(folder, 'lake/pun-hourly/data')),
  },
  S3: {
    of: () => ({ s3: { endpoint: s3.endpoint, ...S3 } }),
    table: () => 's3://energy/bulk/lake/pun-hourly',
    data: async () =>
      [...s3.objects.keys()].filter((key) => key.includes('/data/')).map((key) => path.posix.basename(key)),
  },
}

const priceOf = (value: number) =>
  storePrices(
    sql,
    (['nord', 'sud'] as const).flatMap((zone) => DAYS.map((day) => zoneDay(zone, day, 15, () => value))),
    { source: 'sample' },
  )

describe.each(Object.entries(STORES))('in %s', (_name, store) => {
  it(`${KILLS} kills leave whole snapshots, and the next run the latest state`, async () => {
    const night = (n: number): LakeRun => ({
      ...{ databaseUrl: db.url, isServer: !isEmbedded, folder, ...store.of() },
      now: Temporal.Instant.from('2026-10-26T03:40:00Z')
        .add({ hours: 24 * n })
        .toString(),
    })
    await priceOf(0)
    const whole = await run(night(0))
    const seen: number[] = []
    let kills = 0
    for (let n = 1; n <= KILLS || kills === 0; n++) {
      await priceOf(n)
      const { ms, storedAfter } = whole
      const { wasKilled } = await run(night(n), { afterFirstFile: ((ms - storedAfter) * ((n - 1) % KILLS)) / KILLS })
      kills += wasKilled ? 1 : 0
      seen.push(await priceSeen(store))
    }
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    await run(night(seen.length + 1))
    expect(await priceSeen(store)).toBe(seen.length)
    expect(await readdir(folder)).toEqual(store === STORES.folder ? ['lake'] : [])
  })

  /** Returns the price in the table; all rows must have the same one, and so must the files in the list. */
  async function priceSeen({ table, data }: typeof store): Promise<number> {
    const rows = await icebergRows(table(), { s3 })
    expect(rows).toHaveLength(ROWS)
    const [price, ...others] = [...new Set(rows.map((row) => row.eur_mwh))]
    expect(others).toEqual([])

    const listing = await lakeListing(sql, 'pun-hourly', {})
    const stored = await data()
    expect(listing?.files.filter(({ name }) => !stored.includes(name))).toEqual([])
    expect(listing?.files.reduce((sum, file) => sum + file.rows, 0)).toBe(ROWS)
    const listed = new Set(listing?.files.flatMap(({ statistics }) => [statistics[3]?.min, statistics[3]?.max]))
    expect(listed.size).toBe(1)

    for (const snapshot of (await icebergTable(table(), s3)).snapshots ?? []) {
      const earlier = await icebergRows(table(), { s3, snapshotId: snapshot['snapshot-id'] })
      expect([earlier.length, new Set(earlier.map((row) => row.eur_mwh)).size]).toEqual([ROWS, 1])
    }
    return price as number
  }

  /** Runs the process to its end, or kills it `afterFirstFile` ms after it has stored its first file; returns the durations. */
  async function run(of: LakeRun, kill?: { afterFirstFile: number }) {
    const before = (await store.data().catch(() => [])).length
    const started = performance.now()
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(of)], { stdio: ['ignore', 'ignore', 'inherit'] })
    const exited = once(child, 'exit')
    let storedAfter: number | undefined
    const watch = setInterval(async () => {
      if (storedAfter !== undefined || (await store.data().catch(() => [])).length === before) return
      storedAfter = performance.now() - started
      if (kill !== undefined) setTimeout(() => child.kill('SIGKILL'), kill.afterFirstFile)
    }, 1)
    const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null]
    clearInterval(watch)
    expect(kill === undefined ? [0] : [0, null]).toContain(code)
    return {
      ms: performance.now() - started,
      storedAfter: storedAfter ?? 0,
      wasKilled: signal === 'SIGKILL',
    }
  }
})
