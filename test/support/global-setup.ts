/**
 * Prepares one migrated database for the whole run; each test file that needs a database works on a copy of its folder. Where
 * DATABASE_URL is set, a template on that server as well.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'
import { PUBLISHERS } from '../../src/publishers/index.ts'
import { connectDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { SQL_FOLDER } from '../../src/store/sql-files.ts'
import { prepareServer, removeRun } from './server-databases.ts'
import { removeRoles } from './server-roles.ts'

const CACHE = path.join(import.meta.dirname, '../../.test-cache')
const KEPT_MS = 60 * 60 * 1000

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplate: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = path.join(CACHE, `database-${await digestOfInputs()}`)
  if (!(await exists(template))) await prepare(template)
  project.provide('databaseTemplate', template)
  const { DATABASE_URL } = process.env
  // Tests and the processes they start work on databases that they are given, never on this one.
  delete process.env.DATABASE_URL
  const server = DATABASE_URL ? await prepareServer(DATABASE_URL) : undefined
  project.provide('databaseServer', server)
  return async () => {
    if (server === undefined) return
    await removeRun(server)
    await removeRoles(server.url)
  }
}

async function prepare(template: string): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const draft = `${template}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  const engine = await startEngine({ dataDir: draft, durable: false })
  try {
    await using database = connectDatabase({ url: connectionStringFor(engine.address) })
    await migrate(database)
  } finally {
    await engine.stop()
  }
  await rename(draft, template)
  await removeOld()
}

/** Earlier templates, but none that another run of the tests may be working with. */
async function removeOld(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const folder = path.join(CACHE, name)
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found !== undefined && Date.now() - found.mtimeMs > KEPT_MS) await rm(folder, { recursive: true, force: true })
  }
}

/** The template is made again when the schema, the list of sources or the engine changes. */
async function digestOfInputs(): Promise<string> {
  const hash = createHash('sha256')
  const files = await readdir(SQL_FOLDER, { recursive: true, withFileTypes: true })
  const paths = files.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  paths.push(path.join(import.meta.dirname, '../../package-lock.json'))
  hash.update(JSON.stringify(PUBLISHERS))
  for (const file of paths.sort()) hash.update(file).update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

async function exists(folder: string): Promise<boolean> {
  try {
    await readdir(folder)
    return true
  } catch {
    return false
  }
}
