import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gateDailyPrice, gateFundamentalDay, gateZoneDay, type Verdict } from '../../../src/ingest/gate.ts'
import type { FundamentalSeries } from '../../../src/market/fundamentals.ts'
import type { ResolutionMinutes } from '../../../src/market/market-day.ts'
import type { ZoneCode } from '../../../src/market/zones.ts'
import type { Fault } from '../../../src/publishers/faults.ts'
import type { ZoneDay } from '../../../src/publishers/observations.ts'
import * as prices from '../../support/prices.ts'

const CONTEXT = { priceLimits: { min: -500, max: 4000 } }

describe('a zone-day is accepted', () => {
  it.each([
    ['2026-01-14', 60],
    ['2026-03-29', 60],
    ['2026-10-25', 60],
    ['2026-01-14', 15],
    ['2026-03-29', 15],
    ['2026-10-25', 15],
    ['2026-10-25', 30],
  ] as const)('when %s has all its intervals of %i minutes', (day, resolution) => {
    expect(gateZoneDay(zoneDay({ day, resolution }), CONTEXT)).toEqual({ accepted: true })
  })

  it('for any finite prices within the limits, except exactly 0', () => {
    const price = fc.double({ min: -500, max: 4000, noNaN: true }).filter((value) => value !== 0)
    fc.assert(
      fc.property(fc.array(price, { minLength: 24, maxLength: 24 }), (prices) => {
        expect(gateZoneDay({ ...zoneDay({}), prices }, CONTEXT)).toEqual({ accepted: true })
      }),
    )
  })
})

describe('a zone-day is refused', () => {
  it.each([
    ['2026-10-25', 60, [25], 'hour 25 is missing (24 of 25)'],
    ['2026-01-14', 15, [96], 'quarter 96 is missing (95 of 96)'],
    ['2026-03-29', 60, [3, 4], 'hours 3, 4 are missing (21 of 23)'],
    ['2026-01-14', 60, ordinals(12), 'hours 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more are missing (12 of 24)'],
  ] as const)('when %s in intervals of %i minutes lacks %j', (day, resolution, missing, detail) => {
    const incomplete = zoneDay({ day, resolution })
    for (const ordinal of missing) incomplete.prices[ordinal - 1] = undefined
    expect(faultsOf(gateZoneDay(incomplete, CONTEXT))).toEqual([
      { code: 'incomplete_day', place: `nord ${day}`, detail },
    ])
  })

  it('when its prices end early', () => {
    const short = zoneDay({ day: '2026-10-25' })
    short.prices.pop()
    expect(faultsOf(gateZoneDay(short, CONTEXT))).toMatchObject([{ detail: 'hour 25 is missing (24 of 25)' }])
  })

  it('when it has more intervals than the day', () => {
    const long = { ...zoneDay({ day: '2026-03-29' }), prices: new Array<number>(24).fill(50) }
    expect(faultsOf(gateZoneDay(long, CONTEXT))).toMatchObject([
      { code: 'interval_out_of_day', detail: 'has 24 hours, the day has 23' },
    ])
  })

  it.each([[4000.01], [-500.01], [Number.NaN], [Number.POSITIVE_INFINITY]])('for the price %d', (price) => {
    const beyond = zoneDay({ zone: 'nazionale' })
    beyond.prices[18] = price
    const detail = `${price} in hour 19: outside the limits of -500 to 4000`
    expect(faultsOf(gateZoneDay(beyond, CONTEXT))).toEqual([
      { code: 'price_out_of_limits', place: 'PUN 2026-01-14', detail },
    ])
  })

  it('but not for a price exactly on the limit', () => {
    const limit = zoneDay({})
    limit.prices[3] = -500
    limit.prices[4] = 4000
    expect(gateZoneDay(limit, CONTEXT).accepted).toBe(true)
  })

  it('for zeros that its other prices contradict', () => {
    const zeros = zoneDay({})
    zeros.prices.fill(0, 9, 12)
    expect(faultsOf(gateZoneDay(zeros, CONTEXT))).toMatchObject([
      { code: 'zero_run', detail: 'hours 10 to 12 are exactly 0, which the other prices of the day contradict' },
    ])
    expect(faultsOf(gateZoneDay({ ...zeros, prices: zeros.prices.map(() => 0) }, CONTEXT))).toMatchObject([
      { code: 'zero_run', detail: 'all prices are exactly 0, which publishers write for a price not yet known' },
    ])
  })

  it('with the faults of the parser before those of the gate', () => {
    const fault: Fault = { code: 'not_a_number', place: 'line 7, column nord', detail: '"x" is not a number' }
    const faulty = { ...zoneDay({}), faults: [fault] }
    expect(faultsOf(gateZoneDay(faulty, CONTEXT))).toEqual([fault])
    faulty.prices[0] = undefined
    expect(codesOf(gateZoneDay(faulty, CONTEXT))).toEqual(['not_a_number', 'incomplete_day'])
  })
})

