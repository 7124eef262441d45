/** Tomorrow's price of an index, once it is published: the current endpoints answer today's. */
import type { PriceObservation } from '../../api/contract/observations.ts'
import { presentObservation } from '../../api/endpoints/present-observation.ts'
import type { Service } from '../../api/http/service.ts'
import type { Asset } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'

export async function tomorrowsPrice(
  { code }: Asset,
  { prices, config }: Service,
  today: MarketDay,
): Promise<PriceObservation | undefined> {
  const tomorrow = today.add({ days: 1 })
  const found = await prices.latest(code, { notBefore: tomorrow, notAfter: tomorrow })
  return found && presentObservation(found, config.baseUrl)
}
