/** Every version of an asset's daily prices, or of a zone's hours: the input of forecasts and replays. */
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

export interface PriceVersion {
  /** YYYY-MM-DD */
  day: string
  /** In the native unit; for the PUN, the mean over the day's intervals. */
  price: number
  /** The PUN's 23, 24 or 25 hours or their quarters; null if only the day's price is available. */
  intervals: number[] | null
  /** When the version was read, milliseconds since 1970 with the database's fraction. */
  fetchedAtMs: number
  synthetic: boolean
}

interface AssetVersions {
  /** Ordered by day, then by the time until which the version was current. */
  versions: PriceVersion[]
  /** Whether the current prices are synthetic. */
  synthetic: boolean
}

const LIST_VERSIONS = query<PriceVersion>('price_versions_list_by_asset')
const LIST_ZONE_VERSIONS = query<PriceVersion>('zone_versions_list')

/** Returns versions from that day on. If the current price is a publisher's, synthetic ones are left out: they never enter real forecasts. */
export function priceVersions(sql: Sql, asset: AssetCode, from: MarketDay): Promise<AssetVersions> {
  return versionsOfOneSource(LIST_VERSIONS(sql, asset, from))
}

/** The same for the complete days of a zone. */
export function zoneVersions(sql: Sql, zone: ZoneCode, from: MarketDay): Promise<AssetVersions> {
  return versionsOfOneSource(LIST_ZONE_VERSIONS(sql, zone, from))
}

async function versionsOfOneSource(found: PromiseLike<readonly PriceVersion[]>): Promise<AssetVersions> {
  const rows = await found
  const synthetic = rows.at(-1)?.synthetic ?? false
  return { synthetic, versions: synthetic ? [...rows] : rows.filter((row) => !row.synthetic) }
}
