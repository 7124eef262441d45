import { describe, expect, it } from 'vitest'
import { gateDailyPrice, gateZoneDay } from '../../../src/ingest/gate.ts'
import { type ReadOptions, readDocuments } from '../../../src/ingest/read-documents.ts'
import { intervalsInMarketDay } from '../../../src/market/market-day.ts'
import type { Fault } from '../../../src/publishers/faults.ts'
import type { DailyPrice, Parsed, ZoneDay } from '../../../src/publishers/observations.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'

const LIMITS = { priceLimits: { min: -500, max: 4000 } }

describe.skipIf(!sharedData('power'))(needsSharedData("the operator's hourly results"), () => {
  it.each([
    ['power/gme_pun_hourly_2004-04_2022-12.csv.gz', 6_849, 164_377],
    ['power/gme_mgp_zonal_hourly_2023-01_2024-12.csv.gz', 731 * 8, 17_544 * 8],
    ['power/entsoe_it_zonal_hourly_2023.csv.gz', 341 * 7, 8_184 * 7],
    ['raw/gme/20210830MGPPrezzi.xml', 8, 24 * 8],
  ])('%s is accepted whole, with the right number of hours each day', async (file, zoneDays, prices) => {
    const { items, refused } = await readShared(file)
    expect(refused).toEqual([])
    const days = items.filter((item) => item.kind === 'zone-day')
    expect(days).toHaveLength(zoneDays)
    expect(items).toHaveLength(zoneDays)
    expect(days.filter(({ day, prices }) => prices.length !== intervalsInMarketDay(day, 60))).toEqual([])
    expect(days.reduce((sum, { prices }) => sum + prices.length, 0)).toBe(prices)
  })

  it('of 2022 by zone lack one hour, and only that day is refused', async () => {
    const { items, refused } = await readShared('power/gme_mgp_zonal_hourly_2022.csv.gz')
    expect(items).toHaveLength(365 * 8)
    expect(refused.map(({ detail }) => detail)).toEqual(new Array(8).fill('hour 25 is missing (24 of 25)'))
    expect(new Set(refused.map(({ place }) => place.split(' ')[1]))).toEqual(new Set(['2022-10-30']))
  })

  it('are the same in the XML of a day and in the history', async () => {
    const xml = await readShared('raw/gme/20210830MGPPrezzi.xml')
    const history = await readShared('power/gme_pun_hourly_2004-04_2022-12.csv.gz')
    expect(punOf(xml.items, '2021-08-30')).toEqual(punOf(history.items, '2021-08-30'))
  })
})

describe.skipIf(!sharedData('gas'))(needsSharedData('daily prices'), () => {
  it.each<[string, ReadOptions, string, number]>([
    ['power/gme_pun_daily_2022-01_2024-12.csv', {}, 'PUN', 1_096],
    ['power/ember_italy_daily_2015-01_2023-02.csv', { asset: 'pun' }, 'PUN', 2_981],
    ['gas/gme_mgpgas_psv_daily_2020-10_2024-09.csv', {}, 'PSV', 1_461],
    ['gas/ttf_front_month_daily_2019_2024.csv', {}, 'TTF', 1_510],
    ['gas/eex_ttf_dayahead_eod_egsi_2024-08_2025-12.csv', {}, 'TTF', 478],
    ['gas/eex_ttf_dayahead_eod_egsi_2024-08_2025-12.csv', { column: 'ttf_egsi_eur_mwh' }, 'TTF', 494],
    ['oil/brent_daily_1987_2024.csv', {}, 'Brent', 9_546],
    ['co2/eex_eua_primary_auctions_2012_2022.csv', {}, 'CO2', 2_040],
  ])('%s with %j is %s on %i days', async (file, options, asset, count) => {
    const { items, refused } = await readShared(file, options)
    expect(refused).toEqual([])
    const daily = items.filter((item) => item.kind === 'daily-price')
    expect(items).toHaveLength(count)
    expect(new Set(daily.map((item) => item.asset))).toEqual(new Set([asset]))
    expect(new Set(daily.map(({ day }) => String(day))).size).toBe(count)
  })

  it('of CO2 in 2020 have the published mean of the general auctions', async () => {
    const { items } = await readShared('co2/eex_eua_primary_auctions_2012_2022.csv')
    const days = items.filter((item) => item.kind === 'daily-price' && item.day.year === 2020) as DailyPrice[]
    expect(days.reduce((sum, { price }) => sum + (price as number), 0) / days.length).toBeCloseTo(24.39, 1)
  })
})

describe.skipIf(!sharedData('raw'))(needsSharedData('other real files'), () => {
  it.each([
    ['monthly/ember_italy_monthly_2015_2024.csv', /no column of days/],
    ['power/ember_italy_daily_2015-01_2023-02.csv', /pass --asset/],
    ['raw/gme/20210922MGPPrezziConvenzionali.xml', /conventional prices/],
  ])('%s is refused with its specific reason', async (file, reason) => {
    const { items, refused } = await readShared(file)
    expect(items).toHaveLength(1)
    expect(refused).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(reason) }])
  })
})

/** The content of a real file, and all faults that the gate finds in it. */
async function readShared(file: string, options: ReadOptions = {}): Promise<{ items: Parsed[]; refused: Fault[] }> {
  const items: Parsed[] = []
  for await (const { parsed } of readDocuments(sharedData(file) ?? file, options))
    items.push(...(await Array.fromAsync(parsed)))
  return { items, refused: items.flatMap(faultsOf) }
}

function faultsOf(item: Parsed): Fault[] {
  if (item.kind === 'document-fault') return [item.fault]
  const verdict = item.kind === 'zone-day' ? gateZoneDay(item, LIMITS) : gateDailyPrice(item as DailyPrice, LIMITS)
  return verdict.accepted ? [] : verdict.faults
}

function punOf(items: Parsed[], day: string): ZoneDay['prices'] | undefined {
  return items.find(
    (item): item is ZoneDay => item.kind === 'zone-day' && item.zone === 'nazionale' && String(item.day) === day,
  )?.prices
}
