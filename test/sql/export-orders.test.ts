/** Processing of ordered exports: retried after failures and kills, by one attempt at a time; files expire; in S3 as in a folder. */
import { readdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeOrderedFile } from '../../jobs/make-files.ts'
import { planExports } from '../../jobs/plan-exports.ts'
import type { FileStore } from '../../src/delivery/bulk/file-store.ts'
import { s3Store } from '../../src/delivery/bulk/s3-store.ts'
import { Secret } from '../../src/platform/secret.ts'
import {
  completeExportOrder,
  type ExportOrder,
  findExportOrder,
  insertExportOrder,
  recordOrderProgress,
  startExportOrder,
} from '../../src/store/export-orders.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { databaseOfFile } from '../support/database.ts'
import { linesOf } from '../support/lines.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'
import { testContext } from '../support/test-context.ts'

const NOW = Temporal.Instant.from('2026-11-21T10:00:00Z')
const ROOT = 'key_0000000000aa'
const CREDENTIALS = { id: 'an-access-key', secret: 'not-a-secret-of-anybody' }
const ORDER = { dataset: 'pun-hourly', format: 'parquet', firstDay: '2026-10-25', lastDay: '2026-10-25' } as const

let now = NOW
const db = await databaseOfFile()
const { sql } = db.database
const folder = await scratchFolderOfFile()
const ctx = await testContext(db, () => now, { BULK_DIR: folder })
beforeAll(async () => {
  await ctx.queue.depths() // opens it: before that, a server's database lacks its tables
  await seedApiKey(sql, { id: ROOT, plan: 'Enterprise' })
  await sql`update sources set redistributable = true`
  await storePrices(sql, [zoneDay('nord', '2026-10-25', 15, (n) => n)])
})
afterAll(() => ctx.stop())
beforeEach(async () => {
  now = NOW
  await sql`delete from export_orders`
  await sql`delete from pgboss.job where name = 'bulk.order'`
})

const storeOn = ({ endpoint }: S3Server) =>
  s3Store({
    ...{ bucket: 'energy', prefix: 'bulk/', region: 'eu-south-1', endpoint: new URL(endpoint), pathStyle: true },
    credentials: { id: CREDENTIALS.id, secret: new Secret(CREDENTIALS.secret) },
  })
const signal = new AbortController().signal
async function placeOrder(id = 'exp_0000000000000001'): Promise<string> {
  const order = { ...ORDER, id, parts: null, columns: null, asOf: null, requestedAt: now }
  expect(await insertExportOrder(sql, ROOT, order, 99)).toBe(true)
  return id
}
const fill = (id: string, files: FileStore = ctx.files) =>
  makeOrderedFile.run({ payload: { id }, ctx: { ...ctx, files }, signal })
const plan = () => planExports.run({ payload: { missing: false }, ctx, signal })
const find = async (id: string) => (await findExportOrder(sql, ROOT, id)) as ExportOrder
const queued = async () => linesOf(await sql`select data->>'id' from pgboss.job where name = 'bulk.order' order by 1`)

describe('an attempt at an order', () => {
  it('that fails is retried, and the fifth failure fails the order', async () => {
    await using s3 = await startS3Server(CREDENTIALS)
    s3.refuseUploads(true)
    using files = storeOn(s3)
    const id = await placeOrder()
    for (let attempt = 1; attempt <= 5; attempt++) {
      await expect(fill(id, files)).rejects.toThrow()
      expect(await find(id)).toMatchObject({ state: attempt < 5 ? 'queued' : 'failed', attempts: attempt, name: null })
    }
    const { problem, endedAt } = await find(id)
    expect({ problem, endedAt }).toEqual({ problem: expect.stringContaining('Order it again'), endedAt: NOW })
    await fill(id)
    expect((await find(id)).state).toBe('failed')
  })

  it('whose process was killed is followed by one that completes the order', async () => {
    const id = await placeOrder()
    await startExportOrder(sql, id, now)
    await fill(id)
    expect(await find(id)).toMatchObject({ state: 'ready', attempts: 2, rows: 100, percent: 100 })
    await fill(id)
    expect((await find(id)).attempts).toBe(2)
  })

  it('that has been superseded can no longer record anything', async () => {
    const id = await placeOrder()
    const first = (await startExportOrder(sql, id, now)) as ExportOrder
    const second = (await startExportOrder(sql, id, now)) as ExportOrder
    const file = { name: 'a.parquet', rows: 1, bytes: 1, sha256: 'a'.repeat(64), sourceIds: ['gme-mgp'] }
    const until = { at: now, expiresAt: now.add({ hours: 24 }) }
    expect(await recordOrderProgress(sql, first, { rows: 5, percent: 50 })).toBe(false)
    expect(await completeExportOrder(sql, first, file, until)).toBe(false)
    expect(await recordOrderProgress(sql, second, { rows: 7, percent: 70 })).toBe(true)
    expect(await find(id)).toMatchObject({ state: 'running', rows: 7, percent: 70 })
    expect(await completeExportOrder(sql, second, file, until)).toBe(true)
  })
})

describe('the planner', () => {
  it('requeues orders that are waiting or whose process is gone', async () => {
    await placeOrder('exp_0000000000000001')
    await placeOrder('exp_0000000000000002')
    await startExportOrder(sql, 'exp_0000000000000002', now)
    await plan()
    expect(await queued()).toEqual(['exp_0000000000000001'])
    now = NOW.add({ minutes: 31 })
    await plan()
    expect(await queued()).toEqual(['exp_0000000000000001', 'exp_0000000000000002'])
  })

  it('removes files after a day and orders after a week', async () => {
    const id = await placeOrder()
    await fill(id)
    const { name } = await find(id)
    now = NOW.add({ hours: 24 }).subtract({ milliseconds: 1 })
    await plan()
    expect(await readdir(folder)).toContain(name)
    now = NOW.add({ hours: 24 })
    await plan()
    expect(await readdir(folder)).not.toContain(name)
    expect(await find(id)).toMatchObject({ state: 'expired', name: null, rows: 100 })
    now = NOW.add({ hours: 24 * 7, milliseconds: 1 })
    await plan()
    expect(await findExportOrder(sql, ROOT, id)).toBeUndefined()
  })
})

it('files of orders survive the cleanup of the store', async () => {
  const [first, second] = [await placeOrder('exp_0000000000000001'), await placeOrder('exp_0000000000000002')]
  await fill(first)
  const { name } = await find(first)
  const old = new Date(Date.now() - 2 * 3_600_000)
  await utimes(path.join(folder, name ?? ''), old, old)
  await fill(second)
  expect(await readdir(folder)).toEqual(expect.arrayContaining([name, (await find(second)).name]))
})

it('files of orders are stored in S3 if the store is S3', async () => {
  await using s3 = await startS3Server(CREDENTIALS)
  using files = storeOn(s3)
  const id = await placeOrder()
  await fill(id, files)
  const { name, bytes } = await find(id)
  expect(await files.has({ name: name ?? '', bytes: bytes ?? 0 })).toBe(true)
  const url = await files.presign?.(name ?? '', { mediaType: 'application/octet-stream', filename: 'a' }, 60)
  const answer = await fetch(url ?? '')
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, bytes])
})
