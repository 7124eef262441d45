/**
 * How far a price follows gas, CO2 and demand. Gas and CO2 are estimated from monthly means by least squares within fixed bounds, which
 * are never below 0, so that more expensive gas never lowers the price.
 */
import { GAS_PLANT, GAS_POWER_TONNES_MWH } from '../gas.ts'
import { mean } from './months.ts'

export interface PassThrough {
  /** Change of the price in €/MWh per 1 €/MWh of gas. */
  gas: number
  /** Change of the price in €/MWh per 1 €/tCO2. */
  co2: number
  /** Relative change of the price per relative change of demand; fixed, not estimated. */
  demandElasticity: number
  /** Months used to estimate gas and CO2; 0 if there were too few and the fallbacks apply. */
  months: number
}

/** Monthly means; the caller leaves out months in which one of the three is missing. */
export interface MonthlyMeans {
  price: number
  gas: number
  co2: number
}

interface Rule {
  gas: { least: number; most: number; fallback: number }
  co2: { least: number; most: number; fallback: number }
  demandElasticity: number
}

/** The fallbacks are those of a gas plant: the clean spark relation of `/trading/vitals`. */
export const PASS_THROUGH_RULES = {
  PUN: {
    gas: { least: 1.4, most: 2.4, fallback: 1 / GAS_PLANT.efficiency },
    co2: { least: 0.2, most: 0.6, fallback: GAS_POWER_TONNES_MWH },
    demandElasticity: 1,
  },
  PSV: {
    gas: { least: 0.9, most: 1.1, fallback: 1 },
    co2: { least: 0, most: 0, fallback: 0 },
    demandElasticity: 0.3,
  },
} as const satisfies Record<string, Rule>

const MONTHS_NEEDED = 24
/** Coordinate descent on two variables: far more sweeps than it needs. */
const SWEEPS = 200

/** `passThrough('PUN', months)`: least squares of the price on gas and CO2 with an intercept, within the bounds. */
export function passThrough(asset: keyof typeof PASS_THROUGH_RULES, months: readonly MonthlyMeans[]): PassThrough {
  const { gas, co2, demandElasticity }: Rule = PASS_THROUGH_RULES[asset]
  if (months.length < MONTHS_NEEDED) return { gas: gas.fallback, co2: co2.fallback, demandElasticity, months: 0 }
  const price = deviations(months.map((month) => month.price))
  const x = deviations(months.map((month) => month.gas))
  const y = deviations(months.map((month) => month.co2))
  const [xx, yy, xy] = [dot(x, x), dot(y, y), dot(x, y)]
  const [xp, yp] = [dot(x, price), dot(y, price)]
  let [a, b] = [gas.fallback, co2.fallback]
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (xx > 0) a = clamp((xp - xy * b) / xx, gas)
    if (yy > 0) b = clamp((yp - xy * a) / yy, co2)
  }
  return { gas: a, co2: b, demandElasticity, months: months.length }
}

function deviations(values: readonly number[]): number[] {
  const level = mean(values)
  return values.map((value) => value - level)
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)
}

function clamp(value: number, { least, most }: { least: number; most: number }): number {
  return Math.min(most, Math.max(least, value))
}
