import { beforeAll, describe, expect, it } from 'vitest'
import { intervalStart } from '../../src/market/market-day.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { readCatalogue } from '../../src/store/catalogue.ts'
import { databaseOfFile } from '../support/database.ts'
import { linesOf } from '../support/lines.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

const MARCH = '2026-03-29'
const OCTOBER = '2026-10-25'

const { sql } = (await databaseOfFile()).database
beforeAll(async () => {
  const days = [MARCH, OCTOBER, '2026-06-01', '2026-06-02', '2026-06-06']
  await storePrices(sql, [
    ...days.map((day) => zoneDay('nazionale', day, 60, (hour) => hour)),
    ...days.map((day) => zoneDay('nord', day, 15, (quarter) => 100 + quarter)),
    dailyPrice('TTF', MARCH, 31),
    dailyPrice('CO2', '2026-06-02', 70),
    dailyPrice('PUN', '2026-06-02', 999),
    dailyPrice('PUN', '2026-06-03', 55),
  ])
  await storePrices(sql, [
    dailyPrice('TTF', MARCH, 30),
    zoneDay('nord', '2026-06-06', 15, (n) => (n === 1 ? 7 : 100 + n)),
  ])
  await storePrices(sql, [dailyPrice('Brent', MARCH, 60)], { source: 'eia-brent' })
  await sql`delete from price_intervals where zone = 'nord' and market_day = '2026-06-01' and ordinal = 96`
  await refreshAggregates(sql)
})

const query = async (text: string) => [...(await sql.unsafe(text))]
const lines = async (text: string) => linesOf(await query(text))

describe('the views for analysts', () => {
  it('have a comment on every view and column', async () => {
    const { relations } = await readCatalogue(sql)
    const views = relations.filter(({ name }) => name.startsWith('analytics.'))
    expect(views.length).toBeGreaterThanOrEqual(16)
    const silent = views.flatMap(({ name, comment, columns }) => [
      ...(comment === null ? [name] : []),
      ...columns.filter((column) => column.comment === null).map((column) => `${name}.${column.name}`),
    ])
    expect(silent).toEqual([])
  })

  it('are the only relations in their schema, whose functions are read-only', async () => {
    expect(
      await query(`select relname from pg_class where relnamespace = 'analytics'::regnamespace and relkind <> 'v'`),
    ).toEqual([])
    const writing = `pronamespace = 'analytics'::regnamespace and (prosecdef or provolatile = 'v' or prolang <> (select oid from pg_language where lanname = 'sql'))`
    expect(await query(`select proname from pg_proc where ${writing}`)).toEqual([])
  })
})

describe('prices by interval and hour', () => {
  it.each([
    [MARCH, 92, 23],
    [OCTOBER, 100, 25],
    ['2026-06-02', 96, 24],
  ])('of %s have %i quarter-hours and %i hours, each with its start and end', async (day, quarters, hours) => {
    const intervals = await query(
      `select * from analytics.prices_by_interval where zone = 'nord' and market_day = '${day}' order by starts_at`,
    )
    expect(intervals).toHaveLength(quarters)
    expect(intervals.at(-1)).toMatchObject({
      ordinal: quarters,
      resolution_minutes: 15,
      band: 'F3',
      is_synthetic: false,
    })
    const rows = await query(
      `select * from analytics.prices_by_hour where zone = 'nord' and market_day = '${day}' order by starts_at`,
    )
    expect(rows.map(({ hour }) => hour)).toEqual(Array.from({ length: hours }, (_, i) => i + 1))
    const date = Temporal.PlainDate.from(day)
    expect(rows.map(({ starts_at }) => String(starts_at))).toEqual(
      rows.map((_, i) => String(intervalStart(date, i + 1, 60))),
    )
    expect(rows[0]).toMatchObject({ price_eur_mwh: 102.5, minutes: 60, source: 'gme-mgp' })
    const calendar = await query(`select * from analytics.calendar_hours where market_day = '${day}' order by hour`)
    const nextMidnight = String(intervalStart(date.add({ days: 1 }), 1, 60))
    for (const [spans, minutes] of [[intervals, 15] as const, [rows, 60] as const, [calendar, 60] as const]) {
      expect(spans.map(({ ends_at }) => String(ends_at))).toEqual(
        spans.map((_, i) => String(intervalStart(date, i + 2, minutes))),
      )
      expect(String(spans.at(-1)?.ends_at)).toBe(nextMidnight)
    }
  })

  it('are null for an hour with a gap', async () => {
    const hours = `zone = 'nord' and market_day = '2026-06-01' and hour >= 23`
    expect(
      await lines(`select hour, price_eur_mwh, minutes from analytics.prices_by_hour where ${hours} order by hour`),
    ).toEqual(['23 190.5 60', '24 null 45'])
  })
})

