/** The lake: partitions and their snapshots in a folder and in S3, read by icebird (hyparquet's Iceberg reader) and by DuckDB. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileStore } from '../../src/delivery/bulk/file-store.ts'
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import type { PublishContext } from '../../src/delivery/bulk/publish-files.ts'
import { s3Store } from '../../src/delivery/bulk/s3-store.ts'
import { publishLake } from '../../src/delivery/lake/publish-lake.ts'
import { Secret } from '../../src/platform/secret.ts'
import { lakeListing, lakeSnapshots } from '../../src/store/lake-files.ts'
import { databaseOfFile, isEmbedded } from '../support/database.ts'
import { duckRows } from '../support/duck-db.ts'
import { icebergRows, icebergTable } from '../support/iceberg.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'

const NIGHT = '2026-10-26T03:40:00Z'
const S3 = { id: 'an-access-key', secret: 'not-a-secret-of-anybody' }
const CHANGE_DAYS = ['2026-03-29', '2026-10-25']

const db = await databaseOfFile()
const { sql } = db.database
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-test-'))
  await sql`delete from lake_files`
  await sql`delete from lake_snapshots`
  await sql`delete from price_intervals`
  for (const zone of ['nord', 'sud'] as const)
    await storePrices(
      sql,
      // The year ends at midnight in Rome, an hour before it ends in UTC.
      ['2024-12-31', '2025-01-01', '2025-12-31', '2026-01-01', ...CHANGE_DAYS].map((day) =>
        zoneDay(zone, day, 15, (quarter) => quarter / 4 - 10),
      ),
      { source: 'sample' },
    )
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const correct = (day: string, value: number) =>
  storePrices(sql, [zoneDay('nord', day, 15, () => value)], { source: 'sample' })

function publishing(store: FileStore, about: Partial<PublishContext> = {}): PublishContext {
  return {
    ...{ sql, databaseUrl: db.url, isServer: !isEmbedded, niceness: 0, store, folder },
    now: () => Temporal.Instant.from(NIGHT),
    signal: new AbortController().signal,
    ...about,
  }
}

const s3Of = ({ endpoint }: S3Server) =>
  s3Store({
    ...{ bucket: 'energy', prefix: 'bulk/', region: 'eu-south-1', endpoint: new URL(endpoint), pathStyle: true },
    credentials: { id: S3.id, secret: new Secret(S3.secret) },
  })
const publish = (about?: Partial<PublishContext>) => publishLake('pun-hourly', publishing(folderStore(folder), about))
const tableUrl = () => folderStore(folder).uri('lake/pun-hourly')
const names = async () => (await offered()).map(({ name }) => name)
const offered = async () => (await lakeListing(sql, 'pun-hourly', {}))?.files ?? []
const partitions = async () => (await offered()).map(({ part, period, rows }) => `${part} ${period} ${rows}`)

/** In icebird's representation: instants as dates. */
async function storedRows() {
  const rows = await sql<{ zone: string; ms: number; eur_mwh: number; resolution_minutes: number }[]>`
    select zone, (extract(epoch from starts_at) * 1000)::double precision as ms, price_eur_mwh as eur_mwh, resolution_minutes::integer
    from price_intervals order by zone collate "C", starts_at`
  return rows.map(({ ms, ...row }) => ({ ...row, starts_at: new Date(ms) }))
}

/** Sorted like the stored rows: a table has no order across its files. */
const shown = (rows: Record<string, unknown>[]) =>
  rows
    .map(({ zone, starts_at, eur_mwh, resolution_minutes }) => ({ zone, eur_mwh, resolution_minutes, starts_at }))
    .sort((a, b) => String(a.zone).localeCompare(String(b.zone)) || Number(a.starts_at) - Number(b.starts_at))

it('divides rows by zone and by year of market days, and the open year by two months', async () => {
  await publish()
  expect(await partitions()).toEqual(
    ['nord', 'sud'].flatMap((zone) => [
      `${zone} 2024 96`,
      `${zone} 2025 192`,
      `${zone} 2026-01 96`,
      `${zone} 2026-03 92`,
      `${zone} 2026-09 100`,
    ]),
  )
  const [first] = await offered()
  expect([first?.firstDay, first?.lastDay]).toEqual(['2024-12-31', '2024-12-31'])
})

