/** Which bulk files are scheduled, and when. */

import { readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issueForecasts } from '../../jobs/issue-forecasts.ts'
import { planExports } from '../../jobs/plan-exports.ts'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { BULK_FORMATS, type BulkDataset, type BulkFormat } from '../../src/api/contract/bulk.ts'
import { s3Store } from '../../src/delivery/bulk/s3-store.ts'
import { Secret } from '../../src/platform/secret.ts'
import { type ExportOutcome, publishBulkFile, recordExportEnd } from '../../src/store/bulk-files.ts'
import { databaseOfFile, isEmbedded, needsEmbedded } from '../support/database.ts'
import { seedIssue } from '../support/forecasts.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { linesOf } from '../support/lines.ts'
import { listenLocally } from '../support/local-server.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'
import { withSkippedWaits } from '../support/skipped-waits.ts'
import { testContext } from '../support/test-context.ts'

const ofPrices = (['pun-hourly', 'prices-daily', 'zones-quarter-hourly', 'bands-monthly'] as const).flatMap((dataset) =>
  BULK_FORMATS.map((format) => `${dataset}:${format}`),
)
const without = (...files: string[]) => ofPrices.filter((file) => !files.includes(file))

let now = Temporal.Instant.from('2026-03-28T11:00:00Z')
const db = await databaseOfFile()
const { sql } = db.database
const folder = await scratchFolderOfFile()
const ctx = await testContext(db, () => now, { BULK_DIR: folder })
beforeAll(async () => {
  await storePrices(sql, [zoneDay('nord', '2026-03-28', 60, (hour) => hour)])
})
afterAll(() => ctx.stop())
beforeEach(() => sql`truncate bulk_files, bulk_exports`)

/** The exports that the planner enqueues at the instant, taken from the queue as by the worker. */
async function plannedExportsAt(
  at: string,
  { missing = false, config = ctx.config, files = ctx.files } = {},
): Promise<string[]> {
  now = Temporal.Instant.from(at)
  const signal = new AbortController().signal
  await withSkippedWaits(
    () => {},
    () => planExports.run({ payload: { missing }, ctx: { ...ctx, config, files }, signal }),
  )
  const jobs = await sql`delete from pgboss.job where name = 'bulk.export' returning data`
  const planned = jobs.map(({ data }) => `${data.dataset}:${data.format}`)
  return planned.sort((a, b) => ofPrices.indexOf(a) - ofPrices.indexOf(b))
}

const parts = (file: string) => {
  const [dataset, format] = file.split(':') as [BulkDataset, BulkFormat]
  return { dataset, format }
}

async function recordOutcomes(files: string[], outcome: ExportOutcome, at: string): Promise<void> {
  for (const file of files) {
    await recordExportEnd(sql, parts(file), { at: Temporal.Instant.from(at), outcome })
    if (outcome !== 'published') continue
    const name = `${file}-${at}`.replaceAll(':', '-')
    await writeFile(path.join(folder, name), 'PAR1')
    await publishBulkFile(sql, {
      ...{ ...parts(file), name, schemaVersion: 1, rows: 24, bytes: 'PAR1'.length, sha256: 'a'.repeat(64) },
      ...{ firstDay: '2026-03-28', lastDay: '2026-03-28', sourceIds: ['gme-mgp'] },
      generatedAt: Temporal.Instant.from(at),
    })
  }
}

/** Creates all files, from the first data. */
async function createAllFiles(at = '2026-03-28T11:00:00Z'): Promise<void> {
  expect(await plannedExportsAt(at, { missing: true })).toEqual(ofPrices)
  await recordOutcomes(ofPrices, 'published', at)
}

describe('existing files', () => {
  it.each([
    ['the night of 23 hours', '2026-03-28T11:00:00Z', '2026-03-29T02:39:59Z', '2026-03-29T02:40:00Z'],
    ['the night of 25 hours', '2026-10-24T11:00:00Z', '2026-10-25T03:39:59Z', '2026-10-25T03:40:00Z'],
  ])('are all requested once in %s', async (_night, before, early, due) => {
    await createAllFiles(before)
    expect(await plannedExportsAt(early)).toEqual([])
    expect(await plannedExportsAt(due)).toEqual(ofPrices)
    expect(await plannedExportsAt(due)).toEqual([])
    await recordOutcomes(ofPrices, 'published', due)
    for (const minutes of [1, 59, 61, 23 * 60])
      expect(await plannedExportsAt(Temporal.Instant.from(due).add({ minutes }).toString())).toEqual([])
  })

  it('are requested once a night even if nothing in them changed', async () => {
    await createAllFiles()
    await plannedExportsAt('2026-03-29T02:40:00Z')
    await recordOutcomes(ofPrices, 'unchanged', '2026-03-29T02:41:00Z')
    expect(await plannedExportsAt('2026-03-29T10:00:00Z')).toEqual([])
    expect(await plannedExportsAt('2026-03-30T02:40:00Z')).toEqual(ofPrices)
  })

  it('are requested once after nights on which the service was down', async () => {
    await createAllFiles()
    expect(await plannedExportsAt('2026-04-02T14:07:00Z')).toEqual(ofPrices)
    await recordOutcomes(ofPrices, 'published', '2026-04-02T14:09:00Z')
    expect(await plannedExportsAt('2026-04-02T15:30:00Z')).toEqual([])
    expect(await plannedExportsAt('2026-04-03T02:40:00Z')).toEqual(ofPrices)
  })
})

