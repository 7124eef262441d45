/** Counted requests of keys by calendar month (Europe/Rome). */
import type { Sql } from './database.ts'

export interface MonthlyUse {
  keyId: string
  /** First day of the month, YYYY-MM-DD. */
  month: string
  requests: number
}

/**
 * Adds to what is stored, all of it or nothing, and returns the new totals. Uses of a key that does not exist are dropped.
 * Rows are written in one order, so that two processes that write the same keys wait for each other and never deadlock.
 */
export async function addUsage(sql: Sql, uses: MonthlyUse[]): Promise<MonthlyUse[]> {
  if (uses.length === 0) return []
  return await sql<MonthlyUse[]>`
    insert into api_key_usage as u (key_id, month, requests)
    select i.key_id, i.month, i.requests
    from unnest(
      ${uses.map((use) => use.keyId)}::text[], ${uses.map((use) => use.month)}::date[], ${uses.map((use) => use.requests)}::bigint[]
    ) as i (key_id, month, requests)
    join api_keys k on k.id = i.key_id
    order by i.key_id, i.month
    on conflict (key_id, month) do update set requests = u.requests + excluded.requests
    returning key_id as "keyId", month, requests`
}

/** Requests of a key counted so far in the month. */
export async function usageOf(sql: Sql, keyId: string, month: string): Promise<number> {
  const [row] = await sql<{ requests: number }[]>`
    select requests from api_key_usage where key_id = ${keyId} and month = ${month}::date`
  return row?.requests ?? 0
}
