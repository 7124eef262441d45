/** Requests per key and calendar month (Europe/Rome): those that counted, and those that processes have reserved. */
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

export interface UsageChange {
  keyId: string
  /** First day of the month, YYYY-MM-DD. */
  month: string
  /** Number of requests to reserve, as far as the quota allows; negative to refund. */
  requests: number
  /** Undefined: no quota. */
  quota: number | undefined
}

export interface UsageTotal {
  keyId: string
  month: string
  /** The part of the change that was applied. */
  granted: number
  total: number
}

const CHANGE = query<UsageTotal>('api_key_usage_change')

/** Applies all changes or none. If another process has just opened a key's month, its total is missing and it was not changed: retry. */
export async function changeUsage(sql: Sql, changes: readonly UsageChange[]): Promise<UsageTotal[]> {
  const parameters = [
    changes.map(({ keyId }) => keyId),
    changes.map(({ month }) => month),
    changes.map(({ requests }) => requests),
    changes.map(({ quota }) => quota ?? null),
  ]
  return CHANGE(sql, ...parameters)
}

export interface UsageMonth {
  /** YYYY-MM */
  month: string
  requests: number
}

const MONTHS_SHOWN = 12

/** Returns the last months in which the key was used, latest first; the current one includes requests reserved for the next seconds. */
export async function usageMonths(sql: Sql, keyId: string): Promise<UsageMonth[]> {
  return sql<UsageMonth[]>`
    select to_char(month, 'YYYY-MM') as month, requests::double precision as requests
    from api_key_usage where key_id = ${keyId} order by month desc limit ${MONTHS_SHOWN}`
}

export interface ReachedQuota {
  keyId: string
  /** Same as in `UsageChange`. */
  month: string
  percent: number
  quota: number
}

/** Records a reached quota once per holder, month and percentage; the holder sees it in the change feed. */
export async function recordQuotaReached(
  sql: Sql,
  { keyId, month, percent, quota }: ReachedQuota,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    select record_quota_reached(${keyId}, ${month}::date, ${percent}::integer, ${quota}::bigint, ${at}::timestamptz)`
}
