/** A server on which TimescaleDB cannot work: the service prints the reason and changes nothing. */
import { describe, expect, it } from 'vitest'
import { connectDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import {
  hasPostgres,
  hasTimescalePackage,
  needsPostgres,
  type ServerFolder,
  serverFolder,
  startNewServer,
  startServer,
} from '../support/postgres-cluster.ts'
import { commandOutcome } from '../support/product.ts'

const NOT_PRELOADED =
  'TimescaleDB is installed on the database server but not loaded: add timescaledb to shared_preload_libraries in its ' +
  'postgresql.conf and restart it.\n'
const NOT_INSTALLED = 'The database server has no TimescaleDB: install it there.\n'

const run = (script: string, { folder }: ServerFolder, env: Record<string, string>) =>
  commandOutcome({ DATA_DIR: folder, PORT: '0', ...env }, script)

describe.skipIf(!hasPostgres)(needsPostgres('a server without a working TimescaleDB'), () => {
  it('is reported in a sentence, and nothing is created', async () => {
    await using home = await serverFolder()
    await using server = await startNewServer(home)
    const sentence = hasTimescalePackage ? NOT_PRELOADED : NOT_INSTALLED
    const env = { DATABASE_URL: server.superuserUrl }
    expect(await run('../main.ts', home, env)).toMatchObject({ code: 1, stderr: sentence })
    expect(await run('migrate.ts', home, env)).toMatchObject({ code: 2, stderr: sentence })
    await using database = connectDatabase({ url: server.superuserUrl, poolSize: 1 })
    const [made] = await database.sql`
      select (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace) as tables,
             to_regnamespace('pgboss') as queue`
    expect(made).toEqual({ tables: 0, queue: null })
  })

  it.skipIf(!hasTimescalePackage)('is reported for a database that used it (needs TimescaleDB’s package)', async () => {
    await using home = await serverFolder()
    const server = await startNewServer(home, { settings: { shared_preload_libraries: 'timescaledb' } })
    const database = connectDatabase({ url: server.superuserUrl, poolSize: 2 })
    await migrate(database)
    await database.close()
    await server.stop()
    await using again = await startServer(home, server.dataDir)
    for (const MIGRATIONS of ['auto', 'check'])
      expect(await run('../main.ts', home, { DATABASE_URL: again.superuserUrl, MIGRATIONS })).toMatchObject({
        code: 1,
        stderr: NOT_PRELOADED,
      })
  })
})
