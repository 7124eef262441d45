/** When the publisher usually has a market day. */
import type { AssetCode } from '../contract/assets.ts'
import { PUBLICATION_TIMES } from '../contract/publications.ts'
import { MARKET_TIME_ZONE, type MarketDay } from '../domain/market-day.ts'
import type { SourceDefinition } from './source.ts'

/** The asset whose hour of publication is the source's: that of the zones is the PUN's. */
export function assetOfSource({ assets }: Pick<SourceDefinition, 'assets'>): AssetCode {
  return assets[0] ?? 'PUN'
}

/** The instant of the usual publication: for `gme-mgp` and 2026-03-30 it is 12:55 in Rome on the 29th. */
export function dueAt(
  source: Pick<SourceDefinition, 'assets' | 'delayDays'>,
  day: MarketDay,
  delayDays: number = source.delayDays,
): Temporal.Instant {
  return day
    .add({ days: delayDays })
    .toZonedDateTime({ timeZone: MARKET_TIME_ZONE, plainTime: PUBLICATION_TIMES[assetOfSource(source)] })
    .toInstant()
}
