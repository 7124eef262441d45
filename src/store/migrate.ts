/**
 * Brings a database to the head of sql/: migrations are state and run once, in order, all in one transaction under an advisory
 * lock (so two processes may start at once); objects are definitions and are applied again whenever one of their files changed.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Migration, MigrationProvider, Migrator } from 'kysely/migration'
import { PUBLISHERS } from '../publishers/index.ts'
import type { Database, Sql, Transaction } from './database.ts'
import { ensureIdentity } from './identity.ts'
import { reapplyGrants } from './roles.ts'
import { SQL_FOLDER } from './sql-files.ts'
import { assertTimescale, assertTimescalePreloaded } from './timescale.ts'

const MIGRATIONS_FOLDER = path.join(SQL_FOLDER, 'migrations')

/** The last of the migrations that the baseline replaced. */
const LAST_BEFORE_BASELINE = '0030-change-webhooks'

interface MigrationOutcome {
  /** Names of the migrations that ran now. */
  applied: string[]
  /** Whether functions and views were created again. */
  objectsApplied: boolean
}

/**
 * Safe to run twice and from two processes at once; throws, leaving everything as it was, if a statement fails. `rewrite` is for
 * tests on servers that lack TimescaleDB.
 */
export async function migrate(database: Database, rewrite?: (statements: string) => string): Promise<MigrationOutcome> {
  if (rewrite === undefined) await assertTimescale(database)
  await adoptBaseline(database)
  await assertMigrationsKnown(database)
  // The migrator's catalogue queries take a sixth of the start-up time.
  if ((await findMissing(database)) === undefined) {
    await upsertSources(database)
    await ensureIdentity(database.sql)
    return { applied: [], objectsApplied: false }
  }
  const { error, results } = await (await openMigrator(database.sql, sqlFileMigrations(rewrite))).migrateToLatest()
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === 'Error')
    if (failed === undefined) throw error // before the first migration: the database is not there
    throw new Error(`migration ${failed.migrationName} failed`, { cause: error })
  }
  const applied = (results ?? []).map((result) => result.migrationName)
  const objectsApplied = await applyObjects(database)
  await upsertSources(database)
  await ensureIdentity(database.sql)
  if (applied.length > 0 || objectsApplied) await reapplyGrants(database.sql)
  return { applied, objectsApplied }
}

/** For a process that may not change the schema: throws SchemaBehind unless the database is at the head of sql/. */
export async function assertMigrated(database: Pick<Database, 'sql'>): Promise<void> {
  await assertTimescalePreloaded(database)
  const missing = await findMissing(database)
  if (missing !== undefined) throw new SchemaBehind(missing)
}

/** Returns why a database is not at the head of sql/, as the end of a sentence. */
async function findMissing({ sql }: Pick<Database, 'sql'>): Promise<string | undefined> {
  const [state] = await sql<{ behind: boolean }[]>`select to_regclass('public.applied_objects') is null as behind`
  if (state?.behind !== false) return 'it has no schema yet'
  const applied = await appliedMigrations({ sql })
  const missing = (await migrationNames()).filter((name) => !applied.includes(name))
  if (missing.length > 0) return `it lacks ${missing.join(', ')}`
  const [last] = await sql<{ sha256: string }[]>`select sha256 from applied_objects`
  return last?.sha256 === digestOf(await objectTexts()) ? undefined : 'its functions and views differ'
}

export class SchemaBehind extends Error {
  constructor(reason: string) {
    super(`The database is not at the head of sql/: ${reason}. Run \`npm run db:migrate\` as its owner.`)
    this.name = 'SchemaBehind'
  }
}

/** The database was migrated by another version, whose changes are unknown here. */
export class SchemaUnknown extends Error {
  constructor(names: string[]) {
    super(
      `The database has migrations that sql/ does not have: ${names.join(', ')}. It was made by another version; ` +
        '`npm run move` moves its contents into a new database if the tables are the same.',
    )
    this.name = 'SchemaUnknown'
  }
}

async function adoptBaseline({ sql }: Database): Promise<void> {
  if (!(await appliedMigrations({ sql })).includes(LAST_BEFORE_BASELINE)) return
  await sql.unsafe(await readFile(path.join(SQL_FOLDER, 'adopt-baseline.sql'), 'utf8')).simple()
}

async function assertMigrationsKnown({ sql }: Pick<Database, 'sql'>): Promise<void> {
  const names = await migrationNames()
  const unknown = (await appliedMigrations({ sql })).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new SchemaUnknown(unknown)
}

