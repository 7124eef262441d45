/** The latest price of an index, with the 30 days before it: tomorrow's once it is published, or an old one if prices have ended. */
import type { PriceObservation } from '../../api/contract/observations.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import { isStale, latestStored } from '../../api/endpoints/current-price.ts'
import { presentObservation } from '../../api/endpoints/present-observation.ts'
import { getPricesSeries } from '../../api/endpoints/prices/get-series.ts'
import type { Service } from '../../api/http/service.ts'
import type { Asset } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import type { AskEndpoint } from '../page.ts'

const MONTH_DAYS = 30

interface Latest {
  observation: PriceObservation | undefined
  /** End of ranges: today, or the last stored day if prices have ended. */
  end: MarketDay
  /** The 30 days up to the end, and tomorrow once it is published. */
  month: DailySeries
}

export async function latestPrice(
  { code, slug }: Asset,
  { ask, service: { prices, config }, today }: { ask: AskEndpoint; service: Service; today: MarketDay },
): Promise<Latest> {
  const found = await latestStored(prices, code, today)
  const end = found && isStale(code, found.day, today) ? Temporal.PlainDate.from(found.day) : today
  const span = { from: end.subtract({ days: MONTH_DAYS }).toString(), to: end.add({ days: 1 }).toString() }
  const month = await ask<DailySeries>(getPricesSeries, { path: { asset: slug }, query: span })
  return { observation: found && presentObservation(found, config.baseUrl), end, month }
}
