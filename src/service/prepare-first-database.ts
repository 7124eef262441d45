/** Prepares the databases that a first start unpacks (`first-database.ts`). */
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { connectionStringFor, startEngine } from '../platform/engine/engine.ts'
import { packDatabase } from '../platform/engine/packed-database.ts'
import { createLogger } from '../platform/log.ts'
import { createQueueTables } from '../platform/queue/queue.ts'
import { connectDatabase } from '../store/database.ts'
import { removeIdentity } from '../store/identity.ts'
import { migrate } from '../store/migrate.ts'
import { readConfig } from './config/config.ts'
import { type FirstDatabase, findFirstDatabase, firstDatabaseFile } from './first-database.ts'
import { type DatabaseLocation, engineFolder } from './open-database.ts'

/** Another process may still be using one that is no longer current. */
const KEPT_MS = 60 * 60 * 1000

/** Returns the file, and creates it if it does not exist. */
export async function prepareFirstDatabase(kind: FirstDatabase): Promise<string> {
  const found = findFirstDatabase(kind)
  if (found !== undefined) return found
  const file = firstDatabaseFile(kind)
  const template = kind === 'sample' ? await prepareFirstDatabase('migrated') : undefined
  await mkdir(path.dirname(file), { recursive: true })
  const dataDir = await mkdtemp(`${file}.`)
  try {
    const engine = await startEngine({ dataDir: engineFolder(dataDir), template: () => template, durable: false })
    const url = connectionStringFor(engine.address)
    await FILL[kind]({ url, readUrls: [], engine: undefined }, dataDir)
    const walSegment = await finish(url)
    await engine.stop()
    const draft = path.join(dataDir, path.basename(file))
    packDatabase(path.join(engineFolder(dataDir), 'pgdata'), walSegment, draft)
    await rename(draft, file)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  await removeOld(path.dirname(file))
  return file
}

const FILL: Record<FirstDatabase, (location: DatabaseLocation, dataDir: string) => Promise<void>> = {
  async migrated({ url }) {
    await using database = connectDatabase({ url })
    await createQueueTables(url)
    await migrate(database)
  },
  async sample(location, dataDir) {
    const { fillWithSample } = await import('./fill-with-sample.ts')
    await fillWithSample({
      config: readConfig({ DATA_DIR: dataDir }),
      log: createLogger({ level: 'error' }),
      open: async () => location,
    })
  },
}

/** Removes everything that identifies an installation, and returns the current segment of the write-ahead log. */
async function finish(url: string): Promise<string> {
  await using database = connectDatabase({ url, poolSize: 1 })
  await removeIdentity(database.sql)
  const [row] = await database.sql<{ name: string }[]>`select pg_walfile_name(pg_current_wal_insert_lsn()) as name`
  return row?.name as string
}

/** Removes files of earlier versions, and leftovers of a preparation that was killed. */
async function removeOld(folder: string): Promise<void> {
  const current = [firstDatabaseFile('migrated'), firstDatabaseFile('sample')]
  for (const name of await readdir(folder)) {
    const found = path.join(folder, name)
    if (current.includes(found) || Date.now() - (await stat(found)).mtimeMs < KEPT_MS) continue
    await rm(found, { recursive: true, force: true })
  }
}