it('is read as an Iceberg table with the rows of the database, from a folder', async () => {
  await publish()
  expect(shown(await icebergRows(tableUrl()))).toEqual(await storedRows())
})

it('is read as an Iceberg table with the rows of the database, from S3', async () => {
  await using server = await startS3Server(S3)
  using store = s3Of(server)
  await publishLake('pun-hourly', publishing(store))
  const table = store.uri('lake/pun-hourly')
  expect(table).toBe('s3://energy/bulk/lake/pun-hourly')
  expect(shown(await icebergRows(table, { s3: server }))).toEqual(await storedRows())
  expect(server.requests.filter((line) => line.startsWith('403'))).toEqual([])
})

describe('a nightly run', () => {
  it('writes nothing where nothing has changed', async () => {
    await publish()
    const before = await offered()
    expect(await publish()).toMatchObject({ outcome: 'unchanged', bytes: 0 })
    expect(await offered()).toEqual(before)
    expect(await lakeSnapshots(sql, 'pun-hourly')).toHaveLength(1)
  })

  it('replaces only the file of the open months when a day is added', async () => {
    await publish()
    const before = await names()
    await correct('2026-10-26', 5)
    expect(await publish()).toMatchObject({ outcome: 'published' })
    const after = await names()
    expect(after.filter((name) => !before.includes(name))).toEqual([expect.stringMatching(/^pun-hourly-nord-2026-09-/)])
    expect(before.filter((name) => !after.includes(name))).toEqual([expect.stringMatching(/^pun-hourly-nord-2026-09-/)])
  })

  it('replaces the file of an ended year where a value was corrected, and readers see the correction', async () => {
    await publish()
    await correct('2024-12-31', 77)
    await publish()
    const [file] = (await offered()).filter(({ addedIn }) => addedIn === 2)
    expect(file).toMatchObject({ part: 'nord', period: '2024', rows: 96 })
    expect(shown(await icebergRows(tableUrl()))).toEqual(await storedRows())
  })

  it('rewrites the manifest of ended years only after a correction; each snapshot keeps its own', async () => {
    const metadata = path.join(folder, 'lake/pun-hourly/metadata')
    const settled = async () => {
      const found = (await readdir(metadata)).filter((name) => name.startsWith('settled-')).sort()
      return Promise.all(found.map(async (name) => [name, (await stat(path.join(metadata, name))).ino]))
    }
    await publish()
    const first = await settled()
    expect(first).toHaveLength(1)
    const rows = await storedRows()
    await correct('2026-10-26', 5)
    await publish()
    expect(await settled()).toEqual(first)
    await correct('2024-12-31', 77)
    await publish()
    expect(await settled()).toHaveLength(2)
    expect(await settled()).toEqual(expect.arrayContaining(first))
    expect(shown(await icebergRows(tableUrl()))).toEqual(await storedRows())
    const [snapshot] = await lakeSnapshots(sql, 'pun-hourly')
    const earlier = await icebergRows(tableUrl(), { snapshotId: snapshot?.id ?? 0 })
    expect(shown(earlier)).toEqual(rows)
  })

  it('merges the months of a year that has ended, one zone a night', async () => {
    await publish()
    const periods = async (about: string) => {
      await publish({ now: () => Temporal.Instant.from(about) })
      return (await offered())
        .filter(({ period }) => period.startsWith('2026'))
        .map(({ part, period }) => `${part} ${period}`)
    }
    expect(await periods('2026-12-31T22:59:00Z')).toHaveLength(6)
    expect(await periods('2027-01-01T03:40:00Z')).toEqual(['nord 2026', 'sud 2026-01', 'sud 2026-03', 'sud 2026-09'])
    expect(await periods('2027-01-02T03:40:00Z')).toEqual(['nord 2026', 'sud 2026'])
    expect(shown(await icebergRows(tableUrl()))).toEqual(await storedRows())
  })
})

