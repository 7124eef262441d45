/**
 * Gas, oil and allowance prices by day (days since 1970). They share one random path, and most add one of their own; the sums are
 * exponents, so daily steps are percentages: about 1 to 1.5 %.
 */
import { bellNoise, randomPath, season, smoothNoise } from './noise.ts'

const MID_JANUARY = 15

const energyPath = randomPath('energy')
const gasPath = randomPath('gas')
const oilPath = randomPath('oil')
const allowancePath = randomPath('allowances')
const slowSpread = smoothNoise('psv-ttf/slow')
const dailySpread = bellNoise('psv-ttf/daily')

/** €/MWh at the TTF, around 38 and higher in winter. */
export function ttfPrice(day: number): number {
  return 38 * Math.exp(0.04 * season(day, MID_JANUARY) + 0.011 * energyPath(day) + 0.007 * gasPath(day))
}

/** €/MWh at the PSV: the TTF plus 1 to 3 €/MWh for transport across the Alps. */
export function psvPrice(day: number): number {
  return ttfPrice(day) + 2 + 0.22 * slowSpread(day / 20) + 0.06 * dailySpread(day)
}

/** $/bbl, around 74. */
export function brentPrice(day: number): number {
  return 74 * Math.exp(0.006 * energyPath(day) + 0.01 * oilPath(day))
}

/** €/tCO2, around 70. */
export function allowancePrice(day: number): number {
  return 70 * Math.exp(0.006 * energyPath(day) + 0.01 * allowancePath(day))
}
