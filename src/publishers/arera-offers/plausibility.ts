/**
 * Bounds for absurd values; outliers are excluded by the indices' own rule. A price in €/MWh stated under
 * €/kWh is recognised by its size; it is left out and never rescaled.
 */
import type { Customer, PriceType } from '../../market/offers.ts'
import type { StatedUnit } from './offer.ts'
import { ExcludedOffer } from './reasons.ts'

interface Bounds {
  /** Above this a price is beyond any market. */
  absurdAbove: number
  /** From here on it can only be one in €/MWh. */
  wrongUnitFrom: number
}

/**
 * Monthly averages of the PUN reached 0.54 €/kWh and of the PSV 2.5 €/Smc in August 2022; the largest spreads that are seriously
 * offered are near 0.1 €/kWh and 0.9 €/Smc.
 */
const BOUNDS: Record<PriceType, Record<StatedUnit, Bounds>> = {
  fisso: { '€/kWh': { absurdAbove: 1, wrongUnitFrom: 10 }, '€/Smc': { absurdAbove: 8, wrongUnitFrom: 15 } },
  variabile: { '€/kWh': { absurdAbove: 0.3, wrongUnitFrom: 2 }, '€/Smc': { absurdAbove: 2, wrongUnitFrom: 5 } },
}

/** Suppliers enter 999.99 where a form demands a fee. */
const FEE_EUR_YEAR_MAX: Record<Customer, number> = { domestico: 900, business: 5_000 }

/** Fails with ExcludedOffer. A spread may be exactly 0, a price may not. */
export function checkPrices(prices: readonly number[], priceType: PriceType, unit: StatedUnit): void {
  const { absurdAbove, wrongUnitFrom } = BOUNDS[priceType][unit]
  for (const price of prices) {
    if (price >= wrongUnitFrom)
      throw new ExcludedOffer('wrong_unit', `${price} ${unit} has the size of a price in €/MWh`)
    if (price > absurdAbove) throw new ExcludedOffer('absurd_price', `${price} ${unit}, at most ${absurdAbove}`)
    if (price < 0) throw new ExcludedOffer('negative_price', `${price} ${unit}`)
    if (price === 0 && priceType === 'fisso') throw new ExcludedOffer('zero_price', `0 ${unit}`)
  }
}

/** Fails with ExcludedOffer. */
export function checkFee(feeEurYear: number, customer: Customer): void {
  if (feeEurYear < 0) throw new ExcludedOffer('negative_price', `fixed fee of ${feeEurYear} €/year`)
  if (feeEurYear > FEE_EUR_YEAR_MAX[customer]) {
    throw new ExcludedOffer('absurd_fee', `fixed fee of ${feeEurYear} €/year, at most ${FEE_EUR_YEAR_MAX[customer]}`)
  }
}