describe('a day whose auction has not taken place, or before the market opened,', () => {
  const since = Temporal.PlainDate.from('2004-01-01')
  const context = {
    priceLimits: { ...CONTEXT.priceLimits, since },
    lastDay: Temporal.PlainDate.from('2026-10-25'),
  }

  it.each([
    ['2026-10-25', []],
    ['2026-10-26', ['future_day']],
    ['2027-01-14', ['future_day']],
    ['2004-01-01', []],
    ['2003-12-31', ['past_day']],
    ['0001-01-01', ['past_day']],
  ])('is refused: %s has the faults %j', (day, codes) => {
    expect(codesOf(gateZoneDay(zoneDay({ day }), context))).toEqual(codes)
    expect(codesOf(gateDailyPrice(prices.dailyPrice('PSV', day, 31.5), context))).toEqual(codes)
  })
})

describe('a daily price', () => {
  it.each([
    ['PSV', 31.5, []],
    ['Brent', -37.63, []],
    ['PUN', 0, []],
    ['TTF', 0, ['zero_run']],
    ['CO2', 4001, ['price_out_of_limits']],
    ['TTF', Number.NaN, ['price_out_of_limits']],
    ['TTF', undefined, ['not_a_number']],
  ] as const)('of %s at %s has the faults %j', (asset, price, codes) => {
    const daily = { ...prices.dailyPrice(asset, '2026-01-14', 0), price }
    expect(codesOf(gateDailyPrice(daily, CONTEXT))).toEqual(codes)
  })
})

interface Shape {
  zone?: ZoneCode
  day?: string
  resolution?: ResolutionMinutes
}

/** A whole day of prices that begin at 50. */
function zoneDay({ zone = 'nord', day = '2026-01-14', resolution = 60 }: Shape): ZoneDay {
  return prices.zoneDay(zone, day, resolution, (ordinal) => 49 + ordinal)
}

function ordinals(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

function faultsOf(verdict: Verdict): Fault[] {
  return verdict.accepted ? [] : verdict.faults
}

function codesOf(verdict: Verdict): string[] {
  return faultsOf(verdict).map(({ code }) => code)
}

describe('a day of fundamentals', () => {
  const today = Temporal.PlainDate.from('2026-03-28')
  const day = (series: FundamentalSeries, date: string) =>
    gateFundamentalDay(
      {
        kind: 'fundamental-day',
        series,
        area: series === 'day-ahead-price' ? 'CH' : 'IT',
        day: Temporal.PlainDate.from(date),
        resolutionMinutes: 60,
        values: new Array<number>(23).fill(100),
        faults: [],
      },
      today,
    )

  it.each([
    ['load', '2026-03-28', '2026-03-29'],
    ['generation-solar', '2026-03-28', '2026-03-29'],
    ['day-ahead-price', '2026-03-29', '2026-03-30'],
  ] as const)('of %s is accepted for %s, but refused for the future day %s', (series, known, toCome) => {
    expect(day(series, known)).toEqual({ accepted: true })
    expect(faultsOf(day(series, toCome))).toMatchObject([
      { code: 'future_day', place: expect.stringContaining(toCome) },
    ])
  })

  it('that is a forecast may be in the future, within the limits of its series', () => {
    expect(day('load-forecast', '2026-04-04')).toEqual({ accepted: true })
    expect(day('temperature', '2026-04-04').accepted).toBe(false) // 100 °C
  })
})
