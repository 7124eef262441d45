/** When the publisher usually has a market day. */
import type { AssetCode } from '../market/assets.ts'
import { MARKET_TIME_ZONE, type MarketDay } from '../market/market-day.ts'
import { OFFERS_PUBLICATION_TIME, PUBLICATION_TIMES } from '../market/publications.ts'
import type { SourceDefinition } from './source.ts'

/** Clock time in Rome of the source's publication; that of the zones is the PUN's. */
export function publicationTimeOf({ assets, offerLists }: Pick<SourceDefinition, 'assets' | 'offerLists'>): string {
  const asset: AssetCode = assets[0] ?? 'PUN'
  return offerLists === undefined ? PUBLICATION_TIMES[asset] : OFFERS_PUBLICATION_TIME
}

/** The instant of the usual publication: for `gme-mgp` and 2026-03-30 it is 12:55 in Rome on the 29th. */
export function dueAt(
  source: Pick<SourceDefinition, 'assets' | 'offerLists' | 'delayDays'>,
  day: MarketDay,
  delayDays: number = source.delayDays,
): Temporal.Instant {
  return day
    .add({ days: delayDays })
    .toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: publicationTimeOf(source) })
    .toInstant()
}
