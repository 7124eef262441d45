import { describe, expect, it } from 'vitest'
import { bias, coverage, mae, mape, pinball, pinballLoss, rmae } from '../../../models/metrics.ts'

/** Errors of the median: −2, 0, +10. */
const SCORED = [
  { p10: 5, p50: 10, p90: 11, actual: 12 },
  { p10: 15, p50: 20, p90: 25, actual: 20 },
  { p10: 35, p50: 50, p90: 60, actual: 40 },
]

describe('metrics, calculated by hand', () => {
  it('MAE is the mean of 2, 0 and 10', () => expect(mae(SCORED)).toBe(4))

  it('bias is the mean of −2, 0 and 10: too high', () => expect(bias(SCORED)).toBeCloseTo(8 / 3, 12))

  it('coverage counts actuals within the band, ends included', () => {
    expect(coverage(SCORED)).toBeCloseTo(2 / 3, 12)
    expect(coverage([{ p10: 5, p50: 6, p90: 7, actual: 5 }])).toBe(1)
  })

  it('pinball loss weights underestimates by the quantile and overestimates by the remainder', () => {
    expect(pinballLoss(0.1, 10, 20)).toBeCloseTo(1, 12)
    expect(pinballLoss(0.1, 20, 10)).toBeCloseTo(9, 12)
    expect(pinballLoss(0.9, 10, 20)).toBeCloseTo(9, 12)
  })

  it('the mean pinball loss averages three quantiles and all days', () => {
    const byDay = [(0.7 + 1 + 0.9) / 3, (0.5 + 0 + 0.5) / 3, (0.5 + 5 + 2) / 3]
    expect(pinball(SCORED)).toBeCloseTo(byDay.reduce((sum, one) => sum + one, 0) / 3, 12)
  })

  it('MAPE is a fraction that excludes and counts actuals within 1 €/MWh of zero', () => {
    const nearZero = [-1, 0, 0.5].map((actual) => ({ p10: 0, p50: 3, p90: 5, actual }))
    const result = mape([...SCORED, ...nearZero])
    expect(result.mape).toBeCloseTo((2 / 12 + 0 + 10 / 40) / 3, 12)
    expect(result.leftOut).toBe(3)
    expect(mape([{ p10: -6, p50: -4, p90: 0, actual: -5 }]).mape).toBeCloseTo(0.2, 12)
  })

  it('relative MAE divides by the MAE of the naive forecast of the same days', () => {
    const lowBy = (error: number) => SCORED.map((one) => ({ ...one, p50: one.actual - error }))
    expect(rmae(SCORED, lowBy(8))).toBe(0.5)
    expect(rmae(SCORED, lowBy(0))).toBeNaN()
  })

  it('every score is NaN without forecasts', () => {
    for (const value of [mae([]), bias([]), coverage([]), pinball([]), mape([]).mape]) expect(value).toBeNaN()
  })
})
