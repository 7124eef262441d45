import { describe, expect, it } from 'vitest'
import { MARKET_ZONES, type ZoneCode } from '../../../src/market/zones.ts'
import type { Publication, SampleSeries } from '../../../src/publishers/sample/publications.ts'
import {
  allPrices,
  dailyPrice,
  daysOf,
  history,
  powerDays,
  powerOf,
  pricesOf,
  publicationFor,
  zonePrices,
} from './sample-history.ts'

const PHYSICAL_ZONES: ZoneCode[] = [...MARKET_ZONES, 'cala']

describe('power prices', () => {
  it('keep the PUN between the lowest and the highest zone in every interval', () => {
    for (const publication of powerDays) {
      const zones = PHYSICAL_ZONES.map((zone) => zonePrices(publication, zone))
      const outside = zonePrices(publication, 'nazionale').filter((pun, i) => {
        const all = zones.map((prices) => prices[i] ?? Number.NaN)
        return !(pun >= Math.min(...all) && pun <= Math.max(...all))
      })
      expect(outside).toEqual([])
    }
  })

  it('have believable daily means: 20 to 200 €/MWh each, 80 to 120 over a year', () => {
    const means = powerDays.map((publication) => mean(zonePrices(publication, 'nazionale')))
    expect(Math.min(...means)).toBeGreaterThan(20)
    expect(Math.max(...means)).toBeLessThan(200)
    expect(mean(means.slice(-365))).toBeGreaterThan(80)
    expect(mean(means.slice(-365))).toBeLessThan(120)
  })

  it('peak in the evening, fall to a valley at noon in spring, and are lower on Sundays', () => {
    const spring = powerDays.filter(({ day }) => day.year === 2025 && day.month >= 4 && day.month <= 6)
    const profile = (clockHour: number, of: Publication[]) =>
      mean(of.map((day) => zonePrices(day, 'nazionale')[clockHour] ?? Number.NaN))
    const sundays = spring.filter(({ day }) => day.dayOfWeek === 7)
    const workingDays = spring.filter(({ day }) => day.dayOfWeek <= 5)
    expect(profile(19, workingDays)).toBeGreaterThan(profile(8, workingDays))
    expect(profile(8, workingDays)).toBeGreaterThan(profile(3, workingDays))
    expect(profile(3, workingDays)).toBeGreaterThan(profile(13, workingDays))
    expect(profile(13, sundays)).toBeLessThan(profile(13, workingDays) / 2)
    expect(profile(19, sundays)).toBeLessThan(profile(19, workingDays))
  })

  it('treat a national holiday as a Sunday: Liberation Day 2025, a Friday, is cheaper than the Fridays around it', () => {
    const fridays = ['2025-04-18', '2025-05-02'].map((day) => mean(powerOf(day, 'nazionale')))
    expect(mean(powerOf('2025-04-25', 'nazionale'))).toBeLessThan(Math.min(...fridays))
  })

  it('are negative at noon of many Sundays in spring and hardly ever on other days or in winter; they spike on some', () => {
    const spring = powerDays.filter(({ day }) => day.month >= 4 && day.month <= 6)
    const isNegative = (day: Publication) => Math.min(...zonePrices(day, 'nazionale')) < 0
    const shareNegative = (days: Publication[]) => days.filter(isNegative).length / days.length
    expect(shareNegative(spring.filter(({ day }) => day.dayOfWeek === 7))).toBeGreaterThan(0.3)
    expect(shareNegative(spring.filter(({ day }) => day.dayOfWeek <= 5))).toBeLessThan(0.1)
    expect(powerDays.filter(({ day }) => day.month <= 2 || day.month >= 11).some(isNegative)).toBe(false)
    const spikeDays = powerDays.filter((day) => Math.max(...zonePrices(day, 'nazionale')) > 200)
    expect(spikeDays.length).toBeGreaterThan(5)
    expect(spikeDays.length).toBeLessThan(100)
  })

  it('differ between zones on every day and most hours, lower in the south and on the islands than in the north', () => {
    const split = powerDays.flatMap((day) => {
      const south = zonePrices(day, 'sud')
      return zonePrices(day, 'nord').map((north, i) => (south[i] ?? Number.NaN) - north)
    })
    const apart = split.filter((spread) => spread !== 0)
    expect(apart.length).toBeGreaterThan(split.length * 0.5)
    expect(apart.length).toBeLessThan(split.length * 0.95)
    expect(apart.every((spread) => spread < 0)).toBe(true)
    const daysAlike = powerDays.filter((day) => mean(zonePrices(day, 'nord')) === mean(zonePrices(day, 'sud')))
    expect(daysAlike).toEqual([])
    for (const island of ['sici', 'sard'] as const) {
      expect(mean(powerDays.flatMap((day) => zonePrices(day, island)))).toBeLessThan(
        mean(powerDays.flatMap((day) => zonePrices(day, 'nord'))),
      )
    }
  })

  it('have another profile in each season: noon is the valley of summer, the evening the peak of winter', () => {
    const of = (months: number[], hour: number) => {
      const days = powerDays.filter(({ day }) => day.year === 2025 && months.includes(day.month) && day.month < 10)
      return mean(days.map((day) => zonePrices(day, 'nazionale')[hour] ?? Number.NaN))
    }
    const [winter, summer] = [
      [1, 2],
      [6, 7, 8],
    ]
    expect(of(winter, 18) / of(winter, 12)).toBeGreaterThan(1.3)
    expect(of(summer, 12)).toBeLessThan(of(summer, 3))
    expect(of(winter, 12) / of(winter, 3)).toBeGreaterThan(of(summer, 12) / of(summer, 3) + 0.15)
  })

  it('vary within the hour by quarters', () => {
    const [first, ...others] = powerOf('2026-05-13', 'nazionale').slice(32, 36)
    expect(others.every((price) => price !== first)).toBe(true)
  })
})