describe('prices by day and month', () => {
  const ofDays = (zone: string, days: string) =>
    lines(`select market_day, price_eur_mwh, hour_min_eur_mwh, hour_max_eur_mwh, minutes, expected_minutes, is_complete
      from analytics.prices_by_day where zone = '${zone}' and market_day in (${days}) order by 1`)

  it('are means of whole days, weighted by length', async () => {
    expect(await ofDays('nazionale', `'${MARCH}', '${OCTOBER}'`)).toEqual([
      `${MARCH} 12 1 23 1380 1380 true`,
      `${OCTOBER} 13 1 25 1500 1500 true`,
    ])
  })

  it('are null for a day with gaps, which is excluded from its month', async () => {
    expect(await ofDays('nord', `'2026-06-01'`)).toEqual(['2026-06-01 null null null 1425 1440 false'])
    const [month] = await query(`select * from analytics.prices_by_month where zone = 'nord' and month = '2026-06-01'`)
    expect(month).toMatchObject({ days: 2, days_of_month: 30, is_complete: false, is_synthetic: false })
    expect(month?.price_eur_mwh).toBeCloseTo((2 * 96 * 148.5 - 94) / (2 * 96), 9)
  })
})

describe('prices by band', () => {
  it.each([
    ['a Monday', '2026-06-01', ['F1 14 11', 'F2 18.8 5', 'F3 6.5 8']],
    ['a holiday', '2026-06-02', ['F3 12.5 24']],
    ['a Saturday', '2026-06-06', ['F2 15.5 16', 'F3 6.5 8']],
    ['the Sunday of March', MARCH, ['F3 12 23']],
    ['the Sunday of October', OCTOBER, ['F3 13 25']],
  ])('of %s', async (_, day, expected) => {
    const bands = `analytics.prices_by_band_and_day where zone = 'nazionale' and market_day = '${day}'`
    expect(await lines(`select band, price_eur_mwh, hours from ${bands} order by 1`)).toEqual(expected)
  })

  it('of a month are weighted by hours and agree with the monthly price', async () => {
    const month = `analytics.prices_by_band_and_month where zone = 'nazionale' and month = '2026-06-01'`
    expect(await lines(`select band, hours, days from ${month} order by 1`)).toEqual(['F1 11 1', 'F2 21 2', 'F3 40 3'])
    const [all] = await query(`select sum(price_eur_mwh * hours) / sum(hours) as mean from ${month}`)
    expect(all?.mean).toBeCloseTo(12.5, 9)
  })
})

describe('spreads, indices, corrections', () => {
  it('state the difference from the PUN where both are complete', async () => {
    const nord = (name: string) => `analytics.${name} where zone = 'nord' and market_day`
    expect(
      await lines(`select market_day, spread_eur_mwh from ${nord('spreads_by_day')} < '2026-06-02' order by 1`),
    ).toEqual([`${MARCH} ${146.5 - 12}`])
    expect(await lines(`select count(*) from ${nord('spreads_by_hour')} in ('${OCTOBER}', '2026-06-01')`)).toEqual([
      `${25 + 23}`,
    ])
  })

  it('match the series of the API in the price index', async () => {
    for (const asset of ['PUN', 'PSV', 'TTF', 'Brent', 'CO2']) {
      const index = await query(
        `select market_day, price from analytics.price_index where asset = '${asset}' order by 1`,
      )
      expect(index, asset).toEqual(
        await query(
          `select market_day, price from asset_daily_prices('${asset}', '2026-01-01', '2026-12-31') order by 1`,
        ),
      )
    }
  })

  it('list the indices of a day side by side, null where missing', async () => {
    const overview = 'market_day, pun_eur_mwh, psv_eur_mwh, ttf_eur_mwh, brent_usd_bbl, co2_eur_t, is_synthetic'
    expect(await lines(`select ${overview} from analytics.daily_overview where market_day = '${MARCH}'`)).toEqual([
      `${MARCH} 12 null 30 60 null false`,
    ])
    expect(
      await lines('select asset, price, unit, is_synthetic from analytics.commodity_prices order by asset, market_day'),
    ).toEqual(['Brent 60 $/bbl false', 'CO2 70 €/tCO2 false', 'TTF 30 €/MWh false'])
  })

  it('show the replaced value next to the current one', async () => {
    expect(
      await lines('select kind, series, market_day, price, price_now from analytics.corrections order by kind'),
    ).toEqual([`asset TTF ${MARCH} 31 30`, 'zone nord 2026-06-06 101 7'])
  })
})