async function appliedMigrations({ sql }: Pick<Database, 'sql'>): Promise<string[]> {
  const [state] = await sql<{ isEmpty: boolean }[]>`select to_regclass('public.kysely_migration') is null as "isEmpty"`
  if (state?.isEmpty !== false) return []
  const rows = await sql<{ name: string }[]>`select name from kysely_migration order by name`
  return rows.map(({ name }) => name)
}

async function migrationNames(): Promise<string[]> {
  const files = await readdir(MIGRATIONS_FOLDER)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => path.basename(file, '.sql'))
    .sort()
}

const sqlFileMigrations = (rewrite = (statements: string) => statements): MigrationProvider => ({
  async getMigrations() {
    const { sql } = await import('kysely')
    const migrations: Record<string, Migration> = {}
    for (const name of await migrationNames()) {
      const text = await readFile(path.join(MIGRATIONS_FOLDER, `${name}.sql`), 'utf8')
      migrations[name] = {
        up: (db) =>
          sql
            .raw(rewrite(text))
            .execute(db)
            .then(() => undefined),
      }
    }
    return migrations
  },
})

async function openMigrator(sql: Sql, provider: MigrationProvider): Promise<Migrator> {
  const [{ Kysely }, { Migrator }, { PostgresJSDialect }] = await Promise.all([
    import('kysely'),
    import('kysely/migration'),
    import('kysely-postgres-js'),
  ])
  return new Migrator({ db: new Kysely({ dialect: new PostgresJSDialect({ postgres: withScripts(sql) }) }), provider })
}

/** Lets Kysely run whole files: a statement without parameters uses the simple protocol, which accepts several at once. */
function withScripts(sql: Sql): Sql {
  const reserve = async () => {
    const connection = await sql.reserve()
    return new Proxy(connection, {
      get(target, name, receiver) {
        if (name !== 'unsafe') return Reflect.get(target, name, receiver)
        return (...[text, parameters = [], options]: Parameters<typeof target.unsafe>) =>
          parameters.length === 0 ? target.unsafe(text).simple() : target.unsafe(text, parameters, options)
      },
    })
  }
  return new Proxy(sql, {
    get: (target, name, receiver) => (name === 'reserve' ? reserve : Reflect.get(target, name, receiver)),
  })
}

/** Applies the functions and views of sql/objects in the order of order.txt, in one transaction, if their text has changed. */
async function applyObjects(database: Database): Promise<boolean> {
  const texts = await objectTexts()
  const digest = digestOf(texts)

  return database.sql.begin(async (tx: Transaction) => {
    await tx`select pg_advisory_xact_lock(hashtext('apply_objects'))`
    await tx`create table if not exists applied_objects (singleton boolean primary key default true check (singleton), sha256 text not null)`
    const [last] = await tx<{ sha256: string }[]>`select sha256 from applied_objects`
    if (last?.sha256 === digest) return false
    for (const text of texts) await tx.unsafe(text).simple()
    await tx`
      insert into applied_objects (sha256) values (${digest})
      on conflict (singleton) do update set sha256 = excluded.sha256`
    return true
  })
}

async function objectTexts(): Promise<string[]> {
  const folder = path.join(SQL_FOLDER, 'objects')
  const order = (await readFile(path.join(folder, 'order.txt'), 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
  return Promise.all(order.map((file) => readFile(path.join(folder, file), 'utf8')))
}

function digestOf(texts: string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex')
}

/**
 * Updates the table of publishers to the list in the code, from which answers take names and addresses. Whether values may be redistributed
 * is the operator's decision: the list sets it once, later the worker's configuration does (`recordSourceStates`).
 */
async function upsertSources({ sql }: Database): Promise<void> {
  const listed = PUBLISHERS.map(({ id, name, url, priority, synthetic, redistributable }) => ({
    id,
    name,
    url,
    priority,
    synthetic,
    redistributable,
  }))
  const stored = await sql<typeof listed>`select id, name, url, priority, synthetic, redistributable from sources`
  const asStored = new Map(stored.map(({ redistributable: _, ...source }) => [source.id, source]))
  // Most starts find nothing to write, and a commit waits for the disk.
  const changed = listed.filter(
    ({ redistributable: _, ...source }) => !isDeepStrictEqual(asStored.get(source.id), source),
  )
  if (changed.length === 0) return
  await sql`
    insert into sources ${sql(changed)}
    on conflict (id) do update
      set name = excluded.name, url = excluded.url, priority = excluded.priority, synthetic = excluded.synthetic`
}
