/**
 * Day-ahead power prices of the synthetic country. A combined-cycle plant sets the level (gas, allowances); the demand left
 * after sun and wind sets the price's place in the merit order; zones share one price until a line between them is
 * full. The PUN is the mean of the zones weighted by their load.
 */

import { GAS_PLANT } from '../../market/gas-plant.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { round } from '../../market/rounding.ts'
import { NATIONAL_ZONE, STORED_ZONES, type ZoneCode } from '../../market/zones.ts'
import type { ZoneDay } from '../observations.ts'
import { allowancePrice, psvPrice } from './fuels.ts'
import { loadAt } from './load.ts'
import { multipleAt } from './merit-order.ts'
import { type PowerDay, powerDay } from './power-day.ts'
import { linesOn, type PhysicalZone, residualsOf } from './zones.ts'

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
      const price = toCents(cost * multipleAt(residuals[zone]))
      prices[zone].push(price)
      pun += weight * price
    }
    prices[NATIONAL_ZONE].push(toCents(pun))
  }
  return prices
}

/** Never exactly 0, which readers would take for a gap. */
export function toCents(price: number): number {
  return round(price, 2) || 0.01
}

/** Fuel and allowances of a MWh of power: a spark spread of zero. */
function plantCost(day: number): number {
  return (psvPrice(day) + GAS_PLANT.emissionFactorTonnesMwh * allowancePrice(day)) / GAS_PLANT.efficiency
}
