import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANALYST_VIEWS_FILE, analystViews } from '../../src/store/analyst-views.ts'
import { type Catalogue, readCatalogue } from '../../src/store/catalogue.ts'
import { SCHEMA_SQL_FILE, schemaSql } from '../../src/store/schema-sql.ts'
import { SCHEMA_TYPES_FILE, schemaTypes } from '../../src/store/schema-types.ts'
import { SQL_FOLDER } from '../../src/store/sql-files.ts'
import {
  emptyDatabase,
  hasEmbeddedViewFormat,
  hasTimescale,
  needsNewViewFormat,
  needsTimescale,
  type TestDatabase,
} from '../support/database.ts'
import { productEnvironment } from '../support/environment.ts'

const MIGRATE = path.join(import.meta.dirname, '../../src/cli/migrate.ts')

let db: TestDatabase

/** Runs `npm run db:migrate` in a child process. */
async function migrateInAnotherProcess(): Promise<string[]> {
  const env = productEnvironment({ DATABASE_URL: db.url })
  const { stdout } = await promisify(execFile)(process.execPath, [MIGRATE], { env })
  return stdout.trimEnd().split('\n')
}

const NOTHING_TO_DO = ['nothing to do: the database is up to date']

describe.runIf(hasTimescale)(needsTimescale('the schema'), () => {
  let catalogue: Catalogue
  beforeAll(async () => {
    db = await emptyDatabase()
  })
  afterAll(() => db.stop())

  it('is created by two concurrent migrations, with each step applied once', async () => {
    const outputs = await Promise.all([migrateInAnotherProcess(), migrateInAnotherProcess()])
    const done = outputs.flat().filter((line) => !NOTHING_TO_DO.includes(line))
    expect(done.toSorted()).toEqual([...new Set(done)].toSorted())
    expect(done).toContain('applied 0001-create-reference-data')
    expect(done).toContain('applied functions and views of sql/objects')
    catalogue = await readCatalogue(db.database.sql)
  })

  it('is unchanged by a second migration', async () => {
    expect(await migrateInAnotherProcess()).toEqual(NOTHING_TO_DO)
    expect(await readCatalogue(db.database.sql)).toEqual(catalogue)
  })

  it('is recognised in a database of the migrations before the baseline, which keeps its rows', async () => {
    const { sql } = db.database
    const adoption = await readFile(path.join(SQL_FOLDER, 'adopt-baseline.sql'), 'utf8')
    const renames = [...adoption.matchAll(/alter table (\w+) rename constraint (\w+) to (\w+);/g)]
    expect(renames.length).toBeGreaterThan(20)
    await sql`insert into api_keys (id, sha256, hint, plan, owner, created_at) values ('key_000000000000', repeat('0', 64), 'x', 'API', 'A', now())`
    for (const [, table = '', before = '', after = ''] of renames.toReversed())
      await sql`alter table ${sql(table)} rename constraint ${sql(after)} to ${sql(before)}`
    const revisions = await readFile(path.join(SQL_FOLDER, 'migrations/0010-create-fundamentals.sql'), 'utf8')
    await sql`drop table fundamental_revisions`
    for (const [made] of revisions.matchAll(/^(?:create table|comment on [a-z]+) fundamental_revisions[^;]+;/gm))
      await sql.unsafe(made)
    await sql`delete from kysely_migration`
    await sql`insert into kysely_migration (name, timestamp) values ('0029-describe-replays', ''), ('0030-change-webhooks', '')`
    expect(await migrateInAnotherProcess()).toEqual([
      'applied 0015-add-market-changes',
      'applied 0016-count-use-by-first-key',
      'applied 0017-compress-fundamental-revisions',
    ])
    expect(await readCatalogue(sql)).toEqual(catalogue)
    expect(await sql`delete from api_keys returning hint`).toEqual([{ hint: 'x' }])
  })

  it.runIf(hasEmbeddedViewFormat)(
    needsNewViewFormat('matches sql/schema.sql; `npm run db:dump` writes it'),
    async () => {
      expect(schemaSql(catalogue)).toBe(await readFile(SCHEMA_SQL_FILE, 'utf8'))
    },
  )

  it('matches the documentation for analysts; `npm run db:dump` writes it', async () => {
    expect(analystViews(catalogue)).toBe(await readFile(ANALYST_VIEWS_FILE, 'utf8'))
  })

  it('matches the types of the store; `npm run db:dump` writes them', async () => {
    expect(schemaTypes(catalogue)).toBe(await readFile(SCHEMA_TYPES_FILE, 'utf8'))
  })
})
