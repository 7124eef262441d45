import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importFiles } from '../../src/ingest/import-files.ts'
import { ingestSession } from '../../src/ingest/ingest.ts'
import type { FundamentalSeries } from '../../src/market/fundamentals.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { fundamentalStore, fundamentalVersions } from '../../src/store/fundamentals.ts'
import { compressOldChunks } from '../../src/store/maintenance.ts'
import { loadPriceLimits } from '../../src/store/price-limits.ts'
import { acceptQuarantined, listQuarantine } from '../../src/store/quarantine.ts'
import { listCompleteDays } from '../../src/store/source-fetching.ts'
import { databaseOfFile, testDatabase } from '../support/database.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { isLongRun } from '../support/repetitions.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { needsSharedData, sharedData } from '../support/shared-data.ts'

const { sql } = (await databaseOfFile()).database

const LOAD = { source: 'entsoe-load-forecast' }
const NEIGHBOURS = { source: 'entsoe-neighbours' }
const day = (text: string) => Temporal.PlainDate.from(text)
const at = (text: string) => Temporal.Instant.from(text)

const read = async (
  name: `${FundamentalSeries}/${'IT' | 'CH' | 'AT' | 'nord'}`,
  isoDay: string,
  granularity: 'hour' | 'day' | 'quarter' = 'hour',
  asOf?: string,
) => {
  const [series, area] = name.split('/') as [FundamentalSeries, 'IT']
  const span = { series, areas: [area], from: day(isoDay), to: day(isoDay) }
  const { values } = await fundamentalStore(sql).values(span, granularity, asOf ? at(asOf) : undefined)
  return values
}

describe('storing fundamentals', () => {
  it.each([
    ['2026-03-29', 60, 23, '2026-03-28T23:00:00Z', '2026-03-29T21:00:00Z'],
    ['2026-10-25', 60, 25, '2026-10-24T22:00:00Z', '2026-10-25T22:00:00Z'],
    ['2026-03-29', 15, 92, '2026-03-28T23:00:00Z', '2026-03-29T21:45:00Z'],
    ['2026-10-25', 15, 100, '2026-10-24T22:00:00Z', '2026-10-25T22:45:00Z'],
  ] as const)('maps %s at %i minutes to %i intervals', async (isoDay, resolution, count, first, last) => {
    const name = resolution === 60 ? 'load-forecast/IT' : 'load-forecast/nord'
    const item = fundamentalDay(name, isoDay, (n) => 20_000 + n, resolution)
    const counts = { stored: count, unchanged: 0, corrected: 0, outranked: 0 }
    expect(await storeFundamentals(sql, [item], { ...LOAD, at: '2026-11-01T12:00:00Z' })).toEqual(counts)
    const again = await storeFundamentals(sql, [item], { ...LOAD, at: '2026-11-02T12:00:00Z' })
    expect(again).toEqual({ ...counts, stored: 0, unchanged: count })
    const values = await read(name, isoDay, resolution === 60 ? 'hour' : 'quarter')
    expect(values).toHaveLength(count)
    expect([values[0]?.startsAt.toString(), values.at(-1)?.startsAt.toString()]).toEqual([first, last])
  })

  it('leaves gaps, and keeps stored values that a later document lacks', async () => {
    const gaps = fundamentalDay('load-forecast/IT', '2026-06-01', (n) => (n === 3 ? undefined : 30_000))
    await storeFundamentals(sql, [gaps], { ...LOAD, at: '2026-05-31T08:00:00Z' })
    expect(await read('load-forecast/IT', '2026-06-01')).toHaveLength(23)
    const rest = fundamentalDay('load-forecast/IT', '2026-06-01', (n) => (n === 3 ? 31_000 : undefined))
    const counts = await storeFundamentals(sql, [rest], { ...LOAD, at: '2026-05-31T08:30:00Z' })
    expect(counts).toEqual({ stored: 1, unchanged: 0, corrected: 0, outranked: 0 })
    expect(await read('load-forecast/IT', '2026-06-01')).toHaveLength(24)
  })

  it('refuses an unknown source and stores nothing', async () => {
    const item = fundamentalDay('load-forecast/IT', '2026-06-02', () => 1)
    await expect(storeFundamentals(sql, [item], { source: 'nobody', at: '2026-06-01T08:00:00Z' })).rejects.toThrow()
    expect(await read('load-forecast/IT', '2026-06-02')).toEqual([])
  })

  it('replaces hours with quarter-hours of the same source, but not the reverse', async () => {
    const hours = fundamentalDay('load-forecast/nord', '2026-06-03', () => 100)
    const quarters = fundamentalDay('load-forecast/nord', '2026-06-03', (n) => 100 + n, 15)
    await storeFundamentals(sql, [hours], { ...LOAD, at: '2026-06-02T08:00:00Z' })
    await storeFundamentals(sql, [quarters], { ...LOAD, at: '2026-06-02T09:00:00Z' })
    expect((await read('load-forecast/nord', '2026-06-03'))[0]?.value).toBe((101 + 102 + 103 + 104) / 4)
    const back = await storeFundamentals(sql, [hours], { ...LOAD, at: '2026-06-02T10:00:00Z' })
    expect(back).toEqual({ stored: 0, unchanged: 0, corrected: 0, outranked: 24 })
    expect((await read('load-forecast/nord', '2026-06-03', 'hour', '2026-06-02T08:30:00Z'))[0]?.value).toBe(100)
    expect(await read('load-forecast/nord', '2026-06-03', 'quarter', '2026-06-02T08:30:00Z')).toEqual([])
  })

  it('replaces values of a lower-priority source, but not those of a higher-priority one', async () => {
    const good = fundamentalDay('load-forecast/IT', '2026-06-04', () => 200)
    const poor = fundamentalDay('load-forecast/IT', '2026-06-04', () => 300)
    await storeFundamentals(sql, [poor], { source: 'simulated-forecasts', at: '2026-06-03T07:00:00Z' })
    const better = await storeFundamentals(sql, [good], { ...LOAD, at: '2026-06-03T08:00:00Z' })
    expect(better).toMatchObject({ corrected: 24 })
    const worse = { source: 'simulated-forecasts', at: '2026-06-03T09:00:00Z' }
    expect(await storeFundamentals(sql, [poor], worse)).toMatchObject({ outranked: 24 })
    expect((await read('load-forecast/IT', '2026-06-04'))[0]?.value).toBe(200)
  })
})

