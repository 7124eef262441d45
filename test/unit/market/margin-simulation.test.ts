import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Portfolio, STRESS, simulateMargin } from '../../../src/market/margin-simulation.ts'

const PLAIN: Portfolio = {
  customers: 1000,
  avgConsumptionKwh: 2700,
  spreadEurKwh: 0.015,
  fixedFeeEurMonth: 10,
  months: 12,
  wholesalePriceEurKwh: 0.11,
  costToServeEurCustomerYear: 45,
  badDebtPct: 1.5,
  volumeRiskPct: 3,
}

const within = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const portfolios: fc.Arbitrary<Portfolio> = fc.record({
  customers: fc.integer({ min: 1, max: 1_000_000 }),
  avgConsumptionKwh: within(1, 1e6),
  spreadEurKwh: within(-1, 1),
  fixedFeeEurMonth: within(0, 1000),
  months: fc.integer({ min: 1, max: 120 }),
  wholesalePriceEurKwh: within(0.001, 2),
  costToServeEurCustomerYear: within(0, 1000),
  badDebtPct: within(0, 50),
  volumeRiskPct: within(0, 100),
})

/** Turnover of a portfolio: the scale of its rounding errors. */
function turnoverOf(p: Portfolio): number {
  const energy = (p.avgConsumptionKwh * p.months) / 12
  const perCustomer =
    energy * (p.wholesalePriceEurKwh + Math.abs(p.spreadEurKwh)) +
    p.fixedFeeEurMonth * p.months +
    (p.costToServeEurCustomerYear * p.months) / 12
  return p.customers * perCustomer
}

describe('a margin simulation', () => {
  // A customer's year: spread 2,700 × 0.015 = 40.50, fee 120, service 45, energy 2,700 × 0.11 = 297,
  // bad debt 1.5 % × (297 + 160.50) = 6.8625, volume risk 3 % × 297 = 8.91: 160.50 − 45 − 6.8625 − 8.91 = 99.7275.
  // Up: 2,970 kWh at 0.143: spread 44.55, energy 424.71, bad debt 8.8389, volume risk 12.7413: 97.9698.
  // Down: 2,430 kWh at 0.077: spread 36.45, energy 187.11, bad debt 5.1534, volume risk 5.6133: 100.6833.
  it('of a thousand customers matches a calculation by hand', () => {
    const { grossMargin, marginPerCustomerYear, breakevenSpreadEurKwh } = simulateMargin(PLAIN)
    expect(grossMargin.base).toBeCloseTo(99_727.5, 6)
    expect(grossMargin.stressUp).toBeCloseTo(97_969.8, 6)
    expect(grossMargin.stressDown).toBeCloseTo(100_683.3, 6)
    expect(marginPerCustomerYear).toBeCloseTo(99.7275, 9)
    // (45 + 4.5 % × 297) / 0.985 = 59.25380710659898; minus the fee of 120, divided by 2,700 kWh
    expect(breakevenSpreadEurKwh).toBeCloseTo((59.25380710659898 - 120) / 2700, 12)
  })

  it('is proportional to the months: half a year has half the energy, fees and service', () => {
    const half = simulateMargin({ ...PLAIN, months: 6 })
    expect(half.grossMargin.base).toBeCloseTo(99_727.5 / 2, 6)
    expect(half.marginPerCustomerYear).toBeCloseTo(99.7275, 9)
  })

  it('is linear in the number of customers', () => {
    fc.assert(
      fc.property(portfolios, fc.integer({ min: 2, max: 100 }), (portfolio, times) => {
        const one = simulateMargin(portfolio)
        const many = simulateMargin({ ...portfolio, customers: portfolio.customers * times })
        const tolerance = 1e-12 * times * turnoverOf(portfolio)
        expect(Math.abs(many.grossMargin.base - times * one.grossMargin.base)).toBeLessThanOrEqual(tolerance)
        expect(many.breakevenSpreadEurKwh).toBe(one.breakevenSpreadEurKwh)
        const difference = many.marginPerCustomerYear - one.marginPerCustomerYear
        expect(Math.abs(difference) * portfolio.customers).toBeLessThanOrEqual(1e-11 * turnoverOf(portfolio))
      }),
    )
  })

  it('is zero at the break-even spread, positive above and negative below', () => {
    fc.assert(
      fc.property(portfolios, (portfolio) => {
        const { breakevenSpreadEurKwh: spread } = simulateMargin(portfolio)
        const marginAt = (spreadEurKwh: number) => simulateMargin({ ...portfolio, spreadEurKwh }).grossMargin.base
        expect(Math.abs(marginAt(spread))).toBeLessThanOrEqual(
          1e-9 * turnoverOf({ ...portfolio, spreadEurKwh: spread }),
        )
        expect(marginAt(spread + 0.01)).toBeGreaterThan(0)
        expect(marginAt(spread - 0.01)).toBeLessThan(0)
      }),
    )
  })

  it('stresses price and volume together: +30 % with +10 %, −30 % with −10 %', () => {
    fc.assert(
      fc.property(portfolios, (portfolio) => {
        const { grossMargin } = simulateMargin(portfolio)
        const scenario = (price: number, volume: number) =>
          simulateMargin({
            ...portfolio,
            wholesalePriceEurKwh: portfolio.wholesalePriceEurKwh * price,
            avgConsumptionKwh: portfolio.avgConsumptionKwh * volume,
          }).grossMargin.base
        expect(grossMargin.stressUp).toBe(scenario(1.3, 1.1))
        expect(grossMargin.stressDown).toBe(scenario(0.7, 0.9))
      }),
    )
    expect(STRESS).toEqual({ up: { wholesalePrice: 1.3, volume: 1.1 }, down: { wholesalePrice: 0.7, volume: 0.9 } })
  })

  it('does not depend on the wholesale price without bad debt and volume risk', () => {
    fc.assert(
      fc.property(portfolios, within(0.001, 2), (portfolio, price) => {
        const certain = { ...portfolio, badDebtPct: 0, volumeRiskPct: 0 }
        const other = simulateMargin({ ...certain, wholesalePriceEurKwh: price })
        expect(other.grossMargin.base).toBe(simulateMargin(certain).grossMargin.base)
      }),
    )
  })
})
