/** Classifies prices within their day, for example to run a boiler or charge a car. */

export const PRICE_LEVELS = ['low', 'normal', 'high'] as const
type PriceLevel = (typeof PRICE_LEVELS)[number]

/** A price is normal if it differs from the mean by at most this share of the mean. */
export const NORMAL_WITHIN = 0.1

/** `priceLevel(80, 100)` is `low`, `priceLevel(110, 100)` is `normal`; with a mean of -20, -23 is `low`. */
export function priceLevel(price: number, mean: number): PriceLevel {
  const distance = price - mean
  if (Math.abs(distance) <= NORMAL_WITHIN * Math.abs(mean)) return 'normal'
  return distance < 0 ? 'low' : 'high'
}

/** Rank of each price, 1 for the lowest; equal prices share a rank: `priceRanks([5, 3, 5])` is `[2, 1, 2]`. */
export function priceRanks(prices: readonly number[]): number[] {
  const places = new Map<number, number>()
  for (const [i, price] of prices.toSorted((a, b) => a - b).entries()) places.getOrInsert(price, i + 1)
  return prices.map((price) => places.get(price) as number)
}
