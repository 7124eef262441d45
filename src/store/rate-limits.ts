/** Counters of clients' requests per time window, shared by several processes. Instants are those of the processes' clocks. */
import type { Sql } from './database.ts'

interface StoredWindow {
  used: number
  endsAtMs: number
}

interface CountedRequest extends StoredWindow {
  admitted: boolean
  /** As of this count. */
  dataVersion: number
}

/** Counts one more where fewer than `limit` are used, in the current window or a new one. */
export async function consumeRequest(
  sql: Sql,
  { client, limit, nowMs, endsAtMs }: { client: string; limit: number; nowMs: number; endsAtMs: number },
): Promise<CountedRequest> {
  const [row] = await sql<CountedRequest[]>`
    insert into rate_limits as r (client, used, ends_at_ms, admitted) values (${client}, 1, ${endsAtMs}, true)
    on conflict (client) do update set
      used = case when r.ends_at_ms <= ${nowMs} then 1 when r.used < ${limit} then r.used + 1 else r.used end,
      ends_at_ms = case when r.ends_at_ms <= ${nowMs} then excluded.ends_at_ms else r.ends_at_ms end,
      admitted = r.ends_at_ms <= ${nowMs} or r.used < ${limit}
    returning used, ends_at_ms as "endsAtMs", admitted, (select version from data_version) as "dataVersion"`
  if (row === undefined) throw new Error('a request was neither counted nor refused')
  return row
}

/** Counts one less in the window that ends then, never below zero. */
export async function refundRequest(sql: Sql, client: string, endsAtMs: number): Promise<void> {
  await sql`
    update rate_limits set used = used - 1 where client = ${client} and ends_at_ms = ${endsAtMs} and used > 0`
}

export async function findWindow(sql: Sql, client: string, nowMs: number): Promise<StoredWindow | undefined> {
  const [row] = await sql<StoredWindow[]>`
    select used, ends_at_ms as "endsAtMs" from rate_limits where client = ${client} and ends_at_ms > ${nowMs}`
  return row
}

export async function deleteEndedWindows(sql: Sql, nowMs: number): Promise<void> {
  await sql`delete from rate_limits where ends_at_ms <= ${nowMs}`
}
