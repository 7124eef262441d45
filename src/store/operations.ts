/** Figures for operators: backlogs, and the response time of the database through the pool that requests use. */
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

const READ_BACKLOGS = query<Backlogs>('operations_read_backlogs')

export interface Backlogs {
  deliveriesWaiting: number
  /** Delay of the longest overdue delivery of an active alert. */
  deliveriesOverdueSeconds: number
  alertsSuspended: number
  daysInQuarantine: number
  emailsWaiting: number
  databaseBytes: number
}

/** Requires the worker's role; the API's role may not read all of it. */
export async function readBacklogs(sql: Sql, now: Temporal.Instant): Promise<Backlogs> {
  const [row] = await READ_BACKLOGS(sql, now)
  if (row === undefined) throw new Error('a query without a table gave no row')
  return row
}

/** Includes the wait for a free connection. */
export async function databaseRoundTripSeconds(sql: Sql): Promise<number> {
  const started = performance.now()
  await sql`select 1`
  return (performance.now() - started) / 1_000
}
