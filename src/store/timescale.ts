/** Checks that TimescaleDB is preloaded on the server: without it the tables of sql/ accept no rows. */
import type { Database } from './database.ts'

export class TimescaleMissing extends Error {
  override name = 'TimescaleMissing'
}

/** Throws TimescaleMissing, before anything is created, if the extension cannot work. */
export async function assertTimescale(database: Pick<Database, 'sql'>): Promise<void> {
  const { isLoaded, isAvailable } = await stateOf(database)
  if (isLoaded) return
  throw new TimescaleMissing(isAvailable ? NOT_PRELOADED : 'The database server has no TimescaleDB: install it there.')
}

/** Throws `TimescaleMissing` if an existing database has TimescaleDB but the server has not loaded it. */
export async function assertTimescalePreloaded(database: Pick<Database, 'sql'>): Promise<void> {
  const { isLoaded, isCreated } = await stateOf(database)
  if (isCreated && !isLoaded) throw new TimescaleMissing(NOT_PRELOADED)
}

const NOT_PRELOADED =
  'TimescaleDB is installed on the database server but not loaded: add timescaledb to shared_preload_libraries in its ' +
  'postgresql.conf and restart it.'

/** `isLoaded`: the extension's loader defines a setting that every role may read, unlike shared_preload_libraries. */
async function stateOf({ sql }: Pick<Database, 'sql'>) {
  const [state] = await sql<{ isLoaded: boolean; isCreated: boolean; isAvailable: boolean }[]>`
    select current_setting('timescaledb.disable_load', true) is not null as "isLoaded",
           exists (select from pg_extension where extname = 'timescaledb') as "isCreated",
           current_setting('timescaledb.disable_load', true) is not null
             or exists (select from pg_available_extensions where name = 'timescaledb') as "isAvailable"`
  if (state === undefined) throw new Error('the state of TimescaleDB gave no row')
  return state
}
