/**
 * Day-ahead power prices of the synthetic country. A combined-cycle plant sets the level (gas, allowances); residual demand after
 * solar and wind sets the position in the merit order; zones share one price until a line between them is congested. The PUN is the
 * load-weighted mean of the zones.
 */
import { GAS_PLANT } from '../../market/gas.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { round } from '../../market/rounding.ts'
import { NATIONAL_ZONE, STORED_ZONES, type ZoneCode } from '../../market/zones.ts'
import type { ZoneDay } from '../observations.ts'
import { allowancePrice, psvPrice } from './fuels.ts'
import { type Load, loadAt, type PowerDay, powerDay } from './load.ts'
import { uniformNoise } from './noise.ts'

/** Share of the country's load; they add up to 1. */
const LOAD_WEIGHTS: readonly (readonly [PhysicalZone, number])[] = [
  ['nord', 0.55],
  ['cnor', 0.11],
  ['csud', 0.15],
  ['sud', 0.08],
  ['cala', 0.02],
  ['sici', 0.06],
  ['sard', 0.03],
]

type ZonePrices = Record<ZoneCode, number[]>

/** All zones of one market day, the PUN first; hours before 1 October 2025, quarter-hours from then on. €/MWh, 2 decimals. */
export function powerPrices(day: MarketDay, isHoliday: boolean): ZoneDay[] {
  const frame = powerDay(day, isHoliday)
  const prices = pricesByZone(frame)
  const { resolutionMinutes } = frame
  return STORED_ZONES.map((zone) => ({
    kind: 'zone-day',
    zone,
    day,
    resolutionMinutes,
    prices: prices[zone],
    faults: [],
  }))
}

function pricesByZone(day: PowerDay): ZonePrices {
  const cost = plantCost(day.number)
  const lines = linesOn(day.number)
  const prices: ZonePrices = {
    [NATIONAL_ZONE]: [],
    nord: [],
    cnor: [],
    csud: [],
    sud: [],
    sici: [],
    sard: [],
    cala: [],
  }
  for (let ordinal = 1; ordinal <= day.intervals; ordinal++) {
    const residuals = residualsOf(loadAt(day, ordinal), lines)
    let pun = 0
    for (const [zone, weight] of LOAD_WEIGHTS) {
      const price = roundToCents(cost * multipleAt(residuals[zone]))
      prices[zone].push(price)
      pun += weight * price
    }
    prices[NATIONAL_ZONE].push(roundToCents(pun))
  }
  return prices
}

/** Rounds to cents, but never to exactly 0, which would be taken for a gap. */
export function roundToCents(price: number): number {
  return round(price, 2) || 0.01
}

/** Cost of fuel and allowances per MWh of power: the price at which the clean spark spread is zero. */
function plantCost(day: number): number {
  return (psvPrice(day) + GAS_PLANT.emissionFactorTonnesMwh * allowancePrice(day)) / GAS_PLANT.efficiency
}

// How congested lines make zonal prices differ. Solar and wind are in the south and on the islands, demand is in the north. If the
// surplus exceeds the capacity of a line, plants in the zones behind it have less demand to serve, and prices are lower. If the north
// needs more than the lines can carry, its price is higher. Otherwise zones have the same price.

type PhysicalZone = Exclude<ZoneCode, typeof NATIONAL_ZONE>

const NORTH_TO_SOUTH: readonly PhysicalZone[] = ['nord', 'cnor', 'csud', 'sud', 'cala']

/** First congested line of the mainland, as the number of zones north of it; most often the one south of Rome. */
const BORDERS = [1, 2, 3, 3, 3]

/** Line capacities on a day, as shares of the country's peak demand. */
interface Lines {
  zonesNorthOfBorder: number
  northLimit: number
  southLimit: number
  sicilyLimit: number
  sardiniaLimit: number
  /** Demand that Sicily's own plants must serve while the cable is being repaired. */
  sicilyShortage: number
}

const draws = uniformNoise('lines')

/** Residual demand for plants in each zone, as a share of the country's peak demand. */
type Residuals = Record<PhysicalZone, number>

function residualsOf(load: Load, lines: Lines): Residuals {
  const country = load.demand - load.solar - load.wind
  const surplus = Math.max(0, 0.75 * load.solar + load.wind - lines.southLimit)
  const shortage = Math.max(0, country - lines.northLimit)
  const onMainland = (zone: PhysicalZone) =>
    NORTH_TO_SOUTH.indexOf(zone) < lines.zonesNorthOfBorder
      ? country + 0.1 * surplus + 0.14 * shortage
      : country - 0.7 * surplus - 0.09 * shortage
  return {
    nord: onMainland('nord'),
    cnor: onMainland('cnor'),
    csud: onMainland('csud'),
    sud: onMainland('sud'),
    cala: onMainland('cala'),
    sici:
      onMainland('cala') +
      lines.sicilyShortage +
      0.12 * shortage -
      Math.max(0, 0.7 * load.solar + load.wind - lines.sicilyLimit),
    sard: onMainland('csud') - 0.05 * shortage - Math.max(0, 0.3 * load.solar + load.wind - lines.sardiniaLimit),
  }
}

/** The lines of a day, given as days since 1970. */
function linesOn(day: number): Lines {
  return {
    zonesNorthOfBorder: BORDERS[Math.floor(draws(day, 0) * BORDERS.length)] ?? 1,
    northLimit: 0.33 + 0.24 * draws(day, 5),
    southLimit: 0.14 + 0.24 * draws(day, 1),
    sicilyLimit: 0.2 + 0.2 * draws(day, 2),
    sardiniaLimit: 0.1 + 0.12 * draws(day, 3),
    sicilyShortage: draws(day, 4) < 0.08 ? 0.06 : 0,
  }
}

/**
 * The merit order: the cost of a MWh, as a multiple of a combined-cycle plant's cost, by residual demand (1 = the country's peak
 * demand). Negative if solar, wind and rivers exceed demand, about 1 if gas sets the price, several times that if plants run out.
 */
const STEPS: readonly (readonly [residual: number, multiple: number])[] = [
  [-0.2, -0.35],
  [-0.1, -0.12],
  [-0.03, -0.01],
  [0, 0.003],
  [0.08, 0.02],
  [0.15, 0.25],
  [0.25, 0.65],
  [0.35, 0.85],
  [0.5, 0.96],
  [0.65, 1.05],
  [0.8, 1.2],
  [0.9, 1.4],
  [1, 1.9],
  [1.15, 3.5],
  [1.4, 6],
]

/** Interpolates linearly between the steps; returns the outermost multiple beyond them. */
function multipleAt(residual: number): number {
  let [lowerResidual, lowerMultiple] = STEPS[0] ?? [0, 0]
  if (residual <= lowerResidual) return lowerMultiple
  for (const [upperResidual, upperMultiple] of STEPS) {
    if (residual < upperResidual) {
      const share = (residual - lowerResidual) / (upperResidual - lowerResidual)
      return lowerMultiple + share * (upperMultiple - lowerMultiple)
    }
    lowerResidual = upperResidual
    lowerMultiple = upperMultiple
  }
  return lowerMultiple
}
