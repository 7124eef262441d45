/** Yearly cost of a consumer's energy only, excluding transport, charges, taxes and the seller's fixed fee. */

import { smcToKwh } from './gas.ts'
import type { Commodity } from './offers.ts'

export interface BillEstimate {
  /** kWh a year; for gas, its energy at the standard calorific value. */
  energyKwhYear: number
  /** € */
  energyCostYear: number
  energyCostMonth: number
}

/**
 * `consumption` is kWh a year of electricity, Smc a year of gas; the price is per kWh for both. Not rounded:
 * `estimateBill('luce', 2700, 0.12)` costs 324 € a year, 27 € a month.
 */
export function estimateBill(commodity: Commodity, consumption: number, priceEurKwh: number): BillEstimate {
  const energyKwhYear = commodity === 'gas' ? smcToKwh(consumption) : consumption
  const energyCostYear = energyKwhYear * priceEurKwh
  return { energyKwhYear, energyCostYear, energyCostMonth: energyCostYear / 12 }
}
