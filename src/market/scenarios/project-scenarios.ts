/**
 * Three scenarios by month. Bull is the high price and bear the low one: gas, CO2 and demand all move up, or all down, and the price
 * follows by its pass-through. Since no coefficient is negative, bull ≥ base ≥ bear by construction.
 */
import { type DriverBand, scaledBand } from './driver-band.ts'
import type { PathMonth } from './monthly-path.ts'
import { mean } from './months.ts'
import type { PassThrough } from './pass-through.ts'

/** Growth of demand over the same month of the previous year; a fixed assumption. */
export const DEMAND_GROWTH = { base: 0, bull: 0.015, bear: -0.015 } as const

/** A driver's price in the base scenario for each month of the path, and how far it may move. */
interface Driver {
  base: readonly number[]
  band: DriverBand
}

export interface Scenarios {
  months: (PathMonth & { bull: number; bear: number })[]
  /** Means over the months. */
  gas: Drivers
  co2: Drivers
}

interface Drivers {
  base: number
  bull: number
  bear: number
}

export interface ScenarioInputs {
  path: readonly PathMonth[]
  gas: Driver
  co2: Driver
  passThrough: PassThrough
  /** The day from which distances are counted. */
  infoDate: string
}

export function projectScenarios({ path, gas, co2, passThrough, infoDate }: ScenarioInputs): Scenarios {
  const gasPaths = driverPaths(gas, path, infoDate)
  const co2Paths = driverPaths(co2, path, infoDate)
  const move = (i: number, side: 'bull' | 'bear') => {
    const shift = (paths: DriverPaths) => (paths[side][i] as number) - (paths.base[i] as number)
    const base = (path[i] as PathMonth).price
    const demand = Math.abs(base) * passThrough.demandElasticity * (DEMAND_GROWTH[side] - DEMAND_GROWTH.base)
    return base + passThrough.gas * shift(gasPaths) + passThrough.co2 * shift(co2Paths) + demand
  }
  return {
    months: path.map((month, i) => ({ ...month, bull: move(i, 'bull'), bear: move(i, 'bear') })),
    gas: meansOf(gasPaths),
    co2: meansOf(co2Paths),
  }
}

interface DriverPaths {
  base: readonly number[]
  bull: number[]
  bear: number[]
}

function driverPaths({ base, band }: Driver, path: readonly PathMonth[], infoDate: string): DriverPaths {
  const bands = path.map(({ month }) => scaledBand(band, daysToMiddle(infoDate, month)))
  // Relative to the absolute price, so that "up" is up for a negative price too.
  const moved = (side: keyof DriverBand) =>
    base.map((price, i) => price + Math.abs(price) * (Math.exp((bands[i] as DriverBand)[side]) - 1))
  return { base, bull: moved('up'), bear: moved('down') }
}

function daysToMiddle(infoDate: string, month: string): number {
  return Temporal.PlainDate.from(infoDate).until(`${month}-15`, { largestUnit: 'days' }).days
}

function meansOf({ base, bull, bear }: DriverPaths): Drivers {
  return { base: mean(base), bull: mean(bull), bear: mean(bear) }
}
