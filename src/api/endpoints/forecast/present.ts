/** Common parts of the forecast responses. */
import { round } from '../../../market/rounding.ts'

/** Rounded as in the ledger, so that displayed values can be verified. */
const PRICE_DECIMALS = 4
const ERROR_DECIMALS = 6
export const METHODOLOGY_PATH = '/docs/methodology'

export function showPrice(price: number): number {
  return round(price, PRICE_DECIMALS)
}

export function showError(value: number): number {
  return round(value, ERROR_DECIMALS)
}

export function methodologyUrl(baseUrl: URL): string {
  return new URL(METHODOLOGY_PATH, baseUrl).href
}