it('a refused day of a fundamental is quarantined and cannot be accepted manually, only corrected by another document', async () => {
  const limits = await loadPriceLimits(sql)
  const clock = { now: () => at('2026-06-05T08:00:00Z') }
  const session = ingestSession({ sql, clock, limits, source: LOAD.source })
  const document = { sha256: 'b'.repeat(64), address: 'load.xml', bytes: 1, fetchedAt: clock.now() }
  await session.add(
    fundamentalDay('load-forecast/IT', '2026-06-06', (n) => (n === 7 ? 0 : 30_000)),
    document,
  )
  const { refused, read: values } = await session.finish()
  expect([values, refused]).toMatchObject([24, [{ series: 'fundamental:load-forecast/IT', day: '2026-06-06' }]])
  expect(refused[0]?.faults).toMatchObject([
    { code: 'price_out_of_limits', detail: expect.stringMatching(/^0 in hour 7:/) },
  ])
  const [waiting] = await listQuarantine(sql, 'open', 1)
  await expect(acceptQuarantined(sql, waiting?.id ?? 0, clock.now())).rejects.toThrow(/another document/)
  expect(await read('load-forecast/IT', '2026-06-06')).toEqual([])
})

describe('values known at an instant', () => {
  it('count as known from the time they were read, or for history from the usual publication', async () => {
    const live = fundamentalDay('load-forecast/IT', '2026-07-02', () => 500)
    const history = fundamentalDay('load-forecast/IT', '2024-07-02', () => 400)
    await storeFundamentals(sql, [live], { ...LOAD, at: '2026-07-01T08:07:00Z' })
    await storeFundamentals(sql, [history], { ...LOAD, at: '2026-07-01T08:08:00Z' })
    expect(await read('load-forecast/IT', '2026-07-02', 'hour', '2026-07-01T08:06:59Z')).toEqual([])
    expect(await read('load-forecast/IT', '2026-07-02', 'hour', '2026-07-01T08:07:00Z')).toHaveLength(24)
    expect(await read('load-forecast/IT', '2024-07-02', 'hour', '2024-07-01T07:59:59Z')).toEqual([])
    expect(await read('load-forecast/IT', '2024-07-02', 'hour', '2024-07-01T08:00:00Z')).toHaveLength(24) // 10:00 in Rome
  })

  it('are those before a correction until it was read', async () => {
    const first = fundamentalDay('day-ahead-price/CH', '2026-10-25', (n) => n)
    const corrected = fundamentalDay('day-ahead-price/CH', '2026-10-25', (n) => (n === 25 ? -5 : n))
    await storeFundamentals(sql, [first], { ...NEIGHBOURS, at: '2026-10-24T09:12:00Z' })
    const counts = await storeFundamentals(sql, [corrected], { ...NEIGHBOURS, at: '2026-10-24T15:00:00Z' })
    expect(counts).toEqual({ stored: 0, unchanged: 24, corrected: 1, outranked: 0 })
    const hour25 = async (asOf?: string) => (await read('day-ahead-price/CH', '2026-10-25', 'hour', asOf))[24]?.value
    expect(await hour25('2026-10-24T14:59:59Z')).toBe(25)
    expect(await hour25('2026-10-24T15:00:00Z')).toBe(-5)
    expect(await hour25()).toBe(-5)
    expect((await read('day-ahead-price/CH', '2026-10-25', 'day', '2026-10-24T14:00:00Z'))[0]?.value).toBe(13)
    expect((await read('day-ahead-price/CH', '2026-10-25', 'day', '2026-10-24T16:00:00Z'))[0]?.value).toBe(295 / 25)
  })

  it('are the same once compressed, and include the value of a later correction', async () => {
    const days = [
      ['2023-03-26', 23],
      ['2023-10-29', 25],
    ] as const
    const correct = (value: number, readAt: string) =>
      storeFundamentals(
        sql,
        days.map(([isoDay]) => fundamentalDay('day-ahead-price/CH', isoDay, () => value)),
        { ...NEIGHBOURS, at: readAt },
      )
    const mean = async (asOf: string) =>
      Promise.all(days.map(async ([isoDay]) => (await read('day-ahead-price/CH', isoDay, 'day', asOf))[0]?.value))
    await correct(1, '2023-11-01T09:00:00Z')
    await correct(2, '2023-11-02T09:00:00Z')
    await compressOldChunks(sql, '2024-01-01')
    const loose = await sql`
      select chunk_name from timescaledb_information.chunks
      where hypertable_name = 'fundamental_revisions' and range_end <= '2024-01-01' and not is_compressed`
    expect(loose).toEqual([])
    await correct(3, '2023-11-03T09:00:00Z')
    expect(await mean('2023-11-01T10:00:00Z')).toEqual([1, 1])
    expect(await mean('2023-11-02T10:00:00Z')).toEqual([2, 2])
    expect(await mean('2023-11-03T10:00:00Z')).toEqual([3, 3])
    const [former] = await sql`
      select count(*)::integer from fundamental_revisions where area = 'CH' and market_day = any (${days.map(([isoDay]) => isoDay)})`
    expect(former?.count).toBe(2 * (23 + 25))
  })

  it('are listed as versions of whole days, each with the time it became known', async () => {
    const broken = fundamentalDay('day-ahead-price/AT', '2026-10-26', (n) => (n === 1 ? undefined : n))
    await storeFundamentals(sql, [broken], { ...NEIGHBOURS, at: '2026-10-25T12:00:00Z' })
    const versions = await fundamentalVersions(sql, {
      ...{ series: ['day-ahead-price'], areas: ['CH', 'AT'] },
      ...{ from: day('2026-10-25'), to: day('2026-10-26') },
    })
    const series = { series: 'day-ahead-price', area: 'CH', day: '2026-10-25' }
    expect(versions).toEqual([
      { ...series, knownAtMs: Date.parse('2026-10-24T09:12:00Z'), values: Array.from({ length: 25 }, (_, i) => i + 1) },
      {
        ...series,
        knownAtMs: Date.parse('2026-10-24T15:00:00Z'),
        values: [...Array.from({ length: 24 }, (_, i) => i + 1), -5],
      },
    ])
  })
})

