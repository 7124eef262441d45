/** The questions of analysts about hours, each one statement, against the same figures computed here from the prices that were stored. */
import { describe, expect, it } from 'vitest'
import {
  analystDatabase,
  closeTo,
  daysBetween,
  deviation,
  HALF_A_CENT,
  hourPrice,
  hoursOf,
  LAST,
  MARCH,
  mean,
  OCTOBER,
} from '../support/analyst-prices.ts'

const db = await analystDatabase()

const ask = async (text: string) => [...(await db.database.sql.unsafe(text))]

describe('hours', () => {
  it.each([
    [MARCH, 23],
    [OCTOBER, 25],
  ])('of %s: spreads of two zones in %i hours', async (day, count) => {
    const rows = await ask(`select * from analytics.zone_spreads('nord', 'sud', '${day}', '${day}') order by starts_at`)
    const [north, south] = [hoursOf('nord', [day]), hoursOf('sud', [day])]
    expect(rows).toHaveLength(count)
    expect(rows.map(({ spread_eur_mwh }) => spread_eur_mwh)).toEqual(
      north.map(({ price }, i) => closeTo(price - (south[i]?.price ?? Number.NaN))),
    )
    expect(rows.map(({ clock_hour }) => clock_hour)).toEqual(north.map(({ clockHour }) => clockHour))
  })

  it('the distribution of a spread counts the change day by the clock', async () => {
    const rows = await ask(
      `select * from analytics.zone_spread_distribution('nord', 'sud', '2026-03-28', '2026-03-30')`,
    )
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

  it('converge where prices are equal', async () => {
    const rows = await ask(`select * from analytics.zone_convergence('nord', '${OCTOBER}', '${OCTOBER}')`)
    expect(rows).toEqual([
      { month: '2026-10-01', other_zone: 'sud', hours: 25, equal_hours: 8, equal_share: closeTo(8 / 25) },
    ])
  })

  it('do not converge half a cent apart, which in binary numbers is a little less', async () => {
    const [row] = await ask(
      `select hours, equal_hours from analytics.zone_convergence('sici', '${HALF_A_CENT}', '${HALF_A_CENT}')`,
    )
    expect(row).toEqual({ hours: 24, equal_hours: 0 })
    const [hour] = await ask(
      `select above_zero_share, equal_share from analytics.zone_spread_distribution('sici', 'cala', '${HALF_A_CENT}', '${HALF_A_CENT}')`,
    )
    expect(hour).toEqual({ above_zero_share: 1, equal_share: 0 })
  })

  it('are counted below, at and above a level', async () => {
    const [row] = await ask(
      `select * from analytics.hours_at_level(${hourPrice('nazionale', OCTOBER, 10)}, '${OCTOBER}', '${OCTOBER}') where zone = 'nazionale'`,
    )
    expect(row).toMatchObject({ month: '2026-10-01', hours: 25, hours_below: 9, hours_at: 1, hours_above: 15 })
  })

  it('as a duration curve fall from the dearest', async () => {
    const rows = await ask(`select * from analytics.duration_curve('nord', '${MARCH}', '${MARCH}')`)
    const prices = hoursOf('nord', [MARCH]).map(({ price }) => price)
    expect(rows.map(({ price_eur_mwh }) => price_eur_mwh)).toEqual(prices.toSorted((a, b) => b - a).map(closeTo))
    expect(rows.at(0)).toMatchObject({ rank: 1, share_of_hours: closeTo(1 / 23) })
    expect(rows.at(-1)).toMatchObject({ rank: 23, share_of_hours: 1 })
  })

  it('vary by hour of the clock', async () => {
    const rows = await ask(`select * from analytics.volatility_by_hour('nord', '2026-03-20', '${LAST}')`)
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

  it('weighted by generation give what it captures', async () => {
    const rows = await ask(
      `select * from analytics.capture_prices('nord', 'generation-solar', 'nord', '2026-03-01', '${OCTOBER}')`,
    )
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

  it('weighted by a profile of 24 hours give what it captures', async () => {
    const weights = Array.from({ length: 24 }, (_, hour) => (hour === 2 ? 5 : hour === 12 ? 1 : 0))
    const [row] = await ask(
      `select * from analytics.profile_capture_prices('nord', array[${weights}], '${OCTOBER}', '${OCTOBER}')`,
    )
    const hours = hoursOf('nord', [OCTOBER])
    const weighted = hours.map(({ clockHour, price }) => ({ price, weight: weights[clockHour] ?? 0 }))
    const capture = weighted.reduce((sum, one) => sum + one.price * one.weight, 0) / 11 // the hour of 2:00 comes twice
    expect(row).toMatchObject({ hours: 25, capture_eur_mwh: closeTo(capture) })
  })

  it('less fuel and allowances are the clean spark spread, with gas of the day or of the seven days before', async () => {
    const rows = await ask(
      `select * from analytics.clean_spark_spreads_by_hour where zone = 'nazionale' and market_day in ('2026-03-28', '${MARCH}', '2026-04-01', '${OCTOBER}') order by starts_at`,
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