it('a failed export is requested again after an hour, and not before', async () => {
  await createAllFiles()
  await plannedExportsAt('2026-03-29T02:40:00Z')
  const failed = ['pun-hourly:parquet', 'prices-daily:arrow']
  await recordOutcomes(without(...failed), 'published', '2026-03-29T02:45:00Z')
  await recordOutcomes(failed, 'failed', '2026-03-29T02:45:00Z')
  for (const missing of [false, true]) expect(await plannedExportsAt('2026-03-29T03:39:59Z', { missing })).toEqual([])
  expect(await plannedExportsAt('2026-03-29T03:40:00Z')).toEqual(failed)
  expect(await plannedExportsAt('2026-03-29T04:39:59Z')).toEqual([])
  expect(await plannedExportsAt('2026-03-29T04:40:00Z')).toEqual(failed)
})

it('an export that never ended is requested again after an hour', async () => {
  await createAllFiles()
  await plannedExportsAt('2026-03-29T02:40:00Z')
  await recordOutcomes(without('pun-hourly:arrow'), 'published', '2026-03-29T02:45:00Z')
  expect(await plannedExportsAt('2026-03-29T03:39:59Z')).toEqual([])
  expect(await plannedExportsAt('2026-03-29T03:40:00Z')).toEqual(['pun-hourly:arrow'])
})

describe('new data', () => {
  it('requests only files that do not exist', async () => {
    const there = ['pun-hourly:parquet', 'prices-daily:csv.gz']
    await recordOutcomes(there, 'published', '2026-03-28T11:00:00Z')
    expect(await plannedExportsAt('2026-03-28T12:00:00Z', { missing: true })).toEqual(without(...there))
    expect(await plannedExportsAt('2026-03-28T12:00:01Z', { missing: true })).toEqual([])
  })

  it('does not bring forward the retry of a failed first file', async () => {
    await plannedExportsAt('2026-03-28T11:00:00Z', { missing: true })
    await recordOutcomes(ofPrices, 'failed', '2026-03-28T11:01:00Z')
    for (const missing of [false, true]) expect(await plannedExportsAt('2026-03-28T11:59:59Z', { missing })).toEqual([])
    expect(await plannedExportsAt('2026-03-28T12:00:00Z')).toEqual(ofPrices)
  })

  it('requests empty exports again at most once an hour, in addition to the nightly run', async () => {
    await plannedExportsAt('2026-03-28T11:00:00Z', { missing: true })
    await recordOutcomes(ofPrices, 'empty', '2026-03-28T11:01:00Z')
    expect(await plannedExportsAt('2026-03-28T11:59:59Z', { missing: true })).toEqual([])
    expect(await plannedExportsAt('2026-03-28T14:00:00Z')).toEqual([])
    expect(await plannedExportsAt('2026-03-28T14:00:00Z', { missing: true })).toEqual(ofPrices)
    await recordOutcomes(ofPrices, 'empty', '2026-03-28T14:01:00Z')
    expect(await plannedExportsAt('2026-03-29T02:40:00Z')).toEqual(ofPrices)
  })
})

it.each([
  ['refreshed', refreshAggregates],
  ['forecast from', issueForecasts],
])('data that has been %s triggers the planning of missing files', async (_what, definition) => {
  await sql`delete from pgboss.job where name = 'bulk.plan'`
  await definition.run({ payload: {}, ctx, signal: new AbortController().signal })
  const queued = await sql`select data->'missing' as missing from pgboss.job where name = 'bulk.plan'`
  expect(queued).toEqual([{ missing: true }])
})

async function loseFile(prefix: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith(prefix)) await rm(path.join(folder, name))
}