describe('the aggregates of fundamentals', () => {
  it('have hourly values, and daily means of complete days only, including 23 and 25 hours', async () => {
    const items = [
      fundamentalDay('wind-forecast/IT', '2026-03-29', (n) => n, 15),
      fundamentalDay('wind-forecast/IT', '2026-10-25', (n) => n),
      fundamentalDay('wind-forecast/IT', '2026-10-26', (n) => (n < 10 ? n : undefined)),
    ]
    await storeFundamentals(sql, items, { source: 'entsoe-renewables-forecast', at: '2026-10-27T00:00:00Z' })
    await refreshAggregates(sql)
    expect((await read('wind-forecast/IT', '2026-03-29', 'day')).map(({ value }) => value)).toEqual([46.5])
    expect((await read('wind-forecast/IT', '2026-10-25', 'day')).map(({ value }) => value)).toEqual([13])
    expect(await read('wind-forecast/IT', '2026-10-26', 'day')).toEqual([])
    const [hour] = await sql`
      select value, minutes from analytics.fundamentals_by_hour
      where series = 'wind-forecast' and starts_at = '2026-03-28T23:00:00Z'`
    expect(hour).toEqual({ value: 2.5, minutes: 60 })
    const days = await sql`
      select market_day, value, minutes, is_complete from analytics.fundamentals_by_day
      where series = 'wind-forecast' order by market_day`
    expect([...days]).toEqual([
      { market_day: '2026-03-29', value: 46.5, minutes: 1380, is_complete: true },
      { market_day: '2026-10-25', value: 13, minutes: 1500, is_complete: true },
      { market_day: '2026-10-26', value: null, minutes: 540, is_complete: false },
    ])
  })

  it('list the series and the complete days of a publisher', async () => {
    const list = await fundamentalStore(sql).list()
    expect(list.find(({ series }) => series === 'wind-forecast')).toEqual({
      ...{ series: 'wind-forecast', area: 'IT', firstDay: '2026-03-29', lastDay: '2026-10-26', resolutionMinutes: 60 },
      sourceIds: ['entsoe-renewables-forecast'],
    })
    const publisher = { id: 'entsoe-renewables-forecast', zones: [], assets: [], offerLists: [] }
    const fundamentals = [{ series: 'wind-forecast', area: 'IT' }] as const
    const complete = await listCompleteDays(sql, { ...publisher, fundamentals }, day('2026-10-24'), day('2026-10-27'))
    expect(complete).toEqual(['2026-10-25'])
  })
})