describe('gas, oil and allowances', () => {
  it.each([
    ['TTF', 20, 60],
    ['PSV', 21, 63],
    ['Brent', 50, 105],
    ['CO2', 45, 100],
  ] as const)('%s stays between %i and %i', (series, low, high) => {
    const prices = pricesOf(series)
    expect(Math.min(...prices)).toBeGreaterThan(low)
    expect(Math.max(...prices)).toBeLessThan(high)
  })

  it.each(['TTF', 'PSV', 'Brent', 'CO2'] as const)('%s moves by 0.5 to 5 %% from one price to the next', (series) => {
    const deviation = Math.sqrt(covariance(returns(pricesOf(series)), returns(pricesOf(series))))
    expect(deviation).toBeGreaterThan(0.005)
    expect(deviation).toBeLessThan(0.05)
  })

  it('holds the PSV 1 to 3 €/MWh above the TTF', () => {
    for (const day of daysOf('TTF')) {
      const spread = dailyPrice('PSV', day) - dailyPrice('TTF', day)
      expect(spread).toBeGreaterThan(1)
      expect(spread).toBeLessThan(3)
    }
  })

  it.each([
    ['PSV', 0.6],
    ['Brent', 0.1],
    ['CO2', 0.1],
  ] as const)('move together: daily returns of %s and TTF correlate by more than %f', (series, least) => {
    const days = daysOf('TTF').filter((day) => publicationFor(series, Temporal.PlainDate.from(day)) !== undefined)
    const [a, b] = (['TTF', series] as const).map((of) => returns(days.map((day) => dailyPrice(of, day))))
    expect(correlation(a ?? [], b ?? [])).toBeGreaterThan(least)
  })

  it('carry the PUN along: its monthly means follow the cost of a gas-fired plant', () => {
    const months = [...new Set(powerDays.map(({ day }) => String(day).slice(0, 7)))]
    const inMonth = (series: SampleSeries, month: string) =>
      mean(
        history
          .filter((p) => p.series === series && String(p.day).startsWith(month))
          .flatMap((p) => [mean(allPrices(p))]),
      )
    const power = months.map((month) => inMonth('day-ahead', month))
    const gas = months.map((month) => inMonth('PSV', month))
    expect(correlation(power, gas)).toBeGreaterThan(0.5)
  })
})

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function returns(prices: number[]): number[] {
  return prices.slice(1).map((price, i) => price / (prices[i] ?? Number.NaN) - 1)
}

function covariance(a: number[], b: number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)]
  return mean(a.map((value, i) => (value - meanA) * ((b[i] ?? Number.NaN) - meanB)))
}

function correlation(a: number[], b: number[]): number {
  return covariance(a, b) / Math.sqrt(covariance(a, a) * covariance(b, b))
}