it('keeps earlier snapshots readable until they expire', async () => {
  await publish()
  const [first] = await lakeSnapshots(sql, 'pun-hourly')
  const rows = await storedRows()
  await correct('2026-03-29', 500)
  await publish({ now: () => Temporal.Instant.from('2026-10-27T03:40:00Z') })
  const table = await icebergTable(tableUrl())
  expect(table.snapshots?.map((snapshot) => snapshot['snapshot-id'])).toContain(first?.id)
  expect(shown(await icebergRows(tableUrl(), { snapshotId: first?.id ?? 0 }))).toEqual(rows)
  expect(shown(await icebergRows(tableUrl()))).toEqual(await storedRows())

  await publish({ now: () => Temporal.Instant.from('2026-11-28T03:40:00Z') })
  await publish({ now: () => Temporal.Instant.from('2026-11-29T03:40:00Z') })
  expect((await lakeSnapshots(sql, 'pun-hourly')).map(({ id }) => id)).not.toContain(first?.id)
  const kept = await readdir(path.join(folder, 'lake/pun-hourly/data'))
  expect(kept.sort()).toEqual((await names()).sort())
  expect(shown(await icebergRows(tableUrl()))).toEqual(await storedRows())
})

it('takes snapshots at increasing times even if the clock goes back', async () => {
  await publish()
  await correct('2026-03-29', 500)
  await publish({ now: () => Temporal.Instant.from(NIGHT).subtract({ hours: 1 }) })
  const taken = (await lakeSnapshots(sql, 'pun-hourly')).map(({ takenAt }) => takenAt.epochMilliseconds)
  const night = Temporal.Instant.from(NIGHT).epochMilliseconds
  expect(taken).toEqual([night, night + 1])
})

it('has column bounds by which readers can skip files', async () => {
  await publish()
  const file = (await offered()).find(({ part, period }) => part === 'nord' && period === '2026-03')
  const [from, to] = ['2026-03-28T23:00:00Z', '2026-03-29T21:45:00Z'].map((instant) => Date.parse(instant))
  expect(file?.statistics[1]).toEqual({ min: from, max: to, nulls: 0 })
  const table = `'${path.join(folder, 'lake/pun-hourly/data', file?.name ?? '')}'`
  const [duck] = await duckRows(`
    select epoch_ms(min(starts_at))::double as low, epoch_ms(max(starts_at))::double as high, count(*)::integer as rows from ${table}`)
  expect(duck).toEqual({ low: from, high: to, rows: 92 })
  const fields = await duckRows(
    `select name, field_id::integer as id from parquet_schema(${table}) where field_id is not null`,
  )
  expect(fields.map(({ name, id }) => `${id} ${name}`)).toEqual(
    ['zone', 'starts_at', 'resolution_minutes', 'eur_mwh', 'source', 'observed_at', 'ends_at'].map(
      (name, i) => `${i + 1} ${name}`,
    ),
  )
})

describe('a store', () => {
  it('that has lost a file gets it again, and a table without the snapshots that used it', async () => {
    await publish()
    const [lost] = await offered()
    await rm(path.join(folder, 'lake/pun-hourly/data', lost?.name ?? ''))
    expect(await publish()).toMatchObject({ outcome: 'published' })
    expect(await lakeSnapshots(sql, 'pun-hourly')).toHaveLength(1)
    expect(shown(await icebergRows(tableUrl()))).toEqual(await storedRows())
  })

  it('that has moved gets metadata with its new address', async () => {
    await publish()
    await using server = await startS3Server(S3)
    using store = s3Of(server)
    await publishLake('pun-hourly', publishing(store))
    expect(shown(await icebergRows(store.uri('lake/pun-hourly'), { s3: server }))).toEqual(await storedRows())
  })

  it('of an earlier database never gets the same version twice', async () => {
    for (const value of [1, 2, 3]) {
      await correct('2026-03-29', value)
      await publish()
    }
    await sql`delete from lake_files`
    await sql`delete from lake_snapshots`
    await publish()
    expect((await lakeSnapshots(sql, 'pun-hourly')).map(({ sequence }) => sequence)).toEqual([4])
    expect(shown(await icebergRows(tableUrl()))).toEqual(await storedRows())
  })
})
