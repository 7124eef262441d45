/** `npm run db:dump`: writes `sql/schema.sql`, `src/store/schema.generated.ts` and `src/web/analyst-views.json` from a temporary database. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { connectionStringFor, startEngine } from '../platform/engine/engine.ts'
import { ANALYST_VIEWS_FILE, analystViews } from '../store/analyst-views.ts'
import { type Catalogue, readCatalogue } from '../store/catalogue.ts'
import { connectDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { SCHEMA_SQL_FILE, schemaSql } from '../store/schema-sql.ts'
import { SCHEMA_TYPES_FILE, schemaTypes } from '../store/schema-types.ts'
import { runCommand } from './command.ts'

await runCommand(async () => {
  const catalogue = await catalogueOfNewDatabase()
  await writeFile(SCHEMA_SQL_FILE, schemaSql(catalogue))
  await writeFile(ANALYST_VIEWS_FILE, analystViews(catalogue))
  await writeFile(SCHEMA_TYPES_FILE, schemaTypes(catalogue))
  return 0
})

async function catalogueOfNewDatabase(): Promise<Catalogue> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-dump-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const engine = stack.use(await startEngine({ dataDir, durable: false }))
  const database = stack.use(connectDatabase({ url: connectionStringFor(engine.address) }))
  await migrate(database)
  return await readCatalogue(database.sql)
}
