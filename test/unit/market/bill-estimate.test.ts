import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateBill } from '../../../src/market/bill-estimate.ts'
import { KWH_PER_SMC, smcToKwh } from '../../../src/market/gas.ts'

const amount = fc.double({ min: 1e-3, max: 1e9, noNaN: true })
const price = fc.double({ min: 1e-4, max: 10, noNaN: true })

describe('a bill estimate', () => {
  it('of 2,700 kWh at 0.12 €/kWh is 324 € a year and 27 € a month', () => {
    const estimate = estimateBill('luce', 2700, 0.12)
    expect(estimate.energyKwhYear).toBe(2700)
    expect(estimate.energyCostYear).toBeCloseTo(324, 10)
    expect(estimate.energyCostMonth).toBeCloseTo(27, 10)
  })

  // 1,400 Smc × 10.7 kWh/Smc = 14,980 kWh; × 0.04 €/kWh = 599.20 €
  it('of 1,400 Smc at 0.04 €/kWh is 599.20 € a year', () => {
    const estimate = estimateBill('gas', 1400, 0.04)
    expect(estimate.energyKwhYear).toBeCloseTo(14_980, 9)
    expect(estimate.energyCostYear).toBeCloseTo(599.2, 10)
  })

  it('is proportional to consumption and price, and twelve months equal a year', () => {
    fc.assert(
      fc.property(fc.constantFrom('luce' as const, 'gas' as const), amount, price, (commodity, consumption, eurKwh) => {
        const one = estimateBill(commodity, consumption, eurKwh)
        expect(estimateBill(commodity, 2 * consumption, eurKwh).energyCostYear).toBe(2 * one.energyCostYear)
        expect(estimateBill(commodity, consumption, 2 * eurKwh).energyCostYear).toBe(2 * one.energyCostYear)
        expect((12 * one.energyCostMonth) / one.energyCostYear).toBeCloseTo(1, 12)
      }),
    )
  })
})

it('a standard cubic metre has the energy of 0.03852 GJ', () => {
  expect(KWH_PER_SMC).toBeCloseTo(0.03852 / 0.0036, 12)
  expect(smcToKwh(0)).toBe(0)
})
