/** The ensemble of the hours: visibility of data, visibility by step, band, past. */
import { beforeAll, describe, expect, it } from 'vitest'
import { dayNumber } from '../../../models/calendar.ts'
import { hourlyEnsemble } from '../../../models/hourly/ensemble/ensemble.ts'
import { fromRelative, levelOf, toRelative } from '../../../models/hourly/ensemble/relative-price.ts'
import { passThroughShares } from '../../../models/hourly/ensemble/swiss-surprise.ts'
import { type DailyHours, HOURS, type HourlyHistory, lastPricedDay } from '../../../models/hourly/history.ts'
import type { HourlyArtefact, InputStep } from '../../../models/model.ts'
import { TooLittleHistory } from '../../../models/model.ts'
import { seededRandom } from '../../../models/numeric/random.ts'
import { type SyntheticHoursOptions, syntheticHours } from '../../support/invented-hours.ts'
import { pricesThrough } from '../../support/real-hours.ts'

const STEPS: InputStep[] = ['everything', 'without-neighbours', 'usual-weather', 'prices-only']
const model = hourlyEnsemble({ reachDays: [1], steps: STEPS, trees: 10 })
const DAYS = 480
const FIRST = dayNumber(Temporal.PlainDate.from('2025-01-01'))
const LAST = FIRST + DAYS - 1

/** Wind drives prices and is known for ten days after the last price. */
const random = seededRandom(9)
const WIND = Array.from({ length: DAYS + 10 }, () => 5000 * random())
const drivers = {
  load: daily((day, hour) => 30_000 + 5000 * Math.sin(hour / 4) + 100 * (day % 7)),
  wind: daily((day) => WIND[day] as number),
  solar: daily((_, hour) => Math.max(0, 4000 * Math.sin(((hour - 6) / 12) * Math.PI))),
  usual: {
    wind: daily((day) => 2500 + 500 * Math.sin(day / 6)),
    solar: daily((_, hour) => (hour > 6 && hour < 18 ? 2500 : 0)),
  },
  neighbours: { CH: daily((day) => 90 + 20 * Math.sin(day / 5)) },
}

function daily(value: (day: number, hour: number) => number): DailyHours {
  const cells = (DAYS + 10) * HOURS
  return {
    firstDay: FIRST,
    values: Float64Array.from({ length: cells }, (_, at) => value(Math.floor(at / HOURS), at % HOURS)),
  }
}

function history(options: SyntheticHoursOptions = {}): HourlyHistory {
  const gas = { firstDay: FIRST, prices: Float64Array.from({ length: DAYS + 10 }, (_, day) => 30 + Math.sin(day / 9)) }
  return {
    ...syntheticHours({
      days: DAYS,
      fundamentals: drivers,
      change: (price, day) => price - (WIND[day] as number) / 100,
      ...options,
    }),
    gas: { PSV: gas, TTF: gas },
  }
}

/** The history as of some days earlier. */
function earlier(all: HourlyHistory, days: number): HourlyHistory {
  const prices = pricesThrough(all.prices, LAST - days)
  return { ...all, prices, national: prices }
}

