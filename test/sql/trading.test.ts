/** The trading indicators in SQL: cases calculated by hand, and an independent implementation on random prices. */

import { beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../models/numeric/random.ts'
import { GAS_PLANT } from '../../src/market/gas.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { tradingStore } from '../../src/store/trading.ts'
import { mean } from '../support/analyst-prices.ts'
import { databaseOfFile } from '../support/database.ts'
import { dailyPrice, daysBetween, storePrices, zoneDay } from '../support/prices.ts'

const { sql } = (await databaseOfFile()).database

const day = (text: string) => Temporal.PlainDate.from(text)
const scalar = async (expression: string): Promise<number | null> => {
  const [row] = await sql.unsafe(`select ${expression} as value`)
  return row?.value ?? null
}
const atr = (bars: (number | null)[][], periods: number) =>
  scalar(`(select wilder_atr(h, l, c, ${periods} order by n)
           from (values ${bars.map((bar, n) => `(${n}, ${bar.map((value) => value ?? 'null').join(', ')})`).join(', ')})
             as bars(n, h, l, c))`)

describe('spreads', () => {
  it('subtract the cost of gas from the power price, and of allowances if clean', async () => {
    expect(await scalar('spark_spread(100, 26.5, 0.53)')).toBeCloseTo(50, 12)
    // 100 − 26.5 / 0.53 − 80 × 0.202 / 0.53 = 50 − 30.490566…
    expect(await scalar('clean_spark_spread(100, 26.5, 80, 0.53, 0.202)')).toBeCloseTo(50 - 16.16 / 0.53, 12)
    expect(await scalar('psv_ttf_spread(34.5, 32)')).toBe(2.5)
  })

  it('can be negative, and are null if a price is missing', async () => {
    expect(await scalar('spark_spread(-10, 26.5, 0.53)')).toBeCloseTo(-60, 12)
    expect(await scalar('clean_spark_spread(100, 26.5, null, 0.53, 0.202)')).toBeNull()
    expect(await scalar('psv_ttf_spread(null, 32)')).toBeNull()
  })
})

it.each([
  ['inside the day', [12, 8, 11], 4],
  ['of a gap upwards', [20, 18, 19], 10],
  ['of a gap downwards', [6, 5, 5], 5],
  ['below zero', [-2, -8, -3], 18],
])('the true range of a day, after a close of 10, %s', async (_name, bar, expected) => {
  expect(await atr([[10, 10, 10], bar], 1)).toBe(expected)
})

describe("Wilder's Average True Range", () => {
  // True ranges 4, 6, 2, then 10: mean of three 4, then (4 × 2 + 10) / 3 = 6.
  const BARS = [
    [11, 9, 10],
    [13, 9, 12],
    [16, 10, 14],
    [15, 13, 14],
    [24, 14, 20],
  ]

  it('is the mean of the first true ranges, then smoothed', async () => {
    expect(await atr(BARS.slice(0, 4), 3)).toBeCloseTo(4, 12)
    expect(await atr(BARS, 3)).toBeCloseTo(6, 12)
  })

  it('is null if there are fewer true ranges than periods', async () => {
    expect(await atr(BARS.slice(0, 3), 3)).toBeNull()
    expect(await atr(BARS.slice(0, 1), 1)).toBeNull()
    expect(await scalar('(select wilder_atr(1, 1, 1, 14) where false)')).toBeNull()
  })

  it('skips a day with a missing value', async () => {
    expect(await atr([...BARS.slice(0, 2), [null, 1, 1], ...BARS.slice(2)], 3)).toBeCloseTo(6, 12)
  })

  it('uses closes only if high, low and close are equal', async () => {
    const closes = [10, 12, 9, 9].map((close) => [close, close, close])
    expect(await atr(closes, 3)).toBeCloseTo(5 / 3, 12)
  })

  it('matches an independent implementation', async () => {
    const random = seededRandom(7)
    const bars: Bar[] = Array.from({ length: 400 }, () => {
      const [low, middle, high] = [random(), random(), random()].map((x) => x * 200 - 40).sort((a, b) => a - b)
      return { high: high as number, low: low as number, close: middle as number }
    })
    for (const count of [14, 15, 16, 40, 400]) {
      const part = bars.slice(0, count)
      const rows = part.map(({ high, low, close }) => [high, low, close])
      const expected = referenceAtr(part, 14)
      const actual = await atr(rows, 14)
      if (expected === undefined) expect(actual).toBeNull()
      else expect(actual).toBeCloseTo(expected, 9)
    }
  })
})

describe('on stored prices', () => {
  const [FIRST, LAST] = [day('2026-01-01'), day('2026-11-20')]
  const HOLE = day('2026-06-10')
  const pun = new Map<string, Bar>()
  const closes = { PSV: new Map<string, number>(), TTF: new Map<string, number>(), Brent: new Map<string, number>() }

  beforeAll(async () => {
    const random = seededRandom(11)
    const items = []
    for (const text of daysBetween('2026-01-01', '2026-11-20')) {
      const date = day(text)
      const base = 80 + 60 * random()
      const resolution = date.month >= 10 ? 15 : 60
      const hole = date.equals(HOLE)
      const whole = zoneDay('nazionale', text, resolution, () => base + 30 * random())
      if (!hole) items.push(whole)
      if (!hole) pun.set(text, barOf(whole.prices as number[], 60 / resolution))
      const gas = 30 + 10 * random()
      items.push(dailyPrice('PSV', text, gas))
      closes.PSV.set(text, gas)
      if (date.dayOfWeek <= 5) {
        // A day without a positive price: its return and the next one are meaningless.
        const ttf = text === '2026-11-04' ? 0 : gas - 2 + 4 * random()
        items.push(dailyPrice('TTF', text, ttf))
        closes.TTF.set(text, ttf)
        items.push(dailyPrice('CO2', text, 70 + random()))
      }
    }
    await storePrices(sql, items)
    await refreshAggregates(sql)
  })

  const store = () => tradingStore(sql)
  const punCloses = () => new Map([...pun].map(([text, { close }]) => [text, close]))

  it.each(['2026-11-20', '2026-11-15', '2026-10-25', '2026-03-29', '2026-01-15'])(
    'the vitals of %s match an independent implementation',
    async (text) => {
      const found = await store().vitals(day(text), GAS_PLANT)
      const until = (map: ReadonlyMap<string, number>) =>
        [...map].filter(([date]) => date <= text).map(([, close]) => ({ high: close, low: close, close }))
      const bars = [...pun].filter(([date]) => date <= text).map(([, bar]) => bar)
      const { close } = pun.get(text) as Bar
      const psv = closes.PSV.get(text) as number
      expect(found.pun).toBeCloseTo(close, 9)
      expect(found.averageTrueRange.pun).toBeCloseTo(referenceAtr(bars, 14) as number, 9)
      expect(found.averageTrueRange.psv).toBeCloseTo(referenceAtr(until(closes.PSV), 14) as number, 9)
      expect(found.sparkSpread).toBeCloseTo(close - psv / 0.53, 9)
      expect(found.cleanSparkSpread).toBeCloseTo(close - (psv + (found.co2?.value as number) * 0.202) / 0.53, 9)
      expect(found.psvTtfSpread).toBeCloseTo(psv - (found.ttf?.value as number), 9)
      const friday = day(text).subtract({ days: Math.max(0, day(text).dayOfWeek - 5) })
      expect(found.ttf).toEqual({ date: friday.toString(), value: closes.TTF.get(friday.toString()) })
      expect(found.co2?.date).toBe(friday.toString())
    },
  )

  it('vitals are undefined for a PUN with gaps, gas older than a week, or too little history', async () => {
    expect(await store().vitals(HOLE, GAS_PLANT)).toMatchObject({ pun: undefined, sparkSpread: undefined })
    expect(await store().vitals(LAST.add({ days: 7 }), GAS_PLANT)).toMatchObject({ psv: { date: LAST.toString() } })
    expect(await store().vitals(LAST.add({ days: 8 }), GAS_PLANT)).toMatchObject({ psv: undefined })
    const early = await store().vitals(FIRST.add({ days: 13 }), GAS_PLANT)
    expect(early.averageTrueRange).toEqual({ pun: undefined, psv: undefined })
  })

  it('the latest vitals day is the last one with all prices', async () => {
    expect(await store().latestVitalsDay(LAST.add({ days: 1 }))).toBe(LAST.toString())
    expect(await store().latestVitalsDay(HOLE)).toBe(HOLE.subtract({ days: 1 }).toString())
    expect(await store().latestVitalsDay(FIRST.subtract({ days: 1 }))).toBeUndefined()
  })

  it.each([
    [30, '2026-11-20'],
    [90, '2026-11-20'],
    [180, '2026-11-20'],
    [30, '2026-11-16'],
    [30, '2026-06-19'],
  ])('correlations over %i days to %s match an independent implementation', async (window, text) => {
    const found = await store().correlations(['PUN', 'PSV', 'TTF'], window, day(text))
    expect(found?.lastDay).toBe(text)
    const series = { PUN: punCloses(), ...closes }
    const first = day(text).subtract({ days: window }).toString()
    expect(found?.pairs).toHaveLength(6)
    for (const { a, b, returns, correlation } of found?.pairs ?? []) {
      if (a === 'CO2' || b === 'CO2') throw new Error('not asked for')
      const expected = referenceCorrelation(series[a], series[b], first, text)
      expect(returns, `${a} ${b}`).toBe(expected.returns)
      expect(correlation, `${a} ${b}`).toBeCloseTo(expected.correlation, 9)
    }
  })

  it('the correlation with a constant price is undefined', async () => {
    const days = daysBetween('2025-03-10', '2025-03-19')
    const prices = days.flatMap((date, i) => [dailyPrice('PSV', date, 30 + (i % 3)), dailyPrice('TTF', date, 30)])
    await storePrices(sql, prices)
    const found = await store().correlations(['PSV', 'TTF'], 9, day('2025-03-19'))
    expect(found?.pairs.map(({ a, b, correlation }) => [a, b, correlation]).sort()).toEqual([
      ['PSV', 'PSV', 1],
      ['PSV', 'TTF', undefined],
      ['TTF', 'TTF', undefined],
    ])
  })

  it('correlations end with the series that ends first and require prices of each', async () => {
    expect((await store().correlations(['PUN', 'TTF'], 30, day('2026-11-15')))?.lastDay).toBe('2026-11-13')
    expect(await store().correlations(['PUN', 'Brent'], 30, LAST)).toBeUndefined()
  })
})

/** High, low and close of a day: its most expensive and cheapest hour, and its mean. */
function barOf(prices: number[], perHour: number): Bar {
  const hours = Array.from({ length: prices.length / perHour }, (_, hour) =>
    mean(prices.slice(hour * perHour, (hour + 1) * perHour)),
  )
  return { high: Math.max(...hours), low: Math.min(...hours), close: mean(prices) }
}

interface Bar {
  high: number
  low: number
  close: number
}

/** Wilder's Average True Range; undefined if there are fewer true ranges than periods. */
function referenceAtr(bars: Bar[], periods: number): number | undefined {
  const ranges = bars.slice(1).map(({ high, low }, i) => {
    const before = (bars[i] as Bar).close
    return Math.max(high - low, Math.abs(high - before), Math.abs(low - before))
  })
  if (ranges.length < periods) return undefined
  const first = ranges.slice(0, periods).reduce((sum, range) => sum + range, 0) / periods
  return ranges.slice(periods).reduce((average, range) => (average * (periods - 1) + range) / periods, first)
}

/** Pearson correlation of the returns of two series over their common days from `first` to `last`. */
function referenceCorrelation(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
  first: string,
  last: string,
): { returns: number; correlation: number } {
  const days = [...a.keys()].filter((day) => b.has(day) && day >= first && day <= last).sort()
  const pairs: [number, number][] = []
  for (let i = 1; i < days.length; i++) {
    const [beforeA, beforeB] = [a.get(days[i - 1] as string) as number, b.get(days[i - 1] as string) as number]
    const [nowA, nowB] = [a.get(days[i] as string) as number, b.get(days[i] as string) as number]
    if (beforeA > 0 && beforeB > 0) pairs.push([(nowA - beforeA) / beforeA, (nowB - beforeB) / beforeB])
  }
  const [meanA, meanB] = [mean(pairs.map(([x]) => x)), mean(pairs.map(([, y]) => y))]
  let [covariance, varianceA, varianceB] = [0, 0, 0]
  for (const [x, y] of pairs) {
    covariance += (x - meanA) * (y - meanB)
    varianceA += (x - meanA) ** 2
    varianceB += (y - meanB) ** 2
  }
  return { returns: pairs.length, correlation: covariance / Math.sqrt(varianceA * varianceB) }
}
