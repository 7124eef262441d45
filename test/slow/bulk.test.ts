/** Bulk export files, created and served by real processes: after a kill, with two processes, and with an external store. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BULK_FORMATS } from '../../src/api/contract/bulk.ts'
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import { publishFile } from '../../src/delivery/bulk/publish-files.ts'
import { urlSigner } from '../../src/delivery/bulk/url-signer.ts'
import { MARKET_ZONES } from '../../src/market/zones.ts'
import { Secret } from '../../src/platform/secret.ts'
import type { BulkFile } from '../../src/store/bulk-files.ts'
import type { Sql } from '../../src/store/database.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { isEmbedded, productDatabaseOfFile } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { endProcess, type Product, startProduct } from '../support/product.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'

const FIRST = Temporal.PlainDate.from('2026-03-15')
const DAYS = Array.from({ length: 15 }, (_, i) => FIRST.add({ days: i }).toString())
/** 04:50 on the day of 23 hours: the nightly files are due. */
const NIGHT = '2026-03-29T02:50:00Z'
const S3 = { id: 'an-access-key', secret: 'not-a-secret-of-anybody' }
/** Files are written at the lowest priority, so they take long on a busy machine. */
const POLL_OPTIONS = { interval: 200 }

const copy = await productDatabaseOfFile()
const folder = path.join(copy.dataDir, 'files')
await mkdir(folder)
const env = {
  ...copy.env,
  CLOCK: NIGHT,
  SAMPLE_DATA: 'off',
  BULK_EXPORTS: 'on',
  GME_MGP_REDISTRIBUTABLE: 'true',
  SECRETS_KEY: randomBytes(32).toString('base64'),
  BULK_DIR: folder,
}
/** File of the day before, offered when the nightly export begins. */
let before: BulkFile
let key: string
let product: Product
beforeAll(async () => {
  before = await prepare()
})
afterAll(async () => {
  await stop(product, 'SIGTERM')
})

/** Stores two weeks of prices without forecasts; the last day arrived after the first file. */
async function prepare(): Promise<BulkFile> {
  await using opened = await copy.open(2)
  const { sql } = opened.database
  const store = (days: string[]) =>
    storePrices(
      sql,
      MARKET_ZONES.flatMap((zone) => days.map((day) => zoneDay(zone, day, 15, (quarter) => quarter / 4))),
    )
  await sql`update sources set redistributable = true where id = 'gme-mgp'`
  await store(DAYS.slice(0, -1))
  const { file } = await publishFile(
    { dataset: 'pun-hourly', format: 'parquet' },
    {
      sql,
      databaseUrl: opened.url,
      isServer: !isEmbedded,
      store: folderStore(folder),
      folder,
      now: () => Temporal.Instant.from('2026-03-28T12:00:00Z'),
      signal: new AbortController().signal,
      niceness: 0,
    },
  )
  await store(DAYS.slice(-1))
  key = (await seedApiKey(sql, { plan: 'Enterprise' })).key
  if (file === undefined) throw new Error('there are no rows')
  return file
}

const stop = ({ process: child }: Product, signal: NodeJS.Signals) => endProcess(child, signal)

interface Descriptor {
  sha256: string
  bytes: number
  to: string
  download_url: string
}

/** Returns undefined while there is no file. */
async function getDescriptor(by: Product, format: string): Promise<Descriptor | undefined> {
  const url = new URL(`/v1/bulk/pun-hourly?format=${format}`, by.url)
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  return answer.status === 200 ? ((await answer.json()) as Descriptor) : undefined
}

/** Length and sha256 of a download, as in descriptors. */
async function fetchDownload(url: string | URL | undefined): Promise<{ bytes: number; sha256: string }> {
  const answer = await fetch(url ?? '')
  expect(answer.status).toBe(200)
  return contentOf(Buffer.from(await answer.arrayBuffer()))
}

const contentOf = (content: Buffer) => ({
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
})