describe('the hourly ensemble', () => {
  let artefact: HourlyArtefact
  const whole = history()
  const of = (given: HourlyHistory, step: InputStep = 'without-neighbours', from = artefact) =>
    model.forecast(from, given, { days: 1, step })

  beforeAll(async () => {
    artefact = await model.train(whole)
  })

  it('forecasts whole days with the median inside its band', () => {
    for (const step of STEPS) {
      const made = of(whole, step)
      expect(made.map(({ day }) => dayNumber(day) - LAST)).toEqual([1])
      for (const { hours } of made) {
        expect(hours).toHaveLength(HOURS)
        expect(hours.filter(({ p10, p50, p90 }) => !(p10 <= p50 && p50 <= p90 && p10 < p90))).toEqual([])
      }
    }
  })

  it('lowers the price by some 20 €/MWh for 2,000 MW more wind', () => {
    const at = DAYS * HOURS
    const windier = {
      ...drivers,
      wind: { ...drivers.wind, values: drivers.wind.values.map((mw, i) => (i >= at ? mw + 2000 : mw)) },
    }
    const mean = (made: ReturnType<typeof of>) => (made[0]?.hours ?? []).reduce((sum, { p50 }) => sum + p50 / HOURS, 0)
    const drop = mean(of(whole)) - mean(of({ ...whole, fundamentals: windier }))
    expect(drop).toBeGreaterThan(12)
    expect(drop).toBeLessThan(25)
  })

  it('uses only the inputs of each step, bit for bit', async () => {
    const without = { ...whole, fundamentals: {} }
    expect(of(without, 'prices-only')).toEqual(of(whole, 'prices-only'))
    const calm = { ...whole, fundamentals: { ...drivers, wind: daily(() => 0), solar: daily(() => 0) } }
    expect(of(calm, 'prices-only')).toEqual(of(whole, 'prices-only'))
    expect(of(calm, 'usual-weather')).toEqual(of(whole, 'usual-weather'))
    const stormy = {
      ...whole,
      fundamentals: { ...drivers, usual: { ...drivers.usual, wind: daily((day) => 9 * day) } },
    }
    expect(of(stormy, 'without-neighbours')).toEqual(of(whole, 'without-neighbours'))
    expect(of(stormy, 'usual-weather')).not.toEqual(of(whole, 'usual-weather'))
    const far = { ...whole, fundamentals: { ...drivers, neighbours: { CH: daily(() => 500) } } }
    expect(of(far, 'without-neighbours')).toEqual(of(whole, 'without-neighbours'))
    expect(of(far, 'everything')).not.toEqual(of(whole, 'everything'))
    expect(of(without, 'prices-only', await model.train(without))).toEqual(of(whole, 'prices-only'))
  })

  it.each([0, 3])(
    'is trained and makes its forecasts %i days before the end independently of any later data',
    async (days) => {
      const now = earlier(whole, days)
      const from = days === 0 ? artefact : await model.train(now)
      const info = LAST - days
      const later = (series: DailyHours, after: number): DailyHours => ({
        ...series,
        values: series.values.map((value, at) => (FIRST + Math.floor(at / HOURS) > after ? 1000 * value : value)),
      })
      const gas = {
        ...whole.gas.TTF,
        prices: whole.gas.TTF.prices.map((price, at) => (FIRST + at > info ? 1000 * price : price)),
      }
      const loud: HourlyHistory = {
        ...now,
        gas: { PSV: gas, TTF: gas },
        national: {
          ...whole.national,
          values: whole.national.values.map((value, at) => (FIRST + Math.floor(at / HOURS) > info ? 1e6 : value)),
        },
        fundamentals: {
          load: later(drivers.load, info + 1),
          wind: later(drivers.wind, info + 1),
          solar: later(drivers.solar, info + 1),
          usual: { wind: later(drivers.usual.wind, info + 1), solar: later(drivers.usual.solar, info + 1) },
          neighbours: { CH: later(drivers.neighbours.CH, info + 1) },
        },
      }
      for (const step of STEPS) expect(of(loud, step, from)).toEqual(of(now, step, from))
      expect(await model.train(loud)).toEqual(from)
    },
  )

  it('refuses to forecast from a day before the end of its training data', () => {
    expect(() => of(earlier(whole, 1))).toThrow(RangeError)
  })

  it('continues the calibration of its predecessor: the band covers about 80% of hours', async () => {
    let from = await model.train(earlier(whole, 28))
    let [inside, count] = [0, 0]
    for (let back = 28; back > 0; back--) {
      const now = earlier(whole, back)
      if (back === 14) from = await model.train(now, { previous: from })
      const [next] = model.forecast(from, now, { days: 1, step: 'without-neighbours' })
      next?.hours.forEach(({ p10, p90 }, hour) => {
        const price = whole.prices.values[(DAYS - back) * HOURS + hour] as number
        count++
        if (p10 <= price && price <= p90) inside++
      })
    }
    expect(inside / count).toBeGreaterThan(0.72)
    expect(inside / count).toBeLessThan(0.88)
  })

  it('keeps the width of its band if some days are known only by their mean', async () => {
    const isBare = (day: number) => day >= DAYS - 20 && day < DAYS - 10
    const bare = history({ change: (price, day) => (isBare(day) ? Number.NaN : price - (WIND[day] as number) / 100) })
    bare.prices.means.forEach((mean, day) => {
      if (Number.isNaN(mean)) bare.prices.means[day] = whole.prices.means[day] as number
    })
    const made = of(bare, 'prices-only', await model.train(bare))
    const usual = of(whole, 'prices-only')
    const width = (days: typeof made) => days[0]?.hours.reduce((sum, { p10, p90 }) => sum + p90 - p10, 0) as number
    expect(width(made) / width(usual)).toBeGreaterThan(0.8)
    expect(width(made) / width(usual)).toBeLessThan(1.25)
  })

  it('refuses too few days', async () => {
    await expect(model.train(syntheticHours({ days: 300 }))).rejects.toThrow(TooLittleHistory)
  })
})

describe('the surprise in a neighbouring market', () => {
  const day = (news: number, error: number) => {
    return { news: new Float64Array(HOURS).fill(news), errors: new Float64Array(HOURS).fill(error) }
  }

  it('is passed through as far as errors followed it: 2 · 0.1 · 0.05 · 4 / (0.5 + 2 · 0.1² · 4)', () => {
    const [share] = passThroughShares([day(0.1, 0.05), day(-0.1, -0.05)])
    expect(share).toBeCloseTo(0.04 / 0.58, 9)
  })

  it('is not passed through if errors had the opposite sign, and at most at 100 %', () => {
    expect(passThroughShares([day(0.1, -0.2)])[0]).toBe(0)
    expect(passThroughShares(Array.from({ length: 90 }, () => day(1, 3)))[23]).toBe(1)
    expect(passThroughShares([day(0.1, Number.NaN)])[0]).toBe(0)
  })
})

describe('relative prices', () => {
  it('survive a round trip, also below zero, and have a level of at least 10 €/MWh', () => {
    for (const price of [-500, -3, 0, 80, 4000]) expect(fromRelative(toRelative(price, 90), 90)).toBeCloseTo(price, 6)
    expect(toRelative(90, 90)).toBe(0)
    expect(toRelative(99, 90)).toBeCloseTo(0.0986, 4)
    expect(levelOf(2)).toBe(10)
    expect(lastPricedDay(history().prices)).toBe(LAST)
  })
})
