/** For every dataset, the file in each format, the files by year, the API and SQL return the same values, including on both change days. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { BULK_DATASETS, type BulkDataset, type BulkFormat } from '../../src/api/contract/bulk.ts'
import type { Column } from '../../src/api/contract/table.ts'
import { DATASETS } from '../../src/delivery/bulk/datasets/index.ts'
import { ASSET_CODES, ASSETS } from '../../src/market/assets.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import '../../src/delivery/bulk/arrow-batches.ts'
import { scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { duckRows } from '../support/duck-db.ts'
import { seedIssue } from '../support/forecasts.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { exampleOffers, publishOffers } from '../support/offers.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'
import { serviceOfFile } from '../support/service.ts'

const CHANGE_DAYS = ['2026-03-29', '2026-10-25']
const FIRST = Temporal.Instant.from('2026-11-20T10:00:00Z')
const LATER = Temporal.Instant.from('2026-11-20T11:00:00Z')
const DUCK_TYPES = {
  text: 'VARCHAR',
  date: 'DATE',
  instant: 'TIMESTAMP WITH TIME ZONE',
  integer: 'INTEGER',
  number: 'DOUBLE',
}

interface PartitionOfFiles {
  name: string
  part: string
  rows: number
  bytes: number
  sha256: string
  min: Record<string, string | number | null>
  max: Record<string, string | number | null>
  download_url: string
}

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
const folder = await scratchFolderOfFile()
await service.sql`update sources set redistributable = true`
await service.seed([
  ...CHANGE_DAYS.flatMap((day) =>
    STORED_ZONES.map((zone) => zoneDay(zone, day, 15, (n) => Math.round((n * 777) % 9000) / 100)),
  ),
  zoneDay('nazionale', '2026-11-20', 60, (hour) => 99.123456 + hour / 3),
  ...ASSET_CODES.filter((code) => code !== 'PUN').map((asset, i) => dailyPrice(asset, '2026-11-20', 30.12345 + i)),
])
// First versions of a quarter-hour, of hours that became quarter-hours, and of a daily price.
await service.seed(
  [zoneDay('nord', '2026-03-29', 15, (n) => (n === 5 ? 1.5 : 2)), zoneDay('sud', '2026-11-19', 60, () => 40)],
  { at: FIRST },
)
await service.seed([dailyPrice('PSV', '2026-11-18', 44), dailyPrice('Brent', '2026-11-18', 70)], { at: FIRST })
await service.seed([zoneDay('nord', '2026-03-29', 15, (n) => n), zoneDay('sud', '2026-11-19', 15, () => 41)], {
  at: LATER,
})
await service.seed([dailyPrice('PSV', '2026-11-18', 45), dailyPrice('Brent', '2026-11-18', 71)], { at: LATER })
const load = CHANGE_DAYS.map((day) => fundamentalDay('load/IT', day, (n) => 30_000 + n / 3))
await storeFundamentals(service.sql, load, { source: 'entsoe-actuals', at: '2026-11-21T09:00:00Z' })
const auctions = CHANGE_DAYS.map((day) => fundamentalDay('mi-a1-price/sud', day, (n) => 90 + n / 4, 15))
await storeFundamentals(service.sql, auctions, { source: 'gme-intraday', at: '2026-11-21T09:00:00Z' })
await publishOffers(service, exampleOffers('luce'), { day: '2026-11-20' })
await seedIssue(service.sql, {
  asset: 'PUN',
  infoDate: '2026-11-19',
  issuedAt: '2026-11-19T12:00:00Z',
  days: 7,
})
await seedIssue(service.sql, { asset: 'TTF', infoDate: '2026-11-20', issuedAt: '2026-11-20T18:00:00Z', days: 7 })
await seedHours(service.sql, { zone: 'nord', infoDate: '2026-11-20', issuedAt: '2026-11-19T18:00:00Z', days: 2 })
await service.seed([dailyPrice('TTF', '2026-11-21', 31)])
await scoreForecasts(service.sql, 'TTF', Temporal.Instant.from('2026-11-21T09:00:00Z'))
const headers = await service.asPlan('Enterprise')

const getJson = async <Body = Record<string, unknown>>(url: string) =>
  (await service.ask(url, { headers })).json() as Body
const epochMs = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds

interface Quarter {
  quarter: number
  hour: number
  starts_at: string
  ends_at: string
  value: number
  band: string
}

async function quartersOf(zone: string, day: string, query = ''): Promise<Quarter[]> {
  const url = `/v1/pun/hourly?zone=${zone}&date=${day}&granularity=quarter${query}`
  return (await getJson<{ quarters: Quarter[] }>(url)).quarters
}
const fileOf = (dataset: BulkDataset, format: BulkFormat) => path.join(folder, `${dataset}.${format}`)

for (const dataset of BULK_DATASETS) {
  for (const format of ['parquet', 'csv.gz', 'arrow'] as const) await download(dataset, format)
  await service.publishIcebergTable(dataset)
}

async function download(dataset: BulkDataset, format: BulkFormat): Promise<void> {
  await service.publishFile(dataset, format)
  const { download_url: url } = await getJson(`/v1/bulk/${dataset}?format=${format}`)
  await writeFile(fileOf(dataset, format), Buffer.from(await (await fetch(url as string)).arrayBuffer()))
}

describe.each(BULK_DATASETS)('%s', (dataset) => {
  const { columns, sortedBy } = DATASETS[dataset]
  const parquet = () => `'${fileOf(dataset, 'parquet')}'`

  it('has the documented columns and types in DuckDB', async () => {
    const described = await duckRows(`describe select * from ${parquet()}`)
    expect(described.map((row) => [row.column_name, row.column_type])).toEqual(
      columns.map(({ name, type }) => [name, DUCK_TYPES[type]]),
    )
  })

  it('is sorted, and has a value in every required column', async () => {
    const order = sortedBy.join(', ')
    const [row] = await duckRows(`
      select count(*)::integer as rows, count(*) filter (where not in_order)::integer as unsorted from (
        select (${order}) > lag((${order})) over (order by file_row_number) is not false as in_order
        from read_parquet(${parquet()}, file_row_number = true)
      )`)
    expect(row).toEqual({ rows: expect.any(Number), unsorted: 0 })
    expect(row?.rows).toBeGreaterThan(3)
    const promised = columns.filter(({ nullable }) => !nullable).map(({ name }) => `${name} is null`)
    expect(await duckRows(`select * from ${parquet()} where ${promised.join(' or ')}`)).toEqual([])
  })

  it('is the same table as csv.gz', async () => {
    const types = columns.map(({ name, type }) => `'${name}': '${DUCK_TYPES[type]}'`).join(', ')
    const csv = `read_csv('${fileOf(dataset, 'csv.gz')}', delim = ';', decimal_separator = ',', header = true, columns = {${types}}, compression = 'gzip')`
    expect(
      await duckRows(`(from ${csv} except all from ${parquet()}) union all (from ${parquet()} except all from ${csv})`),
    ).toEqual([])
    expect(await duckRows(`select count(*)::integer as n from ${csv}`)).toEqual(
      await duckRows(`select count(*)::integer as n from ${parquet()}`),
    )
  })

  it('is the same table as its files by year, whose min and max match their columns', async () => {
    const { files } = await getJson<{ files: PartitionOfFiles[] }>(`/v1/bulk/${dataset}/files`)
    const downloads = files.map(async ({ name, download_url: url, sha256, bytes }) => {
      const content = Buffer.from(await (await fetch(url)).arrayBuffer())
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
      await writeFile(path.join(folder, name), content)
    })
    await Promise.all(downloads)
    const all = `read_parquet([${files.map(({ name }) => `'${path.join(folder, name)}'`).join(', ')}])`
    expect(
      await duckRows(`(from ${all} except all from ${parquet()}) union all (from ${parquet()} except all from ${all})`),
    ).toEqual([])
    for (const { name, min, max, rows, part } of files) {
      const bounded = columns.filter(({ name }) => name in min)
      expect(bounded.length).toBeGreaterThan(0)
      const value = ({ name, type }: Column) => (type === 'instant' ? `epoch_ms(${name})::double` : name)
      const [found] = await duckRows(`
        select count(*)::integer as rows, min(${DATASETS[dataset].partitionedBy.part}) as part,
               ${bounded.map((column) => `[min(${value(column)}), max(${value(column)})] as "${column.name}"`).join(', ')}
        from '${path.join(folder, name)}'`)
      const stated = bounded.map(({ name, type }) => [
        name,
        [min[name], max[name]].map((bound) =>
          type === 'instant' && bound !== null ? Date.parse(String(bound)) : bound,
        ),
      ])
      expect(found).toEqual({ rows, part, ...Object.fromEntries(stated) })
    }
  })

  it('is the same table as Arrow', async () => {
    const table = tableFromIPC(await readFile(fileOf(dataset, 'arrow')))
    const rows = await duckRows(
      `select * replace (${columns
        .filter(({ type }) => type === 'instant' || type === 'date')
        .map(({ name }) => `epoch_ms(${name}::timestamptz)::double as ${name}`)
        .join(', ')}) from ${parquet()}`,
    )
    const arrow = table
      .toArray()
      .map((row) => Object.fromEntries(columns.map(({ name }) => [name, row?.[name] ?? null])))
    expect(arrow).toEqual(rows)
  })
})

it.each(CHANGE_DAYS)('the quarter-hours of %s equal those of the API and of SQL, in every zone', async (day) => {
  for (const zone of STORED_ZONES) {
    const quarters = await quartersOf(zone, day)
    const file = await duckRows(`
      select epoch_ms(starts_at)::double as ms, epoch_ms(ends_at)::double as end_ms, eur_mwh from '${fileOf('pun-hourly', 'parquet')}'
      where zone = '${zone}' and (starts_at at time zone 'Europe/Rome')::date = '${day}' and resolution_minutes = 15 order by starts_at`)
    expect(file).toEqual(
      quarters.map(({ starts_at, ends_at, value }) => ({
        ms: epochMs(starts_at),
        end_ms: epochMs(ends_at),
        eur_mwh: value,
      })),
    )
    expect(file).toHaveLength(day === '2026-03-29' ? 92 : 100)
    const stored = await service.sql`
      select (extract(epoch from starts_at) * 1000)::double precision as ms,
             (extract(epoch from ends_at) * 1000)::double precision as end_ms, price_eur_mwh as eur_mwh
      from analytics.prices_by_interval where zone = ${zone} and market_day = ${day} order by starts_at`
    expect(file).toEqual([...stored])
  }
})

it.each(CHANGE_DAYS)('the numbered quarter-hours of %s equal those of the API, with their bands', async (day) => {
  for (const zone of STORED_ZONES) {
    const quarters = await quartersOf(zone, day)
    const file = await duckRows(`
      select epoch_ms(starts_at)::double as ms, epoch_ms(ends_at)::double as end_ms, quarter, hour, eur_mwh, band
      from '${fileOf('zones-quarter-hourly', 'parquet')}' where zone = '${zone}' and market_day = '${day}' order by starts_at`)
    expect(file).toHaveLength(day === '2026-03-29' ? 92 : 100)
    expect(file).toEqual(
      quarters.map(({ quarter, hour, starts_at, ends_at, value, band }) => ({
        ms: epochMs(starts_at),
        end_ms: epochMs(ends_at),
        ...{ quarter, hour, eur_mwh: value, band },
      })),
    )
  }
})

it('the monthly bands equal those of the API', async () => {
  for (const zone of STORED_ZONES) {
    const { months } = await getJson<{
      months: Record<string, { value: number; hours: number }>[] &
        { month: string; days: number; days_of_month: number }[]
    }>(`/v1/pun/bands?zone=${zone}&from=2026-01&to=2026-11`)
    const file = await duckRows(`
      select *, strftime(month, '%Y-%m') as of from '${fileOf('bands-monthly', 'parquet')}' where zone = '${zone}' order by month`)
    expect(file.length).toBeGreaterThanOrEqual(2)
    expect(file.map((row) => [row.of, row.days, row.days_of_month])).toEqual(
      months.map(({ month, days, days_of_month }) => [month, days, days_of_month]),
    )
    for (const band of ['f0', 'f1', 'f2', 'f3', 'f23', 'peak', 'off_peak'])
      expect(file.map((row) => [row[`${band}_eur_mwh`] ?? undefined, row[`${band}_hours`]])).toEqual(
        months.map((month) => [month[band]?.value, month[band]?.hours ?? 0]),
      )
  }
})

describe('the corrections', () => {
  const file = (where: string) =>
    duckRows(
      `select * from '${fileOf('corrections', 'parquet')}' where ${where} order by market_day, starts_at, known_until`,
    )

  it('have as many rows as in SQL', async () => {
    const rows = await service.sql<{ n: number }[]>`
      select count(*)::integer as n from analytics.corrections`
    expect(await file('true')).toHaveLength(rows[0]?.n ?? 0)
    expect(rows[0]?.n).toBeGreaterThan(100)
  })

  it('equal the values that the API returns with as_of before the correction', async () => {
    const [row] = await file("series = 'nord' and price = 1.5")
    expect(row).toMatchObject({ price_now: 5, resolution_minutes: 15, market_day: '2026-03-29' })
    const knownUntil = Temporal.Instant.from(String(row?.known_until).replace(' ', 'T').replace(/\+00$/, 'Z'))
    const quarters = await quartersOf('nord', '2026-03-29', `&as_of=${knownUntil.subtract({ milliseconds: 1 })}`)
    expect(quarters[4]?.value).toBe(1.5)
    const daily = await file("series = 'PSV'")
    expect(daily).toMatchObject([
      { price: 44, price_now: 45, starts_at: null, unit: '€/MWh', market_day: '2026-11-18' },
    ])
    const { points } = await getJson('/v1/prices/psv/series?from=2026-11-18&to=2026-11-18&as_of=2026-11-20T10:30:00Z')
    expect(points).toEqual([{ date: '2026-11-18', value: 44 }])
  })

  it('have no current price if the interval now has another length', async () => {
    const rows = await file("series = 'sud' and market_day = '2026-11-19'")
    expect(rows).toHaveLength(24)
    expect(new Set(rows.map(({ price_now: now, price }) => `${price} ${now}`))).toEqual(new Set(['40 null']))
  })
})

it.each(ASSET_CODES)('the daily prices of %s equal the API series in both units', async (code) => {
  const { slug } = ASSETS[code]
  const { points } = await getJson(`/v1/prices/${slug}/series?from=2026-01-01&to=2026-11-21`)
  const file = `'${fileOf('prices-daily', 'parquet')}' where asset = '${code}' order by date`
  expect(await duckRows(`select date, value_native as value from ${file}`)).toEqual(points)
  if (!['PUN', 'PSV', 'TTF'].includes(code)) return
  const kwh = await getJson(`/v1/prices/${slug}/series?from=2026-01-01&to=2026-11-21&unit=kwh`)
  expect(await duckRows(`select date, value from ${file}`)).toEqual(kwh.points)
})

it.each(CHANGE_DAYS)('the fundamentals of %s equal those of the API', async (day) => {
  const { points } = await getJson<{ points: { starts_at: string; value: number; known_at: string }[] }>(
    `/v1/fundamentals/load?from=${day}&to=${day}`,
  )
  const file = await duckRows(`
    select epoch_ms(starts_at)::double as ms, value, epoch_ms(known_at)::double as known_ms from '${fileOf('fundamentals', 'parquet')}'
    where series = 'load' and area = 'IT' and (starts_at at time zone 'Europe/Rome')::date = '${day}' order by starts_at`)
  expect(file).toHaveLength(day === '2026-03-29' ? 23 : 25)
  expect(file).toEqual(
    points.map(({ starts_at, value, known_at }) => ({ ms: epochMs(starts_at), value, known_ms: epochMs(known_at) })),
  )
})

it('the forecasts equal the track record, including the hashes', async () => {
  const { records } = await getJson<{ records: Record<string, unknown>[] }>(
    '/v1/forecast/track-record?asset=ttf&from=2026-11-21&to=2026-11-27',
  )
  const file = await duckRows(`
    select hash, p50, target_date, actual from '${fileOf('forecast-history', 'parquet')}'
    where asset = 'TTF' and role = 'published' order by target_date`)
  expect(file.length).toBeGreaterThan(0)
  expect(file).toEqual(
    records.map(({ hash, p50, target_date, actual }) => ({ hash, p50, target_date, actual: actual ?? null })),
  )
})

it('the statistics of variable offers equal those of the API', async () => {
  const stats = await getJson<{
    offers: number
    excluded: number
    updated_at: string
    spread_eur_kwh: Record<string, number>
  }>(`/v1/mercato-libero/stats?commodity=luce&price_type=variabile`)
  const [row] = await duckRows(`
    select offers, excluded, spread_p10, spread_median, spread_p90, date from '${fileOf('mercato-libero', 'parquet')}'
    where commodity = 'luce' and price_type = 'variabile' and customer = 'domestico' order by date desc limit 1`)
  expect(row).toEqual({
    offers: stats.offers,
    excluded: stats.excluded,
    spread_p10: stats.spread_eur_kwh.p10,
    spread_median: stats.spread_eur_kwh.median,
    spread_p90: stats.spread_eur_kwh.p90,
    date: stats.updated_at,
  })
})
