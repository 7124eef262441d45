/** Ordered exports of a running product: ordered over HTTP, and complete even if the product is killed during an export. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { endProcess, type Product, startProduct } from '../support/product.ts'
import { untilPartialFile } from '../support/unfinished-file.ts'

const FIRST = Temporal.PlainDate.from('2026-01-01')
const DAYS = Array.from({ length: 90 }, (_, i) => FIRST.add({ days: i }).toString())
/** Including a day of 23 hours. */
const ROWS = STORED_ZONES.length * (DAYS.length * 96 - 4)
const ORDER = { dataset: 'pun-hourly', from: '2026-01-01', to: '2026-03-31', format: 'csv.gz' }

interface Order {
  id: string
  state: string
  rows: number
  bytes: number
  sha256: string
  download_url: string
}

const copy = await productDatabaseOfFile()
const folder = path.join(copy.dataDir, 'files')
await mkdir(folder)
const env = {
  ...copy.env,
  CLOCK: '2026-04-01T02:00:00Z',
  SAMPLE_DATA: 'off',
  GME_MGP_REDISTRIBUTABLE: 'true',
  SECRETS_KEY: randomBytes(32).toString('base64'),
  BULK_DIR: folder,
}
let key: string
let product: Product
beforeAll(async () => {
  await using opened = await copy.open(2)
  await storePrices(
    opened.database.sql,
    STORED_ZONES.flatMap((zone) => DAYS.map((day) => zoneDay(zone, day, 15, (quarter) => quarter / 4))),
  )
  key = (await seedApiKey(opened.database.sql, { plan: 'Enterprise' })).key
})
afterAll(async () => {
  await endProcess(product.process, 'SIGTERM')
})

async function callExports(pathname: string, method = 'GET', body?: object) {
  const answer = await fetch(new URL(`/v1/bulk/exports${pathname}`, product.url), {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: answer.status, order: (answer.status === 204 ? {} : await answer.json()) as Order }
}
const order = async () => (await callExports('', 'POST', ORDER)).order
const unfinished = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'))

async function ready(id: string): Promise<Order> {
  await expect.poll(async () => (await callExports(`/${id}`)).order.state).toBe('ready')
  return (await callExports(`/${id}`)).order
}

async function expectComplete({ download_url: url, sha256, bytes, rows }: Order): Promise<void> {
  const content = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
  expect(gunzipSync(content).toString().trimEnd().split('\r\n')).toHaveLength(rows + 1)
  expect(rows).toBe(ROWS)
}

describe('an export to order', () => {
  it('is whole although the product is killed while it is made', async () => {
    product = await startProduct({ dataDir: copy.dataDir, env })
    const begun = untilPartialFile(folder)
    const { id } = await order()
    await begun
    await endProcess(product.process, 'SIGKILL')
    product = await startProduct({ dataDir: copy.dataDir, env })
    expect(['queued', 'running', 'ready']).toContain((await callExports(`/${id}`)).order.state)
    await expectComplete(await ready(id))
    await expect.poll(unfinished).toEqual([])
  })

  it('that is deleted while it runs returns 404 and leaves no file', async () => {
    const before = await readdir(folder)
    const begun = untilPartialFile(folder)
    const { id } = await order()
    await begun
    expect((await callExports(`/${id}`, 'DELETE')).status).toBe(204)
    await expect.poll(unfinished).toEqual([])
    expect((await callExports(`/${id}`)).status).toBe(404)
    expect(await readdir(folder)).toEqual(before)
  })
})
