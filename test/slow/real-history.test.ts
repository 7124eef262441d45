/** The operator's real prices of 21 years, imported as by any user and read back from the aggregates. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFiles } from '../../src/ingest/import-files.ts'
import type { IngestSummary } from '../../src/ingest/ingest.ts'
import { hoursInMarketDay } from '../../src/market/market-day.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { analyzeIfGrown } from '../../src/store/maintenance.ts'
import { queryText } from '../../src/store/sql-files.ts'
import { hasTimescale, needsTimescale, type TestDatabase, testDatabase } from '../support/database.ts'
import { needsSharedData, sharedData } from '../support/shared-data.ts'

/** The second file is read for PUN only, which is enough here and takes an eighth of the time. */
const FILES = [
  { file: sharedData('power/gme_pun_hourly_2004-04_2022-12.csv.gz'), column: 'pun_eur_mwh', hours: 164_377 },
  { file: sharedData('power/gme_mgp_zonal_hourly_2023-01_2024-12.csv.gz'), column: 'pun', hours: 17_544 },
]
/** Months from 2020 to 2024, PUN in €/kWh. */
const INDICES = sharedData('raw/arera/prezzi_storici_indici_2020-01_2024-12.csv')
const FIRST_DAY = Temporal.PlainDate.from('2004-04-01')
const LAST_DAY = Temporal.PlainDate.from('2024-12-31')
/** As published by the operator, €/MWh. */
const YEARLY_MEANS = { 2020: 38.92, 2021: 125.46, 2022: 303.95, 2023: 127.24, 2024: 108.52 }

describe.skipIf(FILES.some(({ file }) => file === undefined))(needsSharedData('the real history'), () => {
  let db: TestDatabase
  const summaries: IngestSummary[] = []
  beforeAll(async () => {
    db = await testDatabase()
    for (const { file = '', column } of FILES) {
      summaries.push(await importFiles({ database: db.database, clock: makeClock(), paths: [file], column }))
    }
    await refreshAggregates(db.database.sql)
    await analyzeIfGrown(db.database.sql)
  })
  afterAll(() => db?.stop())

  it('is stored whole', () => {
    expect(summaries).toMatchObject(FILES.map(({ hours }) => ({ stored: hours, corrected: 0, refused: [] })))
  })

  it('has the published yearly means', async () => {
    const rows = await db.database.sql<{ year: number; mean: number }[]>`
      select extract(year from starts_at at time zone 'Europe/Rome')::integer as year,
             sum(price_eur_mwh * minutes) / sum(minutes) as mean
      from zone_prices_daily where zone = 'nazionale' group by 1`
    const means = new Map(rows.map(({ year, mean }) => [year, mean]))
    for (const [year, published] of Object.entries(YEARLY_MEANS)) {
      expect(Math.abs((means.get(Number(year)) ?? Number.NaN) - published), year).toBeLessThanOrEqual(0.01)
    }
  })

  it.skipIf(INDICES === undefined)(needsSharedData('has the monthly means of the regulator'), async () => {
    const [, ...lines] = readFileSync(INDICES as string, 'utf8')
      .trim()
      .split(/\r?\n/)
    const rows = await db.database.sql<{ month: string; mean: number; complete: boolean }[]>`
      select to_char(month, 'YYYYMM') as month, f0_eur_mwh as mean, is_complete as complete
      from analytics.bands_by_month where zone = 'nazionale'`
    const means = new Map(rows.map(({ month, mean, complete }) => [month, complete ? mean : Number.NaN]))
    expect(lines).toHaveLength(60)
    for (const line of lines) {
      const [month = '', eurKwh = ''] = line.split(';')
      const published = Number(eurKwh.replace(',', '.')) * 1000
      expect(Math.abs((means.get(month) ?? Number.NaN) - published), month).toBeLessThanOrEqual(0.006)
    }
  })

  it('has 23, 24 or 25 hours on every market day, numbered without a gap', async () => {
    const stored = await db.database.sql<
      { day: string; hours: number; first: number; last: number; minutes: number }[]
    >`
      select market_day as day, count(distinct ordinal)::integer as hours, min(ordinal) as first, max(ordinal) as last,
             sum(resolution_minutes)::integer as minutes
      from price_intervals where zone = 'nazionale' group by market_day order by market_day`
    expect([...stored]).toEqual(everyDay())
    const shown = await db.database.sql<{ day: string; hours: number }[]>`
      select market_day as day, intervals as hours from zone_prices_daily where zone = 'nazionale' order by starts_at`
    expect([...shown]).toEqual(everyDay().map(({ day, hours }) => ({ day, hours })))
  })

  it.runIf(hasTimescale).each([
    ['daily_prices_find_latest', ['PUN', '2024-12-25', '2024-12-31']],
    ['daily_prices_list_series', ['PUN', '2024-11-01', '2024-11-30']],
    ['zone_hours_list_days', ['nazionale', '2024-06-01', '2024-06-01']],
    ['zone_spreads_find_day', ['2024-06-01', '{nord,sud}']],
  ])(needsTimescale('is read by index: %s'), async (name, parameters) => {
    const plan = await db.database.sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain ${queryText(name)}`, parameters)
    const scans = plan.map((line) => line['QUERY PLAN']).filter((line) => line.includes('_hyper_'))
    expect(scans.length).toBeGreaterThan(0)
    expect(scans.filter((line) => line.includes('Seq Scan'))).toEqual([])
  })
})

function everyDay() {
  return Array.from({ length: FIRST_DAY.until(LAST_DAY).days + 1 }, (_, i) => {
    const day = FIRST_DAY.add({ days: i })
    const hours = hoursInMarketDay(day)
    return { day: day.toString(), hours, first: 1, last: hours, minutes: hours * 60 }
  })
}
