/** A day with only a daily mean: the mean is its PUN, marked as such, until its intervals arrive. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { DATASETS } from '../../../src/delivery/bulk/datasets/index.ts'
import { makeFiles } from '../../../src/delivery/bulk/make-files.ts'
import { priceVersions } from '../../../src/store/price-versions.ts'
import { detectCrossingsAt } from '../../support/alerts.ts'
import { isEmbedded } from '../../support/database.ts'
import { duckRows } from '../../support/duck-db.ts'
import { linesOf } from '../../support/lines.ts'
import { getPage } from '../../support/pages.ts'
import { dailyPrice, storePrices, zoneDay } from '../../support/prices.ts'
import { scratchFolderOfFile } from '../../support/scratch-folder.ts'
import { serviceOfFile } from '../../support/service.ts'

const NOW = '2026-10-25T15:00:00Z'
const SPRING = '2026-03-29'
const TODAY = '2026-10-25'
const TOMORROW = '2026-10-26'
const GAPS = '2026-10-23'
const WHOLE = '2026-10-24'
/** Enough for the trading indicators. */
const BEFORE = Array.from({ length: 22 }, (_, i) => `2026-10-${String(i + 1).padStart(2, '0')}`)

const folder = await scratchFolderOfFile()
const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('Enterprise')
const { prices, ...gaps } = zoneDay('nazionale', GAPS, 15, () => 90)
const fuels = (['PSV', 'TTF', 'CO2'] as const).map((asset) => dailyPrice(asset, TODAY, 30))
await service.seed([
  ...[SPRING, TODAY, TOMORROW, GAPS].map((day, i) => dailyPrice('PUN', day, 100 + i)),
  { ...gaps, prices: prices.map((price, i) => (i < 90 ? price : undefined)) },
  zoneDay('nazionale', WHOLE, 15, () => 95),
  zoneDay('nord', TODAY, 15, () => 99),
  ...fuels,
  ...BEFORE.flatMap((day, i) => [dailyPrice('PUN', day, 80 + i), dailyPrice('PSV', day, 30 + i)]),
])

const ask = (path: string) => service.ask(`/v1${path}`, { headers: { authorization } })
const points = async (query: string) => (await ask(`/prices/pun/series?${query}`)).json().points

