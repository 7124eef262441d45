import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANALYST_VIEWS_FILE, analystViews } from '../../src/store/analyst-views.ts'
import { type Catalogue, readCatalogue } from '../../src/store/catalogue.ts'
import { SCHEMA_SQL_FILE, schemaSql } from '../../src/store/schema-sql.ts'
import { SCHEMA_TYPES_FILE, schemaTypes } from '../../src/store/schema-types.ts'
import {
  emptyDatabase,
  hasTimescale,
  needsLaterPrinting,
  needsTimescale,
  printsAsEmbedded,
  type TestDatabase,
} from '../support/database.ts'
import { productEnvironment } from '../support/environment.ts'

const MIGRATE = path.join(import.meta.dirname, '../../src/cli/migrate.ts')

let db: TestDatabase

/** `npm run db:migrate` in a child process. */
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

  it('comes from empty to head by two processes at once, which do everything once between them', async () => {
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

  it.runIf(printsAsEmbedded)(needsLaterPrinting('matches sql/schema.sql; `npm run db:dump` writes it'), async () => {
    expect(schemaSql(catalogue)).toBe(await readFile(SCHEMA_SQL_FILE, 'utf8'))
  })

  it('matches the documentation for analysts; `npm run db:dump` writes it', async () => {
    expect(analystViews(catalogue)).toBe(await readFile(ANALYST_VIEWS_FILE, 'utf8'))
  })

  it('matches the types of the store; `npm run db:dump` writes them', async () => {
    expect(schemaTypes(catalogue)).toBe(await readFile(SCHEMA_TYPES_FILE, 'utf8'))
  })
})