const areExportsRunning = (sql: Sql) => async () => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from pgboss.job
    where name in ('bulk.plan', 'bulk.export') and state in ('created', 'retry', 'active')`
  return row?.count
}

const lastDay = async (format: string) => (await getDescriptor(product, format))?.to
const unfinished = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'))

describe('a service that is killed while it writes a file', () => {
  it('leaves the previous file, and an unfinished one that is never offered', async () => {
    product = await startProduct({ dataDir: copy.dataDir, env })
    await using opened = await copy.open()
    const transaction = await opened.database.sql.reserve()
    for (;;) {
      await expect.poll(unfinished, { interval: 2 }).toHaveLength(1)
      await transaction`begin`
      await transaction`lock table price_intervals` // blocks the export before its next rows
      if ((await unfinished()).length === 1) break
      await transaction`rollback` // that file was complete before the lock; there are more
    }
    await stop(product, 'SIGKILL')
    expect(await unfinished()).toHaveLength(1)
    expect(contentOf(await readFile(path.join(folder, before.name)))).toMatchObject({ sha256: before.sha256 })
  })

  it('creates the file after the restart, and offers the previous one until then', async () => {
    product = await startProduct({ dataDir: copy.dataDir, env })
    const days: (string | undefined)[] = []
    const offeredDay = async () => {
      const day = await lastDay('parquet')
      days.push(day)
      return day
    }
    await expect.poll(offeredDay).toBe('2026-03-29')
    expect(['2026-03-28', '2026-03-29']).toEqual(expect.arrayContaining(days))
    if (isEmbedded) expect(product.output()).toMatch(/"queue":"bulk\.export".*"orphaned job requeued"/)
    const offered = await getDescriptor(product, 'parquet')
    expect(await fetchDownload(offered?.download_url)).toEqual({ sha256: offered?.sha256, bytes: offered?.bytes })
  })

  it('leaves no partial file, and URLs of the previous file stay valid', async () => {
    await expect.poll(unfinished, POLL_OPTIONS).toEqual([])
    const expiresAt = Temporal.Instant.from(NIGHT).add({ hours: 1 })
    const address = urlSigner(new Secret(env.SECRETS_KEY ?? ''), []).sign(before.name, expiresAt, product.url)
    expect(await fetchDownload(address)).toEqual({ sha256: before.sha256, bytes: before.bytes })
  })
})

describe('a file that was never made', () => {
  it('is created once for several simultaneous requests', async () => {
    await using opened = await copy.open()
    const { database } = opened
    // The other nightly files are exported later, on request.
    await database.sql`update pgboss.job set state = 'cancelled' where name = 'bulk.export' and state in ('created', 'retry')`
    await expect.poll(areExportsRunning(database.sql), POLL_OPTIONS).toBe(0)
    await database.sql`delete from bulk_files where format = 'arrow'`
    await database.sql`delete from bulk_exports where format = 'arrow'`
    const [before] = await database.sql<{ at: Date }[]>`select now() as at`
    const answers = await Promise.all(Array.from({ length: 8 }, () => getDescriptor(product, 'arrow')))
    expect(answers).toEqual(answers.map(() => undefined))
    await expect.poll(() => lastDay('arrow'), POLL_OPTIONS).toBe('2026-03-29')
    await expect.poll(areExportsRunning(database.sql), POLL_OPTIONS).toBe(0)
    const made = await database.sql`
      select id from pgboss.job
      where name = 'bulk.export' and data ->> 'dataset' = 'pun-hourly' and data ->> 'format' = 'arrow'
        and state = 'completed' and started_on >= ${before?.at ?? ''}`
    expect(made).toHaveLength(1)
  })
})

it('a download URL from one process is valid at another, both ways', async () => {
  await using opened = await copy.open()
  const second = await startProduct({
    dataDir: copy.dataDir,
    env: { ...env, ROLE: 'api', DATABASE_URL: opened.url },
  })
  try {
    for (const [one, other] of [
      [product, second],
      [second, product],
    ] as const) {
      const offered = await getDescriptor(one, 'parquet')
      const url = new URL(offered?.download_url ?? '')
      expect(url.origin).toBe(one.url.origin)
      const there = new URL(url.pathname + url.search, other.url)
      expect(await fetchDownload(there)).toEqual({ sha256: offered?.sha256, bytes: offered?.bytes })
    }
  } finally {
    await stop(second, 'SIGTERM')
  }
})

describe('an S3 store instead of the folder', () => {
  let store: S3Server
  beforeAll(async () => {
    await stop(product, 'SIGTERM')
    store = await startS3Server(S3)
    product = await startProduct({
      dataDir: copy.dataDir,
      env: {
        ...env,
        CLOCK: '2026-03-29T04:50:00Z',
        BULK_S3_BUCKET: 'energy',
        BULK_S3_PREFIX: 'bulk/',
        BULK_S3_REGION: 'eu-south-1',
        BULK_S3_ENDPOINT: store.endpoint,
        BULK_S3_PATH_STYLE: 'true',
        BULK_S3_ACCESS_KEY_ID: S3.id,
        BULK_S3_SECRET_ACCESS_KEY: S3.secret,
      },
    })
  })
  afterAll(() => store[Symbol.asyncDispose]())

  it.each(BULK_FORMATS)(
    'receives the files that the service creates, and presigned URLs download them: %s',
    async (format) => {
      const isThere = async () => (await fetch((await getDescriptor(product, format))?.download_url ?? '')).status
      await expect.poll(isThere, POLL_OPTIONS).toBe(200)
      const offered = await getDescriptor(product, format)
      expect(new URL(offered?.download_url ?? '').origin).toBe(store.endpoint)
      expect(new URL(offered?.download_url ?? '').pathname).toMatch(/^\/energy\/bulk\/pun-hourly-/)
      expect(await fetchDownload(offered?.download_url)).toEqual({ sha256: offered?.sha256, bytes: offered?.bytes })
    },
  )

  it('gets only requests with valid signatures, and no partial file is left in the folder', async () => {
    expect(store.requests.filter((line) => line.startsWith('403'))).toEqual([])
    await expect.poll(unfinished, POLL_OPTIONS).toEqual([])
  })
})
