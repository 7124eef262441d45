/** All that a simulated time leaves in the database and that anybody may ask for, in an order of its own, without ids. */
import type { Sql } from '../../../src/store/database.ts'

export interface EndState {
  intervals: object[]
  revisions: object[]
  dailyPrices: object[]
  dailyRevisions: object[]
  quarantine: object[]
  events: { source: string; kind: string; day: string | null; at: string }[]
}

export async function endState(sql: Sql): Promise<EndState> {
  return {
    intervals: await sql`
      select zone, starts_at::text, resolution_minutes, market_day, ordinal, price_eur_mwh, source, fetched_at::text
      from price_intervals order by zone, starts_at`,
    revisions: await sql`
      select zone, starts_at::text, resolution_minutes, price_eur_mwh, source, fetched_at::text, superseded_at::text
      from price_interval_revisions order by zone, starts_at, superseded_at, resolution_minutes`,
    dailyPrices: await sql`
      select asset, market_day, price, source, fetched_at::text from daily_prices order by asset, market_day`,
    dailyRevisions: await sql`
      select asset, market_day, price, source, fetched_at::text, superseded_at::text
      from daily_price_revisions order by asset, market_day, superseded_at`,
    quarantine: await sql`
      select source, series, market_day, resolution_minutes, reasons, quarantined_at::text
      from quarantined_days order by source, market_day, series, resolution_minutes, quarantined_at`,
    events: await sql`
      select source, kind, market_day as day, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as at
      from source_events order by occurred_at, source, kind, market_day`,
  }
}