describe('offers and forecasts', () => {
  it('show indices without exposing single offers', async () => {
    await query(`insert into offer_index_days (
        day, commodity, price_type, customer, offers, excluded, mean_eur_kwh, reference_asset, spread_mean_eur_kwh, fee_offers, sources,
        reference_sources, computed_at
      ) values ('${MARCH}', 'luce', 'fisso', 'domestico', 7, 1, 0.15, 'PUN', 0.05, 0, '{arera-offers}', '{gme-mgp}', '2026-03-29')`)
    const figures = 'day, offers, excluded, mean_eur_kwh, spread_mean_eur_kwh, is_synthetic'
    expect(await lines(`select ${figures} from analytics.offer_indices`)).toEqual([`${MARCH} 7 1 0.15 0.05 false`])
    expect(
      await query(`select table_name from information_schema.view_table_usage
        where view_schema = 'analytics' and table_name in ('offers', 'offer_revisions', 'alerts', 'api_keys')`),
    ).toEqual([])
  })

  it('show forecasts as issued, their errors and scores', async () => {
    await query(`select issue_forecasts('issued', 'TTF', '2026-06-10T10:00:00Z', '2026-06-09', repeat('0', 64),
      array['published', 'benchmark'], array['a-model', 'naive'], array['1', '1'], array['2026-06-12', '2026-06-12']::date[],
      array[28, 27]::float8[], array[30, 33]::float8[], array[32, 36]::float8[])`)
    await storePrices(sql, [dailyPrice('TTF', '2026-06-12', 31)])
    await query(`select score_forecasts('TTF', '2026-06-12T20:00:00Z')`)
    const forecasts = 'sequence, role, model, target_date, horizon_days, p50, is_synthetic'
    expect(await lines(`select ${forecasts} from analytics.forecasts order by 1`)).toEqual([
      '1 published a-model 2026-06-12 3 30 false',
      '2 benchmark naive 2026-06-12 3 33 false',
    ])
    const published = async (columns: string, view: string) =>
      lines(`select ${columns} from analytics.${view} where role = 'published'`)
    expect(await published('actual, error, in_band', 'forecast_errors')).toEqual(['31 -1 true'])
    expect(await published('forecasts, mae, benchmark_mae, rmae', 'forecast_scores')).toEqual(['1 1 2 0.5'])
  })
})

describe('the calendar', () => {
  it('has a row for every day, with its hours and holiday', async () => {
    expect(
      await lines(`select market_day, hours, is_holiday, holiday, is_working_day, iso_weekday from analytics.calendar
        where market_day in ('${MARCH}', '${OCTOBER}', '2026-04-06', '2026-06-01') order by 1`),
    ).toEqual([
      `${MARCH} 23 false null false 7`,
      '2026-04-06 24 true Easter Monday false 1',
      '2026-06-01 24 false null true 1',
      `${OCTOBER} 25 false null false 7`,
    ])
    expect(await lines('select count(*), count(distinct market_day) as different from analytics.calendar')).toEqual([
      '17167 17167',
    ])
  })

  it('has one row where two holidays fall on one date', async () => {
    expect(await lines(`select name from analytics.holidays where market_day = '2011-04-25'`)).toEqual([
      'Easter Monday, Liberation Day',
    ])
  })

  it('has the same holidays as the function used by the API', async () => {
    expect(
      await query(`
        select c.market_day
        from analytics.calendar c
        left join national_holidays((select min(market_day) from analytics.calendar), (select max(market_day) from analytics.calendar)) h
          using (market_day)
        where c.is_holiday <> (h.market_day is not null)`),
    ).toEqual([])
  })

  it('gives each hour its band', async () => {
    const hours = `analytics.calendar_hours where market_day between '2026-06-01' and '2026-06-02'`
    expect(await lines(`select band, count(*) from ${hours} group by 1 order by 1`)).toEqual(['F1 11', 'F2 5', 'F3 32'])
  })
})
