/** Every version of an asset's daily prices: the input of forecasts and replays. */
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

export interface PriceVersion {
  /** YYYY-MM-DD */
  day: string
  /** In the native unit; of the PUN the mean over the day's intervals. */
  price: number
  /** The PUN's 23, 24 or 25 hours or their quarters; null where only the day's price is available. */
  intervals: number[] | null
  /** When the version was read, milliseconds since 1970 with the database's fraction. */
  fetchedAtMs: number
  synthetic: boolean
}

interface AssetVersions {
  /** By day, then by the time at which the version was current. */
  versions: PriceVersion[]
  /** Whether the current prices are synthetic. */
  synthetic: boolean
}

const LIST_VERSIONS = query('price_versions_list_by_asset')

/** From that day on. Where publishers' prices are read, synthetic ones are left out: they are never an input to forecasts of real prices. */
export async function priceVersions(sql: Sql, asset: AssetCode, from: MarketDay): Promise<AssetVersions> {
  const rows = await sql.unsafe<PriceVersion[]>(LIST_VERSIONS, [asset, from.toString()], { prepare: true })
  const synthetic = rows.at(-1)?.synthetic ?? false
  return { synthetic, versions: synthetic ? [...rows] : rows.filter((row) => !row.synthetic) }
}