const FILES = [
  'fundamentals/italy_load_generation_hourly_2015_2023.csv.gz',
  'fundamentals/italy_res_forecast_simulated_2015_2023.csv.gz',
  'neighbours/neighbour_day_ahead_hourly_2020_2023.csv.gz',
].map((file) => sharedData(file) ?? '')
/** The last autumn with its change day; all years in a long run. */
const SINCE = isLongRun ? '2015-01-01' : '2023-10-01'

/** Writes the lines of a file from that day on to a new file; returns it with the number of values per column. */
async function realYears(file: string, folder: string) {
  const [header = '', ...lines] = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
  const rows = lines.filter((line) => line >= SINCE).map((line) => line.split(','))
  const written = path.join(folder, path.basename(file, '.gz'))
  await writeFile(written, `${[header, ...rows.map((row) => row.join())].join('\n')}\n`)
  const count = (at: number) => rows.filter((row) => row[at] !== '').length
  return { written, counts: Object.fromEntries(header.split(',').map((column, at) => [column, count(at)])) }
}

describe.skipIf(FILES.includes(''))(needsSharedData('real history'), () => {
  it('is imported unchanged, as known from its publication', async () => {
    await using scratch = new AsyncDisposableStack()
    const folder = await scratchFolder(scratch)
    await using real = await testDatabase()
    const { sql } = real.database
    const clock = { now: () => at('2026-11-22T10:00:00Z') }
    const years = await Promise.all(FILES.map((file) => realYears(file, folder)))
    const paths = years.map(({ written }) => written)
    const given = Object.assign({}, ...years.map(({ counts }) => counts)) as Record<string, number>
    const summary = await importFiles({ database: real.database, clock, paths })
    expect(summary.refused).toEqual([])
    const counts = await sql`
      select series || '/' || area as name, count(*)::int as rows from fundamentals group by 1 order by 1`
    const stored = Object.fromEntries(counts.map(({ name, rows }) => [name, rows]))
    expect(stored).toMatchObject({
      'load-forecast/IT': given.load_forecast_mw,
      'load/IT': given.load_mw,
      'generation-solar/IT': given.solar_mw,
      'wind-forecast-simulated/IT': given.wind_forecast_sim_mw,
      'day-ahead-price/FR': given.fr,
      'day-ahead-price/CH': given.ch,
      'consumption-hydro-pumped/IT': given.hydro_pumped_cons_mw,
    })
    expect(stored['load/IT']).toBeGreaterThanOrEqual(92 * 24)
    const [peak] = await sql`
      select value, known_at, source from fundamentals
      where series = 'load-forecast' and area = 'IT' and starts_at = '2023-12-31T21:00:00Z'`
    expect(peak).toMatchObject({ value: 23_448, source: 'entsoe-load-forecast' })
    expect(String(peak?.known_at)).toBe('2023-12-30T09:00:00Z')
    const [swiss] = await sql`
      select value, known_at from fundamentals where series = 'day-ahead-price' and area = 'CH' and starts_at = '2023-12-31T22:00:00Z'`
    expect(swiss).toMatchObject({ value: 9.51 })
    expect(String(swiss?.known_at)).toBe('2023-12-30T10:10:00Z')
    const again = await importFiles({ database: real.database, clock, paths })
    expect(again).toMatchObject({ stored: 0, corrected: 0 })
    const versions = await fundamentalVersions(sql, {
      ...{ series: ['load-forecast', 'day-ahead-price'], areas: ['IT', 'CH', 'FR', 'AT'] },
      ...{ from: day('2023-10-01'), to: day('2023-12-31') },
    })
    expect(versions.filter(({ series }) => series === 'load-forecast')).toHaveLength(92)
  })
})
