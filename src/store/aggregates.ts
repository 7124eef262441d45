/** The continuous aggregates over price_intervals, each built on the one before it. */
import { raiseDataVersion } from './data-version.ts'
import type { Sql } from './database.ts'

const FINE_TO_COARSE = ['zone_prices_hourly', 'zone_prices_daily', 'zone_prices_monthly', 'zone_prices_yearly'] as const

/** Of every refresh. Without an end TimescaleDB looks for the latest of all intervals, by reading them. */
const NO_PRICE_IS_LATER = '2200-01-01'

/** Refreshes whatever changed since the last time, then declares cached answers stale. Runs outside a transaction, as TimescaleDB demands. */
export async function refreshAggregates(sql: Sql): Promise<void> {
  for (const aggregate of FINE_TO_COARSE) {
    await sql.unsafe(`call refresh_continuous_aggregate('${aggregate}', null, '${NO_PRICE_IS_LATER}')`)
  }
  await raiseDataVersion(sql)
}
