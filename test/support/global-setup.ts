/**
 * Prepares one migrated database for the whole run, the same as on a first start; each test file that needs a database unpacks it.
 * If DATABASE_URL is set, also prepares a template on that server.
 */
import type { TestProject } from 'vitest/node'
import { prepareFirstDatabase } from '../../src/service/prepare-first-database.ts'
import { dropRunDatabases, prepareServer } from './server-databases.ts'
import { removeRoles } from './server-roles.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A packed database. */
    databaseTemplate: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('databaseTemplate', await prepareFirstDatabase('migrated'))
  const { DATABASE_URL } = process.env
  // Tests and the processes that they start use copies, never this database.
  delete process.env.DATABASE_URL
  const server = DATABASE_URL ? await prepareServer(DATABASE_URL) : undefined
  project.provide('databaseServer', server)
  return async () => {
    if (server === undefined) return
    await dropRunDatabases(server)
    await removeRoles(server.url)
  }
}
