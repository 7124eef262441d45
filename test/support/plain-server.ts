/** A server of a test's own, with the schema of sql/ as plain-schema.ts makes it, for tests that log in as roles or need several sessions. */
import { expect } from 'vitest'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { migratePlain } from './plain-schema.ts'
import { type Server, serverFolder, startNewServer } from './postgres-cluster.ts'

export interface PlainServer extends AsyncDisposable {
  /** As the superuser. */
  database: Database
  url: Server['url']
  superuserUrl: string
}

export async function startPlainServer({ poolSize }: { poolSize: number }): Promise<PlainServer> {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await startNewServer(opening.use(await serverFolder())))
  const database = opening.use(connectDatabase({ url: server.superuserUrl, poolSize }))
  await migratePlain(database)
  const opened = opening.move()
  return {
    database,
    url: server.url,
    superuserUrl: server.superuserUrl,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Until a session waits for a lock that another holds. */
export async function untilSomebodyWaits({ sql }: Database): Promise<void> {
  await expect
    .poll(async () => {
      const [row] = await sql`
        select count(*)::integer as waiting from pg_stat_activity where wait_event_type = 'Lock'`
      return row?.waiting
    })
    .toBe(1)
}
