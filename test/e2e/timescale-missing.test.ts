/** A server on which TimescaleDB cannot work: the service prints the reason and changes nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { connectDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { productEnvironment } from '../support/environment.ts'
import {
  hasPostgres,
  hasTimescalePackage,
  needsPostgres,
  type ServerFolder,
  serverFolder,
  startNewServer,
  startServer,
} from '../support/postgres-cluster.ts'

const NOT_PRELOADED =
  'TimescaleDB is installed on the database server but not loaded: add timescaledb to shared_preload_libraries in its ' +
  'postgresql.conf and restart it.\n'
const NOT_INSTALLED = 'The database server has no TimescaleDB: install it there.\n'

async function run(script: string, home: ServerFolder, env: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../src', script)], {
    env: productEnvironment({ DATA_DIR: home.folder, PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [[status], stderr] = await Promise.all([once(child, 'close'), text(child.stderr), text(child.stdout)])
  return { status, stderr }
}

describe.skipIf(!hasPostgres)(needsPostgres('a server without a working TimescaleDB'), () => {
  it('is reported in a sentence, and nothing is created', async () => {
    await using home = await serverFolder()
    await using server = await startNewServer(home)
    const sentence = hasTimescalePackage ? NOT_PRELOADED : NOT_INSTALLED
    const env = { DATABASE_URL: server.superuserUrl }
    expect(await run('main.ts', home, env)).toEqual({ status: 1, stderr: sentence })
    expect(await run('cli/migrate.ts', home, env)).toEqual({ status: 2, stderr: sentence })
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
      expect(await run('main.ts', home, { DATABASE_URL: again.superuserUrl, MIGRATIONS })).toEqual({
        status: 1,
        stderr: NOT_PRELOADED,
      })
  })
})
