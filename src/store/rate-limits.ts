/** Request counters per client and time window, shared by several processes. Instants come from the processes' clocks. */
import type { Sql } from './database.ts'

interface StoredWindow {
  used: number
  endsAtMs: number
}

interface CountedRequest extends StoredWindow {
  admitted: boolean
}

interface CountedRequests {
  /** In the order of the requests. */
  counted: CountedRequest[]
  /** Read in the same statement as the counts. */
  dataVersion: number
}

/** Counts each request for which fewer than its `limit` are used, in the client's current window or a new one. */
export async function countRequests(
  sql: Sql,
  requests: readonly { client: string; limit: number }[],
  { nowMs, windowMs }: { nowMs: number; windowMs: number },
): Promise<CountedRequests> {
  const clients = requests.map(({ client }) => client)
  const limits = requests.map(({ limit }) => limit)
  const [row] = await sql<CountedRequests[]>`
    select
      (select json_agg(c order by c.request) from count_requests(${clients}, ${limits}, ${nowMs}, ${nowMs + windowMs}) c) as counted,
      (select version from data_version) as "dataVersion"`
  if (row === undefined) throw new Error('requests were neither counted nor refused')
  return row
}

/** Refunds one request in the window that ends then; the count never falls below zero. */
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
