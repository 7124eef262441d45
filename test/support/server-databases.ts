/** Databases on the server in DATABASE_URL: copies of a template that is migrated once per run, all dropped at the end of the run. */
import { randomBytes } from 'node:crypto'
import { connectSql, endSql, type Sql } from '../../src/store/connect-sql.ts'
import { connectDatabase } from '../../src/store/database.ts'
import { removeIdentity } from '../../src/store/identity.ts'
import { migrate } from '../../src/store/migrate.ts'
import { assertTimescale, TimescaleMissing } from '../../src/store/timescale.ts'
import { migratePlain } from './plain-schema.ts'

/** Prefix of all names, to find databases left behind by a killed run. */
const PREFIX = 'energy_prices_test'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined if the tests run on the embedded engine. */
    databaseServer: DatabaseServer | undefined
  }
}

export interface DatabaseServer {
  url: string
  /** Prefix of the run's database names. */
  run: string
  hasTimescale: boolean
  /** For example 15. */
  majorVersion: number
}

/** Creates the template. The role in the URL must be a superuser. */
export async function prepareServer(url: string): Promise<DatabaseServer> {
  const server = {
    url,
    run: `${PREFIX}_${randomBytes(4).toString('hex')}`,
    hasTimescale: await isTimescaleAvailable(url),
    majorVersion: await majorVersionOf(url),
  }
  try {
    const template = templateOf(server)
    await asAdministrator(url, (sql) => sql`create database ${sql(template)} template template0`)
    await using database = connectDatabase({ url: addressOf(server, template) })
    await (server.hasTimescale ? migrate(database) : migratePlain(database))
    await removeIdentity(database.sql)
    await database.close()
    await asAdministrator(url, (sql) => blockConnections(sql, template))
  } catch (err) {
    await dropRunDatabases(server)
    throw err
  }
  return server
}

/** A separate migrated database. */
export async function createDatabase(
  server: DatabaseServer,
  template = templateOf(server),
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `${server.run}_${randomBytes(4).toString('hex')}`
  await asAdministrator(server.url, (sql) => sql`create database ${sql(name)} template ${sql(template)}`)
  return {
    url: addressOf(server, name),
    drop: () => asAdministrator(server.url, (sql) => drop(sql, name)),
  }
}

/** Drops the databases that tests left behind, and the template. */
export async function dropRunDatabases(server: DatabaseServer): Promise<void> {
  await asAdministrator(server.url, async (sql) => {
    const databases = await sql<{ name: string }[]>`
      select datname as name from pg_database where starts_with(datname, ${server.run})`
    for (const { name } of databases) await drop(sql, name)
  })
}

export async function asAdministrator<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connectSql(url, { poolSize: 1 })
  try {
    return await work(sql)
  } finally {
    await endSql(sql)
  }
}

async function majorVersionOf(url: string): Promise<number> {
  const [row] = await asAdministrator(
    url,
    (sql) => sql<{ number: number }[]>`select current_setting('server_version_num')::int as number`,
  )
  return Math.floor((row?.number ?? 0) / 10_000)
}

async function isTimescaleAvailable(url: string): Promise<boolean> {
  try {
    await asAdministrator(url, (sql) => assertTimescale({ sql }))
    return true
  } catch (err) {
    if (err instanceof TimescaleMissing) return false
    throw err
  }
}

/** Blocks all connections, including TimescaleDB's scheduler: a database with connections cannot be copied. */
async function blockConnections(sql: Sql, template: string): Promise<void> {
  await sql`alter database ${sql(template)} with allow_connections false is_template true`
  await sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${template}`
}

async function drop(sql: Sql, name: string): Promise<void> {
  await sql`alter database ${sql(name)} with is_template false`
  await sql`drop database ${sql(name)} with (force)`
}

function templateOf({ run }: DatabaseServer): string {
  return `${run}_template`
}

function addressOf({ url }: DatabaseServer, name: string): string {
  const address = new URL(url)
  address.pathname = name
  return address.href
}
