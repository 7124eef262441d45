/** The questions of analysts, one statement each, compared with the same figures computed here from the stored prices. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ANALYTICS_FUNCTIONS } from '../../src/market/analyst-names.ts'
import { ANALYST_VIEWS_FILE } from '../../src/store/analyst-views.ts'
import {
  analystDatabase,
  closeTo,
  dayMean,
  deviation,
  FIRST,
  HALF_CENT_DAY,
  hourPrice,
  hoursOf,
  LAST,
  MARCH,
  mean,
  OCTOBER,
  SPAN,
} from '../support/analyst-prices.ts'
import { hasTimescale, needsTimescale } from '../support/database.ts'
import { daysBetween } from '../support/prices.ts'

const { sql } = (await analystDatabase()).database

const query = async (text: string) => [...(await sql.unsafe(text))]
const queryAll = (source: string) => query(`select * from analytics.${source}`)

describe('the functions for analysts', () => {
  const described = JSON.parse(readFileSync(ANALYST_VIEWS_FILE, 'utf8')) as {
    functions: { name: string; comment: string | null }[]
  }

  it('are those that POST /sql allows, each with a comment', () => {
    expect(described.functions.map(({ name }) => name)).toEqual([...ANALYTICS_FUNCTIONS].toSorted())
    expect(described.functions.filter(({ comment }) => !comment)).toEqual([])
  })
})

describe('bands', () => {
  it('of a day are baseload, peak and off-peak; a Sunday has no peak', async () => {
    const rows = await queryAll(
      `bands_by_day where zone = 'nord' and market_day in ('${MARCH}', '2026-03-30') order by market_day`,
    )
    const monday = hoursOf('nord', ['2026-03-30'])
    const peak = monday.filter(({ clockHour }) => clockHour >= 8 && clockHour < 20).map(({ price }) => price)
    const offPeak = monday.filter(({ clockHour }) => clockHour < 8 || clockHour >= 20).map(({ price }) => price)
    expect(rows).toEqual([
      expect.objectContaining({
        f0_eur_mwh: closeTo(dayMean('nord', MARCH)),
        peak_eur_mwh: null,
        f1_eur_mwh: null,
        hours: 23,
        peak_hours: 0,
      }),
      expect.objectContaining({
        f0_eur_mwh: closeTo(dayMean('nord', '2026-03-30')),
        peak_eur_mwh: closeTo(mean(peak)),
        off_peak_eur_mwh: closeTo(mean(offPeak)),
        hours: 24,
        peak_hours: 12,
      }),
    ])
  })

  it('of a year are weighted by hours', async () => {
    const [year] = await queryAll(`bands_by_year where zone = 'nord' and year = 2026`)
    const hours = hoursOf('nord', [...SPAN, OCTOBER])
    expect(year).toMatchObject({
      f0_eur_mwh: closeTo(mean(hours.map(({ price }) => price))),
      f0_hours: hours.length,
      days: SPAN.length + 1,
      is_complete: false,
    })
  })
})

describe('daily series', () => {
  it('are compared with the same day of the previous year', async () => {
    const [row] = await queryAll(`same_day_last_year where series = 'nord' and market_day = '${MARCH}'`)
    const [now, before] = [dayMean('nord', MARCH), dayMean('nord', '2025-03-29')]
    expect(row).toEqual({
      series: 'nord',
      market_day: MARCH,
      price: closeTo(now),
      unit: '€/MWh',
      price_a_year_before: closeTo(before),
      change: closeTo(now - before),
      change_share: closeTo(now / before - 1),
      price_364_days_before: closeTo(dayMean('nord', '2025-03-30')),
    })
  })

  it('of the year to date are means over all hours', async () => {
    const rows = await queryAll(
      `year_to_date where series = 'PUN' and market_day in ('${MARCH}', '2025-03-30') order by market_day`,
    )
    const prices = hoursOf('nazionale', daysBetween(FIRST, MARCH)).map(({ price }) => price)
    expect(rows.map((row) => row.days_since_january)).toEqual([2, 38])
    expect(rows[1]?.mean_since_january).toBeCloseTo(mean(prices), 9)
  })

  it('have a recovery share measured from their peak', async () => {
    const rows = await queryAll(`recovery_from_peak('nord', '${FIRST}', '${LAST}')`)
    const prices = SPAN.map((day) => ({ day, price: dayMean('nord', day) }))
    const peak = prices.reduce((a, b) => (b.price > a.price ? b : a))
    const before = prices.filter(({ day }) => day < peak.day)
    const trough = before.reduce((a, b) => (b.price <= a.price ? b : a))
    expect(rows[0]).toMatchObject({
      market_day: peak.day,
      peak_day: peak.day,
      trough_day: trough.day,
      recovery_share: 0,
    })
    const after = prices.filter(({ day }) => day >= peak.day)
    expect(rows.map(({ recovery_share }) => recovery_share)).toEqual(
      after.map(({ price }) => closeTo((peak.price - price) / (peak.price - trough.price))),
    )
  })

  const returns = (zone: string, days: readonly string[]) =>
    days.slice(1).map((day, i) => dayMean(zone, day) / dayMean(zone, days[i] ?? '') - 1)

  it('have a rolling volatility, null until the window is full', async () => {
    const rows = await queryAll(`rolling_volatility('nord', 10, '${FIRST}', '${LAST}')`)
    expect(rows.map(({ market_day }) => market_day)).toEqual(SPAN)
    expect(rows.findIndex(({ volatility_per_day }) => volatility_per_day !== null)).toBe(10)
    expect(rows.at(-1)).toMatchObject({
      returns: 10,
      volatility_per_day: closeTo(deviation(returns('nord', SPAN.slice(-11)))),
    })
  })

  it('have a rolling beta with another series, and the same rolling correlation as the API', async () => {
    const rows = await queryAll(`rolling_correlation('sud', 'PUN', 30, '${LAST}', '${LAST}')`)
    const [a, b] = [returns('sud', SPAN.slice(-31)), returns('nazionale', SPAN.slice(-31))]
    const together = (x: number[], y: number[]) =>
      x.reduce((sum, value, i) => sum + (value - mean(x)) * ((y[i] ?? Number.NaN) - mean(y)), 0)
    expect(rows).toEqual([
      {
        market_day: LAST,
        returns: 30,
        correlation: closeTo(together(a, b) / Math.sqrt(together(a, a) * together(b, b))),
        beta: closeTo(together(a, b) / together(b, b)),
      },
    ])
    const [own] = await queryAll(`rolling_correlation('PUN', 'PUN', 30, '${LAST}', '${LAST}')`)
    const [ofApi] = await query(`select returns, correlation from return_correlations(array['PUN'], 30, '${LAST}')`)
    expect({ returns: own?.returns, correlation: own?.correlation }).toEqual({
      returns: ofApi?.returns,
      correlation: closeTo(ofApi?.correlation),
    })
  })
})

it('prices as of an instant are those known then, and can be compared between two instants', async () => {
  const [before] = await query(
    `select count(*) as n, sum(price_eur_mwh) as sum from analytics.prices_as_of('sud', '${MARCH}', '${MARCH}', '2026-10-01T00:00:00Z')`,
  )
  expect(before).toEqual({ n: 23, sum: closeTo(dayMean('sud', MARCH) * 23) })
  const compared = await queryAll(
    `compare_as_of('sud', '${MARCH}', '${MARCH}', '2026-10-01T00:00:00Z', '2026-11-01T00:30:00Z')`,
  )
  const price = hourPrice('sud', MARCH, 5)
  expect(compared).toEqual([
    expect.objectContaining({
      market_day: MARCH,
      price_a_eur_mwh: closeTo(price),
      price_b_eur_mwh: closeTo(price + 1),
      change_eur_mwh: closeTo(1),
    }),
  ])
  expect(
    await queryAll(`compare_as_of('sud', '${MARCH}', '${MARCH}', '2026-10-01T00:00:00Z', '2026-12-01T00:00:00Z')`),
  ).toEqual([])
})

describe('hourly prices', () => {
  it.each([
    [MARCH, 23],
    [OCTOBER, 25],
  ])('of %s give zone spreads for %i hours', async (day, count) => {
    const rows = await queryAll(`zone_spreads('nord', 'sud', '${day}', '${day}') order by starts_at`)
    const [north, south] = [hoursOf('nord', [day]), hoursOf('sud', [day])]
    expect(rows).toHaveLength(count)
    expect(rows.map(({ spread_eur_mwh }) => spread_eur_mwh)).toEqual(
      north.map(({ price }, i) => closeTo(price - (south[i]?.price ?? Number.NaN))),
    )
    expect(rows.map(({ clock_hour }) => clock_hour)).toEqual(north.map(({ clockHour }) => clockHour))
  })

  it('of a change day are grouped by clock hour in the spread distribution', async () => {
    const rows = await queryAll(`zone_spread_distribution('nord', 'sud', '2026-03-28', '2026-03-30')`)
    expect(rows.map(({ hours }) => hours)).toEqual(Array.from({ length: 24 }, (_, hour) => (hour === 2 ? 2 : 3)))
    const days = ['2026-03-28', MARCH, '2026-03-30']
    const spreads = hoursOf('nord', days)
      .map((hour, i) => ({ ...hour, spread: hour.price - (hoursOf('sud', days)[i]?.price ?? Number.NaN) }))
      .filter(({ clockHour }) => clockHour === 8)
      .map(({ spread }) => spread)
      .toSorted((a, b) => a - b)
    expect(rows[8]).toMatchObject({
      mean_eur_mwh: closeTo(mean(spreads)),
      median_eur_mwh: closeTo(spreads[1] ?? Number.NaN),
      above_zero_share: closeTo(spreads.filter((spread) => spread > 0.005).length / 3),
      equal_share: closeTo(spreads.filter((spread) => Math.abs(spread) < 0.005).length / 3),
    })
  })

  it('count as converged between zones where they are equal', async () => {
    const rows = await queryAll(`zone_convergence('nord', '${OCTOBER}', '${OCTOBER}')`)
    expect(rows).toEqual([
      { month: '2026-10-01', other_zone: 'sud', hours: 25, equal_hours: 8, equal_share: closeTo(8 / 25) },
    ])
  })

  it('do not count as converged when half a cent apart, despite binary rounding', async () => {
    const [row] = await query(
      `select hours, equal_hours from analytics.zone_convergence('sici', '${HALF_CENT_DAY}', '${HALF_CENT_DAY}')`,
    )
    expect(row).toEqual({ hours: 24, equal_hours: 0 })
    const [hour] = await query(
      `select above_zero_share, equal_share from analytics.zone_spread_distribution('sici', 'cala', '${HALF_CENT_DAY}', '${HALF_CENT_DAY}')`,
    )
    expect(hour).toEqual({ above_zero_share: 1, equal_share: 0 })
  })

  it('are counted below, at and above a level', async () => {
    const [row] = await queryAll(
      `hours_at_level(${hourPrice('nazionale', OCTOBER, 10)}, '${OCTOBER}', '${OCTOBER}') where zone = 'nazionale'`,
    )
    expect(row).toMatchObject({ month: '2026-10-01', hours: 25, hours_below: 9, hours_at: 1, hours_above: 15 })
  })

  it('form a duration curve in descending order', async () => {
    const rows = await queryAll(`duration_curve('nord', '${MARCH}', '${MARCH}')`)
    const prices = hoursOf('nord', [MARCH]).map(({ price }) => price)
    expect(rows.map(({ price_eur_mwh }) => price_eur_mwh)).toEqual(prices.toSorted((a, b) => b - a).map(closeTo))
    expect(rows.at(0)).toMatchObject({ rank: 1, share_of_hours: closeTo(1 / 23) })
    expect(rows.at(-1)).toMatchObject({ rank: 23, share_of_hours: 1 })
  })

  it('have a volatility for each clock hour', async () => {
    const rows = await queryAll(`volatility_by_hour('nord', '2026-03-20', '${LAST}')`)
    const twelve = hoursOf('nord', daysBetween('2026-03-20', LAST))
      .filter(({ clockHour }) => clockHour === 12)
      .map(({ price }) => price)
    const changes = twelve.slice(1).map((price, i) => price - (twelve[i] ?? Number.NaN))
    expect(rows[12]).toEqual({
      clock_hour: 12,
      hours: 12,
      mean_eur_mwh: closeTo(mean(twelve)),
      stddev_eur_mwh: closeTo(deviation(twelve)),
      day_change_stddev_eur_mwh: closeTo(deviation(changes)),
    })
  })

  it('weighted by generation give its capture price', async () => {
    const rows = await queryAll(`capture_prices('nord', 'generation-solar', 'nord', '2026-03-01', '${OCTOBER}')`)
    const expected = [['2026-03-28', MARCH], [OCTOBER]].map((days) => {
      const hours = hoursOf('nord', days)
      const energy = hours.reduce((sum, { hour }) => sum + hour * 10, 0)
      const capture = hours.reduce((sum, { hour, price }) => sum + price * hour * 10, 0) / energy
      const baseload = mean(hours.map(({ price }) => price))
      return {
        month: `${days[0]?.slice(0, 7)}-01`,
        hours: hours.length,
        energy_mwh: closeTo(energy),
        baseload_eur_mwh: closeTo(baseload),
        capture_eur_mwh: closeTo(capture),
        capture_rate: closeTo(capture / baseload),
      }
    })
    expect(rows).toEqual(expected)
  })

  it('weighted by a 24-hour profile give the capture price of the profile', async () => {
    const weights = Array.from({ length: 24 }, (_, hour) => (hour === 2 ? 5 : hour === 12 ? 1 : 0))
    const [row] = await queryAll(`profile_capture_prices('nord', array[${weights}], '${OCTOBER}', '${OCTOBER}')`)
    const hours = hoursOf('nord', [OCTOBER])
    const weighted = hours.map(({ clockHour, price }) => ({ price, weight: weights[clockHour] ?? 0 }))
    const capture = weighted.reduce((sum, one) => sum + one.price * one.weight, 0) / 11 // the hour from 2:00 occurs twice
    expect(row).toMatchObject({ hours: 25, capture_eur_mwh: closeTo(capture) })
  })

  it('less fuel and allowances give the clean spark spread, with gas prices up to seven days old', async () => {
    const rows = await queryAll(
      `clean_spark_spreads_by_hour where zone = 'nazionale' and market_day in ('2026-03-28', '${MARCH}', '2026-04-01', '${OCTOBER}') order by starts_at`,
    )
    expect(rows).toHaveLength(24 + 23 + 25)
    const price = hourPrice('nazionale', '2026-03-28', 1)
    expect(rows[0]).toMatchObject({ psv_day: '2026-03-27', co2_day: '2026-03-24' })
    expect(rows[0]?.spark_spread_eur_mwh).toBeCloseTo(price - 40 / 0.53, 9)
    expect(rows[0]?.clean_spark_spread_eur_mwh).toBeCloseTo(price - 40 / 0.53 - (70 * 0.202) / 0.53, 9)
    expect(rows[24]).toMatchObject({ psv_day: MARCH, psv_eur_mwh: 42 })
    expect(rows.at(-1)).toMatchObject({ psv_eur_mwh: null, clean_spark_spread_eur_mwh: null })
  })
})

describe.runIf(hasTimescale)(needsTimescale('aggregates read by the query plan'), () => {
  const [days, hours, parts] = ['zone_prices_daily', 'zone_prices_hourly', 'zone_prices_day_parts']
  it.each([
    [`select * from bands_by_year where zone = 'nord'`, [days, parts]],
    [`select * from bands_by_month where zone = 'nord'`, [days, parts]],
    [`select * from bands_by_day where zone = 'nord'`, [days, parts]],
    [`select * from zone_spread_distribution('nord', 'sud', '${FIRST}', '${LAST}')`, [hours]],
    [`select * from zone_convergence('nord', '${FIRST}', '${LAST}')`, [hours]],
    [`select * from hours_at_level(80, '${FIRST}', '${LAST}')`, [hours]],
    [`select * from duration_curve('nord', '${FIRST}', '${LAST}')`, [hours]],
    [`select * from volatility_by_hour('nord', '${FIRST}', '${LAST}')`, [hours]],
    [`select * from profile_capture_prices('nord', array[1], '${FIRST}', '${LAST}')`, [hours]],
    [
      `select * from capture_prices('nord', 'generation-solar', 'nord', '${FIRST}', '${LAST}')`,
      ['fundamentals_hourly', hours],
    ],
    [`select * from clean_spark_spreads_by_hour where zone = 'nord' and starts_at >= '${FIRST}'`, [hours]],
    [`select * from same_day_last_year where series = 'nord'`, [days]],
    [`select * from year_to_date where series = 'nord'`, [days]],
    [`select * from recovery_from_peak('nord', '${FIRST}', '${LAST}')`, [days]],
    [`select * from rolling_volatility('nord', 30, '${FIRST}', '${LAST}')`, [days]],
    [`select * from rolling_correlation('nord', 'sud', 30, '${FIRST}', '${LAST}')`, [days]],
  ])('%s', async (statement, aggregates) => {
    expect(await hypertablesReadBy(statement)).toEqual(aggregates)
  })

  /** The zone hypertables whose chunks a statement reads, aggregates by name; daily prices of gas and oil have no other table. */
  async function hypertablesReadBy(statement: string): Promise<unknown[]> {
    const plan = await sql.begin(async (tx) => {
      await tx.unsafe('set local search_path = analytics, public')
      return JSON.stringify(await tx.unsafe(`explain (format json) ${statement}`))
    })
    const names = [...new Set(plan.match(/_hyper_\d+_\d+_chunk/g))]
    const rows = await sql`
      select distinct coalesce(a.view_name, c.hypertable_name) as name
      from timescaledb_information.chunks c
      left join timescaledb_information.continuous_aggregates a on a.materialization_hypertable_name = c.hypertable_name
      where c.chunk_name in ${sql(names)} and c.hypertable_name <> 'daily_prices'
      order by 1`
    return rows.map(({ name }) => name)
  }
})
