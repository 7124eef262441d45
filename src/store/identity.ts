/** The identity of an installation. A database that is made to be copied has none, so that each copy gets its own. */
import type { Sql } from './database.ts'

/** Assigns the change log its id at the first start on a database; cursors of another log are refused. */
export async function ensureIdentity(sql: Sql): Promise<void> {
  const [log] = await sql<{ missing: boolean }[]>`select log_id = '' as missing from change_log`
  if (log?.missing) await sql`update change_log set log_id = default where log_id = ''`
}

/** Call it last on a database that is to be copied. TimescaleDB creates its own id again when it needs one. */
export async function removeIdentity(sql: Sql): Promise<void> {
  await sql`update change_log set log_id = ''`
  const [catalog] = await sql<{ found: boolean }[]>`
    select to_regclass('_timescaledb_catalog.metadata') is not null as found`
  if (catalog?.found) await sql`delete from _timescaledb_catalog.metadata where key in ('uuid', 'install_timestamp')`
}