describe('a day with only a daily mean', () => {
  it('is marked in the series and in current prices', async () => {
    expect(await points(`from=${GAPS}&to=${TOMORROW}`)).toEqual([
      { date: GAPS, value: 103, basis: 'daily_mean' },
      { date: WHOLE, value: 95 },
      { date: TODAY, value: 101, basis: 'daily_mean' },
      { date: TOMORROW, value: 102, basis: 'daily_mean' },
    ])
    expect(await points(`from=${SPRING}&to=${SPRING}`)).toEqual([{ date: SPRING, value: 100, basis: 'daily_mean' }])
    expect((await ask('/pun/today')).json()).toMatchObject({ date: TODAY, value_native: 101, basis: 'daily_mean' })
    const { values } = (await ask('/today')).json() as { values: Record<string, object> }
    expect(values.PUN).toMatchObject({ value_native: 101, basis: 'daily_mean' })
    expect(values.PSV).not.toHaveProperty('basis')
  })

  it('is marked in a CSV column that is omitted if no day needs it', async () => {
    const csv = await ask(`/prices/pun/series?from=${WHOLE}&to=${TODAY}&format=csv`)
    expect(csv.text).toBe(
      `asset;unit;date;value;basis\r\nPUN;€/MWh;${WHOLE};95;\r\nPUN;€/MWh;${TODAY};101;daily_mean\r\n`,
    )
    const usual = await ask(`/prices/pun/series?from=${WHOLE}&to=${WHOLE}&format=csv`)
    expect(usual.text).toBe(`asset;unit;date;value\r\nPUN;€/MWh;${WHOLE};95\r\n`)
  })

  it('returns 404 for its hours, or 503 while they may still be published', async () => {
    expect(await ask(`/pun/hourly?date=${SPRING}`)).toMatchObject({
      status: 404,
      text: expect.stringContaining(`Of the PUN of ${SPRING} only the daily mean is known`),
    })
    for (const day of [TODAY, TOMORROW]) {
      const answer = await ask(`/pun/hourly?date=${day}`)
      expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('only the daily mean is known') })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await ask(`/pun/hourly?date=${GAPS}`)).json()).toMatchObject({ count: 22 })
  })

  it('is used by zones, vitals and correlations', async () => {
    const zones = (await ask(`/pun/zones?date=${TODAY}`)).json() as { national: number; zones: object[] }
    expect(zones).toMatchObject({ national: 101, zones: [{ code: 'nord', value: 99, spread_vs_pun: -2 }] })
    expect((await ask(`/trading/vitals?date=${TODAY}`)).json()).toMatchObject({ inputs: { pun: { value: 101 } } })
    const { matrix } = (await ask('/trading/correlation?assets=pun,psv&window=30')).json() as { matrix: object }
    expect(matrix).toEqual([
      [1, expect.any(Number)],
      [expect.any(Number), 1],
    ])
  })

  it('is marked in bulk files', async () => {
    const file = path.join(folder, 'daily.parquet')
    await service.sql`update sources set redistributable = true where id = 'gme-mgp'`
    const bulkFile = { dataset: DATASETS['prices-daily'], format: 'parquet', file, isServer: !isEmbedded } as const
    await makeFiles(service.sql, bulkFile)
    const rows = await duckRows(
      `select date::text as date, value_native, basis from '${file}' where asset = 'PUN' and date between '${GAPS}' and '${TODAY}' order by 1`,
    )
    expect(linesOf(rows)).toEqual([`${GAPS} 103 daily_mean`, `${WHOLE} 95 intervals`, `${TODAY} 101 daily_mean`])
  })

  it('is evaluated by alerts', async () => {
    await detectCrossingsAt(service.sql, Temporal.Instant.from(NOW))
    const days = await service.sql`select market_day, price_eur_mwh from alert_days where asset = 'pun' order by 1`
    expect(linesOf(days)).toEqual([`${TODAY} 101`, `${TOMORROW} 102`])
  })

  it('is marked in the analyst views', async () => {
    const rows = await service.sql`
      select market_day, price, basis from analytics.price_index where asset = 'PUN' and market_day not between '2026-10-01' and '2026-10-22' order by market_day`
    expect(linesOf(rows)).toEqual([
      `${SPRING} 100 daily_mean`,
      `${GAPS} 103 daily_mean`,
      `${WHOLE} 95 intervals`,
      `${TODAY} 101 daily_mean`,
      `${TOMORROW} 102 daily_mean`,
    ])
  })

  it('is shown in the status and on web pages', async () => {
    const { sources } = (await ask('/status')).json() as {
      sources: { id: string; series: { series: string; latest_market_day: string }[] }[]
    }
    const gme = sources.find(({ id }) => id === 'gme-mgp')?.series
    expect(gme?.find(({ series }) => series === 'PUN')).toMatchObject({ latest_market_day: TOMORROW, complete: true })
    const english = await getPage(service.baseUrl, '/en/prices/pun')
    expect(english.html).toContain('Only the mean of the day is known, not its hours.')
    expect(english.html).toContain('Days with a daily mean only, no hours: 25.')
    const italian = await getPage(service.baseUrl, '/it/')
    expect(italian.html).toContain('È nota solo la media del giorno, non le sue ore.')
    expect((await getPage(service.baseUrl, '/en/status')).status).toBe(200)
  })

  it('is passed to the models as a price without intervals', async () => {
    const { versions } = await priceVersions(service.sql, 'PUN', Temporal.PlainDate.from('2026-10-01'))
    expect(versions.find(({ day }) => day === TODAY)).toMatchObject({ price: 101, intervals: null, synthetic: false })
  })
})

describe('intervals', () => {
  it('replace the mean once complete; as_of still returns the mean', async () => {
    await service.seed([zoneDay('nazionale', TODAY, 15, () => 111), zoneDay('nazionale', SPRING, 15, () => 112)], {
      at: Temporal.Instant.from('2026-10-25T14:30:00Z'),
    })
    expect(await points(`from=${TODAY}&to=${TODAY}`)).toEqual([{ date: TODAY, value: 111 }])
    expect(await points(`from=${SPRING}&to=${SPRING}`)).toEqual([{ date: SPRING, value: 112 }])
    expect(await points(`from=${TODAY}&to=${TODAY}&as_of=2026-10-25T14:00:00Z`)).toEqual([
      { date: TODAY, value: 101, basis: 'daily_mean' },
    ])
    expect((await ask(`/pun/hourly?date=${TODAY}`)).json()).toMatchObject({ count: 25 })
  })

  it('are not replaced by a mean, which is counted as outranked and not stored', async () => {
    const means = [TODAY, SPRING, WHOLE, TOMORROW].map((day) => dailyPrice('PUN', day, 7))
    expect(await storePrices(service.sql, [...means, dailyPrice('PSV', TOMORROW, 31)])).toEqual({
      stored: 1,
      unchanged: 0,
      corrected: 1,
      outranked: 3,
    })
    await service.seed([])
    expect(await points(`from=${WHOLE}&to=${TOMORROW}`)).toEqual([
      { date: WHOLE, value: 95 },
      { date: TODAY, value: 111 },
      { date: TOMORROW, value: 7, basis: 'daily_mean' },
    ])
    expect(await storePrices(service.sql, means)).toMatchObject({ stored: 0, unchanged: 1, corrected: 0, outranked: 3 })
  })
})
