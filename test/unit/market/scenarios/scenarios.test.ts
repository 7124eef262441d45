import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bandOfForecast, bandOfHistory } from '../../../../src/market/scenarios/driver-band.ts'
import { monthlyPath, type PathMonth } from '../../../../src/market/scenarios/monthly-path.ts'
import { monthAfter } from '../../../../src/market/scenarios/months.ts'
import { type MonthlyMeans, PASS_THROUGH_RULES, passThrough } from '../../../../src/market/scenarios/pass-through.ts'
import { projectScenarios, type ScenarioInputs } from '../../../../src/market/scenarios/project-scenarios.ts'
import { seasonalShape } from '../../../../src/market/scenarios/seasonal-shape.ts'

const price = fc.double({ min: -50, max: 800, noNaN: true })
const driverPrice = fc.double({ min: 1, max: 300, noNaN: true })
const band = fc.record({
  up: fc.double({ min: 0, max: 1.5, noNaN: true }),
  down: fc.double({ min: -1.5, max: 0, noNaN: true }),
})
const month = fc.record({ price, gas: driverPrice, co2: driverPrice })
const asset = fc.constantFrom('PUN' as const, 'PSV' as const)
const NOISE = 1e-9

const inputs: fc.Arbitrary<ScenarioInputs> = fc
  .record({
    asset,
    past: fc.array(month, { maxLength: 60 }),
    bases: fc.array(fc.tuple(price, driverPrice, driverPrice), { minLength: 1, maxLength: 24 }),
    gasBand: band,
    co2Band: band,
  })
  .map(({ asset, past, bases, gasBand, co2Band }) => ({
    path: bases.map(([base], i): PathMonth => ({ month: monthAfter('2026-12', i), price: base, basis: 'forecast' })),
    gas: { base: bases.map(([, gas]) => gas), band: gasBand },
    co2: { base: bases.map(([, , co2]) => co2), band: co2Band },
    passThrough: passThrough(asset, past),
    infoDate: '2026-11-22',
  }))

describe('scenarios', () => {
  it('are ordered for any inputs: bull ≥ base ≥ bear', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        for (const { price: base, bull, bear } of projectScenarios(given).months) {
          expect(bull).toBeGreaterThanOrEqual(base - NOISE)
          expect(bear).toBeLessThanOrEqual(base + NOISE)
        }
      }),
    )
  })

  it('never have a lower bull price with a higher gas price', () => {
    fc.assert(
      fc.property(inputs, fc.double({ min: 0, max: 1, noNaN: true }), (given, more) => {
        const dearer = {
          ...given,
          gas: { ...given.gas, band: { up: given.gas.band.up + more, down: given.gas.band.down } },
        }
        const [now, then] = [projectScenarios(given), projectScenarios(dearer)]
        then.months.forEach(({ bull }, i) => {
          expect(bull).toBeGreaterThanOrEqual((now.months[i]?.bull ?? Number.NaN) - NOISE)
        })
      }),
    )
  })
})

describe('the pass-through', () => {
  it('stays within its bounds for any history', () => {
    fc.assert(
      fc.property(asset, fc.array(month, { maxLength: 80 }), (code, past) => {
        const { gas, co2 } = passThrough(code, past)
        const rules = PASS_THROUGH_RULES[code]
        expect(gas).toBeGreaterThanOrEqual(rules.gas.least)
        expect(gas).toBeLessThanOrEqual(rules.gas.most)
        expect(co2).toBeGreaterThanOrEqual(rules.co2.least)
        expect(co2).toBeLessThanOrEqual(rules.co2.most)
      }),
    )
  })

  it('is the least-squares fit if that lies within the bounds', () => {
    const past: MonthlyMeans[] = Array.from({ length: 36 }, (_, i) => {
      const [gas, co2] = [30 + 10 * Math.sin(i), 70 + 8 * Math.cos(i / 3)]
      return { gas, co2, price: 9 + 1.9 * gas + 0.45 * co2 }
    })
    expect(passThrough('PUN', past)).toMatchObject({
      gas: expect.closeTo(1.9, 6),
      co2: expect.closeTo(0.45, 6),
      months: 36,
    })
  })

  it('is that of a gas plant if the common history is shorter than two years', () => {
    expect(passThrough('PUN', [])).toEqual({ gas: 1 / 0.53, co2: 0.202 / 0.53, demandElasticity: 1, months: 0 })
  })
})

describe('the seasonal shape', () => {
  const years = (count: number, of: (month: number) => number) =>
    new Map(Array.from({ length: 12 * count }, (_, i) => [monthAfter('2020-01', i), of(i % 12)]))

  it('follows the course of the year, more strongly with more years, and sums to zero', () => {
    const swing = (i: number) => 100 * Math.exp(0.1 * Math.cos((i / 12) * 2 * Math.PI))
    const [few, many] = [seasonalShape(years(3, swing)), seasonalShape(years(10, swing))]
    expect(many[0]).toBeGreaterThan(few[0] as number)
    expect(few[0]).toBeGreaterThan(0)
    expect(many[6]).toBeLessThan(0)
    expect(many.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12)
  })

  it('is flat without a full year, or with prices at or below zero', () => {
    expect(seasonalShape(years(0, () => 1))).toEqual(Array(12).fill(0))
    expect(seasonalShape(years(4, (i) => (i === 3 ? -5 : 100)))).toEqual(Array(12).fill(0))
  })
})

describe('the monthly price path', () => {
  it('continues at its last level, shaped by the season from its last month to the target month', () => {
    const days = Array.from({ length: 60 }, (_, i) => Temporal.PlainDate.from('2027-03-02').add({ days: i }))
    const path = days.map((day) => ({ date: day.toString(), price: 80 }))
    const shape = Array.from({ length: 12 }, (_, i) => (i === 6 ? 0.1 : 0))
    const months = monthlyPath({ path, shape, firstMonth: '2027-03', months: 5, daysNeeded: 20 })
    expect(months).toEqual([
      { month: '2027-03', price: 80, basis: 'forecast' },
      { month: '2027-04', price: 80, basis: 'forecast' },
      { month: '2027-05', price: 80, basis: 'continuation' },
      { month: '2027-06', price: 80, basis: 'continuation' },
      { month: '2027-07', price: expect.closeTo(80 * Math.exp(0.1), 9), basis: 'continuation' },
    ])
  })
})

describe('the band of a driver', () => {
  it('comes from its forecast, and mirrors the other side if a bound is not positive', () => {
    expect(bandOfForecast({ p10: 20, p50: 40, p90: 60 })).toEqual({ up: Math.log(1.5), down: Math.log(0.5) })
    expect(bandOfForecast({ p10: -1, p50: 40, p90: 60 })).toEqual({ up: Math.log(1.5), down: -Math.log(1.5) })
  })

  it('comes from its history, with each bound on its own side even after a one-sided year', () => {
    const days = Array.from({ length: 400 }, (_, i) => ({
      date: Temporal.PlainDate.from('2025-10-01').add({ days: i }).toString(),
      price: 60 * Math.exp(i / 400),
    }))
    const { up, down } = bandOfHistory(days)
    expect(up).toBeCloseTo(90 / 400, 6)
    expect(down).toBe(0)
    expect(bandOfHistory(days.slice(0, 50)).up).toBeGreaterThan(0)
  })
})
