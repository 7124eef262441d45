/** Every publisher through the whole pipeline: from a real server's bytes to rows in the database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { FETCHED_PUBLISHERS } from '../../src/publishers/sources.ts'
import { type FetchHarness, startFetching } from '../support/fetching.ts'
import { fundamentalHours, weatherAt } from '../support/publishers/fundamentals.ts'
import { CREDENTIALS } from '../support/publishers/index.ts'
import { type DailyAsset, dailyPriceOf, zonePriceOf } from '../support/publishers/truth.ts'

const day = (text: string) => Temporal.PlainDate.from(text)

describe.each(['api', 'public'] as const)('with GME %s', (gme) => {
  let fetching: FetchHarness
  beforeAll(async () => {
    fetching = await startFetching({ now: '2026-11-20T20:00:00Z', gme })
  })
  afterAll(() => fetching[Symbol.asyncDispose]())

  it('every source is on', () => {
    expect(fetching.ctx.sources.enabled.map(({ source }) => source)).toEqual(FETCHED_PUBLISHERS.map(({ id }) => id))
    expect(fetching.ctx.sources.off).toEqual([])
  })

  it.each([
    ['2026-03-29', 92],
    ['2026-10-25', 100],
    ['2026-11-21', 96],
  ])('the zones of %s are stored in quarter-hours', async (text, count) => {
    const report = await fetching.ingest('gme-mgp', text)
    expect(report).toMatchObject({ outcome: 'complete', refused: [], counts: { stored: count * 8, corrected: 0 } })
    const rows = await fetching.db.database.sql<{ zone: string; prices: number[] }[]>`
      select zone, array_agg(price_eur_mwh order by ordinal) as prices from price_intervals
      where market_day = ${text}::date and source = 'gme-mgp' and resolution_minutes = 15 group by zone`
    expect(rows).toHaveLength(8)
    for (const zone of STORED_ZONES) {
      const truth = Array.from({ length: count }, (_, index) => zonePriceOf(zone, day(text), index + 1))
      expect(rows.find((row) => row.zone === zone)?.prices).toEqual(truth)
    }
  })

  it('several days are fetched at once, across the change to quarter-hours', async () => {
    const report = await fetching.ingest('gme-mgp', '2025-09-30/2025-10-02')
    expect(report).toMatchObject({ outcome: 'complete', counts: { stored: 8 * (24 + 96 + 96) } })
    expect(report.completeDays.map(String)).toEqual(['2025-09-30', '2025-10-01', '2025-10-02'])
  })

  it('fetching the same day again changes nothing', async () => {
    const { counts } = await fetching.ingest('gme-mgp', '2026-11-21', { conditional: false })
    expect(counts).toEqual({ stored: 0, unchanged: 768, corrected: 0, outranked: 0 })
  })

  it('a day not yet published is reported as such, without a fault', async () => {
    const report = await fetching.ingest('gme-mgp', '2026-11-22')
    expect(report).toMatchObject({ outcome: 'not-published', refused: [] })
    expect(report.missingDays.map(String)).toEqual(['2026-11-22'])
  })

  it.each([
    ['PSV', 'gme-mgas', '2026-03-29/2026-03-31'],
    ['TTF', 'eex-ttf', '2026-11-12/2026-11-20'],
    ['Brent', 'eia-brent', '2026-10-19/2026-11-15'],
    ['CO2', 'eex-eua', '2026-10-19/2026-11-20'],
  ] as const)('%s of %s is stored as published', async (asset, source, days) => {
    const report = await fetching.ingest(source, days)
    expect(report).toMatchObject({ outcome: 'complete', refused: [] })
    const [from = '', to = ''] = days.split('/')
    const rows = await fetching.db.database.sql<{ market_day: string; price: number }[]>`
      select market_day, price from daily_prices
      where asset = ${asset} and source = ${source} and market_day between ${from}::date and ${to}::date order by market_day`
    expect(rows.length).toBeGreaterThan(2)
    for (const { market_day, price } of rows) expect(price).toBe(dailyPriceOf(asset as DailyAsset, day(market_day)))
  })

  it.each(['2026-03-29', '2026-10-25', '2026-11-20'])('the offer lists of %s are stored', async (text) => {
    const report = await fetching.ingest('arera-offers', text)
    expect(report).toMatchObject({ outcome: 'complete', refused: [], offerLists: 5, missingDays: [] })
    const rows = await fetching.db.database.sql<{ dataset: string; offers: number; excluded: number }[]>`
      select dataset, offers, excluded from offer_days where source = 'arera-offers' and day = ${text}::date order by dataset`
    expect(rows.map(({ dataset, offers, excluded }) => [dataset, offers, excluded])).toEqual([
      ['free-dual', 0, 10],
      ['free-gas', 10, 0],
      ['free-power', 10, 0],
      ['placet-gas', 10, 0],
      ['placet-power', 10, 0],
    ])
  })

  it('offer lists of tomorrow are not yet published, and those of today are not sent again', async () => {
    expect(await fetching.ingest('arera-offers', '2026-11-21')).toMatchObject({ outcome: 'not-published' })
    expect(await fetching.ingest('arera-offers', '2026-11-20')).toMatchObject({ outcome: 'complete', offerLists: 0 })
    const again = await fetching.ingest('arera-offers', '2026-11-20', { conditional: false })
    expect(again).toMatchObject({ outcome: 'complete', offerLists: 5 })
    const versions = await fetching.db.database.sql`
      select from offers where source = 'arera-offers' and first_day = '2026-11-20'`
    expect(versions).toHaveLength(40)
  })

  it.each([
    ['entsoe-load-forecast', '2026-03-29/2026-03-30', 'load-forecast', 'IT'],
    ['entsoe-load-forecast', '2026-10-25', 'load-forecast', 'sici'],
    ['entsoe-renewables-forecast', '2026-10-25', 'wind-forecast', 'IT'],
    ['entsoe-actuals', '2026-10-25', 'generation-gas', 'IT'],
    ['entsoe-actuals', '2026-03-29', 'generation-solar', 'nord'],
    ['entsoe-neighbours', '2026-10-25', 'day-ahead-price', 'CH'],
    ['gme-intraday', '2026-10-25', 'mi-a2-price', 'sard'],
    ['entsoe-imbalance', '2026-10-25', 'imbalance-price', 'macro-sud'],
    ['terna-imbalance-preliminary', '2026-10-25', 'imbalance-price-preliminary', 'macro-nord'],
    ['terna-imbalance', '2026-10-25', 'imbalance-volume', 'macro-nord'],
    ['terna-imbalance', '2026-03-29', 'imbalance-price', 'macro-sud'],
  ] as const)('from %s for %s, %s of %s is stored as published', async (source, days, series, area) => {
    const report = await fetching.ingest(source, days)
    expect(report).toMatchObject({ outcome: 'complete', refused: [], missingDays: [] })
    const [text = ''] = days.split('/')
    const rows = await fetching.db.database.sql<{ value: number }[]>`
      select value from fundamentals
      where series = ${series} and area = ${area} and source = ${source} and market_day = ${text}::date order by starts_at`
    const hours = fundamentalHours(series, area, day(text))
    const perHour = rows.length / hours.length
    expect(rows.map(({ value }) => value)).toEqual(hours.flatMap((value) => new Array(perHour).fill(value)))
  })

  it.each(['2026-10-25', '2026-11-22'])(
    'weather of %s comes from one model run, for future days up to its whole range',
    async (text) => {
      const report = await fetching.ingest('open-meteo', text)
      expect(report).toMatchObject({ outcome: 'complete', refused: [], missingDays: [] })
      const rows = await fetching.db.database.sql<{ starts_at: Temporal.Instant; value: number }[]>`
      select starts_at, value from fundamentals
      where series = 'solar-radiation' and area = 'milano' and market_day = ${text}::date order by starts_at`
      expect(rows).toHaveLength(text === '2026-10-25' ? 25 : 24)
      const name = text === '2026-10-25' ? 'shortwave_radiation_previous_day2' : 'shortwave_radiation'
      for (const { starts_at, value } of rows)
        expect(value).toBe(weatherAt(name, 1, starts_at.epochMilliseconds / 1000 + 3600))
      const [reach] = await fetching.db.database
        .sql`select max(market_day) as last from fundamentals where series = 'temperature'`
      expect(reach?.last).toBe(text === '2026-10-25' ? '2026-10-25' : '2026-11-27')
    },
  )

  it('weather across today is fetched as past days and as one model run, unless only changes are requested', async () => {
    const spans = async (conditional: boolean) => {
      const { requests } = fetching.publishers.server('open-meteo')
      requests.length = 0
      const report = await fetching.ingest('open-meteo', '2026-11-16/2026-11-21', { conditional })
      const urls = requests.map(({ url: { searchParams } }) => searchParams)
      return {
        missing: report.missingDays.map(String),
        hours: urls.map((query) => `${query.get('start_hour')} ${query.get('end_hour')}`),
      }
    }
    const future = '2026-11-19T23:00 2026-11-27T23:00'
    expect((await spans(true)).hours).toEqual([future])
    expect(await spans(false)).toEqual({ missing: [], hours: ['2026-11-15T23:00 2026-11-19T23:00', future] })
  })

  it('the User-Agent is sent and no credential is exposed', async () => {
    const agents = FETCHED_PUBLISHERS.map(({ id }) => id)
      .filter((source) => source !== 'arera-offers')
      .flatMap((source) => fetching.publishers.server(source).requests.map(({ headers }) => headers['user-agent']))
    expect([...new Set(agents)]).toEqual(['italian-energy-prices/1.0.0 (+https://energy.example)'])
    const portal = fetching.publishers.server('arera-offers').requests.map(({ headers }) => headers['user-agent'])
    expect([...new Set(portal)]).toEqual(['Mozilla/5.0 (compatible; italian-energy-prices/1.0)'])
    const rows = await fetching.db.database.sql`select address from documents`
    const shown = fetching.logText() + JSON.stringify(rows)
    for (const secret of Object.values(CREDENTIALS)) expect(shown).not.toContain(secret)
  })
})
