/** What Kysely makes of the queries written in it, kept in `test/sql/generated/` so that a change is reviewed as SQL. `-u` writes it. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, it } from 'vitest'
import { lastFetchedAt } from '../../../src/store/documents.ts'
import { loadPriceLimits } from '../../../src/store/price-limits.ts'
import { findQuarantined, listQuarantine, rejectQuarantined } from '../../../src/store/quarantine.ts'
import type { Schema } from '../../../src/store/schema.generated.ts'

let generated = ''
const kysely = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  log: ({ query }) => {
    generated = query.sql
  },
})

const QUERIES: Record<string, () => Promise<unknown>> = {
  documents_find_last_fetched: () => lastFetchedAt({ kysely: async () => kysely }, 'gme-mgp'),
  price_limits_list: () => loadPriceLimits({ kysely: async () => kysely }),
  quarantined_days_find: () => findQuarantined({ kysely: async () => kysely }, 1),
  quarantined_days_list: () => listQuarantine({ kysely: async () => kysely }, 'open', 10),
  quarantined_days_reject: () =>
    rejectQuarantined({ kysely: async () => kysely }, 1, Temporal.Instant.from('2026-11-22T10:00:00Z')),
}
const GENERATED = path.join(import.meta.dirname, '../../sql/generated')
const STORE = path.join(import.meta.dirname, '../../../src/store')
const BUILDERS = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/g

it.each(Object.entries(QUERIES))('%s is the SQL that was reviewed', async (name, run) => {
  await run()
  const lines = generated.replaceAll(/ (from|inner join|set|where|order by|limit) /g, '\n$1 ')
  await expect(`${lines}\n`).toMatchFileSnapshot(path.join(GENERATED, `${name}.sql`))
})

it('each query of the store that is written in Kysely is among them', () => {
  const built = globSync('**/*.ts', { cwd: STORE }).flatMap((file) =>
    [...readFileSync(path.join(STORE, file), 'utf8').matchAll(BUILDERS)].map(() => path.basename(file, '.ts')),
  )
  expect(built.sort()).toEqual(['documents', 'price-limits', 'quarantine', 'quarantine'])
})
