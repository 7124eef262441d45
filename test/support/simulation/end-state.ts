/** The state of the database after a span of time, as sorted lines of text without ids. */
import type { Sql } from '../../../src/store/database.ts'

export interface EndState {
  /** `nord 2026-10-25 #97 15 min 101.25 gme-mgp` */
  intervals: string[]
  revisions: string[]
  /** `PSV 2026-10-25 31.5 gme-mgas` */
  dailyPrices: string[]
  dailyRevisions: string[]
  /** `gme-mgp zone:nord 2026-10-25 {zero_run}` */
  quarantine: string[]
  /** `2026-10-24T13:00Z gme-mgp late 2026-10-25` */
  events: string[]
  /** When each value was read and replaced. */
  instants: string[]
}

export async function endState(sql: Sql): Promise<EndState> {
  const lines = async (rows: PromiseLike<{ line: string }[]>) => (await rows).map(({ line }) => line).sort()
  return {
    intervals: await lines(sql`
      select format('%s %s #%s %s min %s %s', zone, market_day, ordinal, resolution_minutes, price_eur_mwh, source) as line
      from price_intervals`),
    revisions: await lines(sql`
      select format('%s %s #%s %s min %s %s', zone, market_day, ordinal, resolution_minutes, price_eur_mwh, source) as line
      from price_interval_revisions`),
    dailyPrices: await lines(
      sql`select format('%s %s %s %s', asset, market_day, price, source) as line from daily_prices`,
    ),
    dailyRevisions: await lines(
      sql`select format('%s %s %s %s', asset, market_day, price, source) as line from daily_price_revisions`,
    ),
    quarantine: await lines(sql`
      select format('%s %s %s %s', source, series, market_day, reasons) as line from quarantined_days`),
    events: await lines(sql`
      select concat_ws(' ', to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"'), source, kind, market_day) as line
      from source_events`),
    instants: await lines(sql`
      select format('%s %s %s', zone, starts_at, fetched_at) as line from price_intervals
      union all
      select format('%s %s %s to %s', zone, starts_at, fetched_at, superseded_at) from price_interval_revisions
      union all
      select format('%s %s %s', asset, market_day, fetched_at) from daily_prices
      union all
      select format('%s %s %s to %s', asset, market_day, fetched_at, superseded_at) from daily_price_revisions`),
  }
}

/** What one list of lines has and the other lacks, the first few of each: short where thousands of lines differ. */
export function differences(actual: readonly string[], expected: readonly string[]): object {
  const [have, want] = [new Set(actual), new Set(expected)]
  return {
    missing: expected.filter((line) => !have.has(line)).slice(0, 10),
    unexpected: actual.filter((line) => !want.has(line)).slice(0, 10),
    count: actual.length - expected.length,
  }
}

export const NO_DIFFERENCES = { missing: [], unexpected: [], count: 0 }