it('files missing from the store are requested when new data arrives, once an hour', async () => {
  await createAllFiles('2026-03-29T11:00:00Z')
  await loseFile('pun-hourly-arrow')
  expect(await plannedExportsAt('2026-03-29T12:30:00Z')).toEqual([])
  expect(await plannedExportsAt('2026-03-29T12:30:00Z', { missing: true })).toEqual(['pun-hourly:arrow'])
  expect(await plannedExportsAt('2026-03-29T13:29:59Z', { missing: true })).toEqual([])
  await recordOutcomes(['pun-hourly:arrow'], 'published', '2026-03-29T13:30:00Z')
  expect(await plannedExportsAt('2026-03-29T15:00:00Z', { missing: true })).toEqual([])
})

it('a file lost right after its creation is requested again at once', async () => {
  await createAllFiles('2026-03-29T11:00:00Z')
  await loseFile('pun-hourly-arrow')
  expect(await plannedExportsAt('2026-03-29T11:01:00Z', { missing: true })).toEqual(['pun-hourly:arrow'])
  expect(await plannedExportsAt('2026-03-29T11:02:00Z', { missing: true })).toEqual([])
})

it('an unreachable store is assumed to have its files', async () => {
  await createAllFiles('2026-03-29T11:00:00Z')
  const s3 = { bucket: 'energy', prefix: '', region: 'eu-south-1', pathStyle: true }
  const credentials = { id: 'an-access-key', secret: new Secret('not-a-secret-of-anybody') }
  using files = s3Store({ ...s3, credentials, endpoint: await refusingAddress() })
  expect(await plannedExportsAt('2026-03-29T12:30:00Z', { missing: true, files })).toEqual([])
  expect(await plannedExportsAt('2026-03-30T12:30:00Z', { missing: true, files })).toEqual(ofPrices)
})

/** The URL of a port on which nothing listens. */
async function refusingAddress(): Promise<URL> {
  await using server = await listenLocally(createServer())
  return new URL(server.baseUrl)
}

it('no export is requested if exports are off', async () => {
  const config = { ...ctx.config, bulk: { ...ctx.config.bulk, exports: false } }
  for (const missing of [true, false])
    expect(await plannedExportsAt('2026-03-28T11:00:00Z', { missing, config })).toEqual([])
  await createAllFiles()
  expect(await plannedExportsAt('2026-03-29T02:40:00Z', { config })).toEqual([])
  expect(await plannedExportsAt('2026-03-29T02:40:00Z')).toEqual(ofPrices)
})

it('a dataset is requested once it has rows', async () => {
  await sql`delete from price_intervals`
  expect(await plannedExportsAt('2026-03-28T11:00:00Z', { missing: true })).toEqual([])
  await storePrices(sql, [dailyPrice('TTF', '2026-03-27', 30)])
  const daily = BULK_FORMATS.map((format) => `prices-daily:${format}`)
  expect(await plannedExportsAt('2026-03-28T11:00:00Z', { missing: true })).toEqual(daily)
  await seedIssue(sql, { asset: 'TTF', infoDate: '2026-03-27', issuedAt: '2026-03-27T18:00:00Z', days: 1 })
  expect(await plannedExportsAt('2026-03-28T12:30:00Z', { missing: true })).toEqual(
    expect.arrayContaining(BULK_FORMATS.map((format) => `forecast-history:${format}`)),
  )
})

it('intraday prices are exported as their own dataset, not as fundamentals', async () => {
  const day = fundamentalDay('mi-a1-price/nord', '2026-03-28', (n) => n, 15)
  await storeFundamentals(sql, [day], { source: 'gme-intraday', at: '2026-03-28T09:00:00Z' })
  const requested = await plannedExportsAt('2026-03-28T11:00:00Z', { missing: true })
  expect(requested.filter((file) => /^(markets|fundamentals)/.test(file)).sort()).toEqual(
    BULK_FORMATS.map((format) => `markets-quarter-hourly:${format}`).sort(),
  )
})

it.skipIf(!isEmbedded)(needsEmbedded('planning is postponed while rows are being written'), async () => {
  const at = '2026-03-28T11:00:00Z'
  now = Temporal.Instant.from(at)
  await sql`delete from pgboss.job`
  let isPlanned = false
  async function store() {
    for (let day = Temporal.PlainDate.from('2026-03-27'); !isPlanned; day = day.subtract({ days: 1 })) {
      await storePrices(sql, [zoneDay('nord', day.toString(), 60, (hour) => hour)])
    }
  }
  const storing = store()
  await planExports.run({ payload: { missing: true }, ctx, signal: new AbortController().signal })
  isPlanned = true
  await storing
  const queued = linesOf(
    await sql`delete from pgboss.job where name ^@ 'bulk.' returning coalesce(data->>'dataset', name)`,
  )
  expect(queued).toContain('bulk.plan')
  expect(queued).not.toContain('pun-hourly')
  const counted = ofPrices.filter((file) => !/^(prices-daily|bands-monthly)/.test(file))
  expect(await plannedExportsAt(at, { missing: true })).toEqual(counted)
})
