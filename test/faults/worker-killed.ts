/** One of two workers is killed while it writes a file of the bulk exports. */
import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { BULK_FORMATS } from '../../src/api/contract/bulk.ts'
import { isUnfinished } from '../../src/delivery/bulk/unfinished-files.ts'
import { connectDatabase } from '../../src/store/database.ts'
import { fillZones } from '../bench/scratch.ts'
import type { Finding } from './fault.ts'
import { DAY, end, prepare, scratchFolder, startDatabase, startService, until } from './scene.ts'

const LAST_DAY = Temporal.PlainDate.from(DAY)
const YEARS = 5
/** There are no offers and no forecasts. */
const DATASETS = ['pun-hourly', 'prices-daily']
/** The heartbeat of an export, and how often silent ones are looked for. */
const TAKEN_OVER_WITHIN_SECONDS = 180

export default async function workerKilled(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const folder = await scratchFolder(stack)
  const { url } = await startDatabase(folder, stack)
  await prepare(url)
  const database = stack.use(connectDatabase({ url, poolSize: 1 }))
  await fillZones({ database }, { from: LAST_DAY.subtract({ years: YEARS }), to: LAST_DAY, resolutionMinutes: 60 })
  const files = path.join(folder, 'files')
  await mkdir(files)
  const env = { DATABASE_URL: url, GME_MGP_REDISTRIBUTABLE: 'true', BULK_DIR: files }
  const workers = await Promise.all([startService(stack, env, folder), startService(stack, env, folder)])

  let writer: number | undefined
  await until(async () => {
    writer = await writerOf(files)
    return writer !== undefined
  })
  const killed = workers.find(({ pid }) => pid === writer)
  const other = workers.find(({ pid }) => pid !== writer)
  if (killed === undefined || other === undefined) throw new Error(`${writer} is none of the workers`)
  await end(killed.process, 'SIGKILL')
  const since = performance.now()
  const statuses = await Promise.all(
    ['/readyz', '/v1/today'].map(async (target) => (await fetch(new URL(target, other.url))).status),
  )
  await until(async () => {
    const made = await database.sql`select from bulk_exports where outcome = 'published'`
    return made.length === DATASETS.length * BULK_FORMATS.length
  }, 2 * TAKEN_OVER_WITHIN_SECONDS)
  const seconds = (performance.now() - since) / 1_000
  const debris = (await readdir(files)).filter(isUnfinished)
  const [row] = await database.sql<{ files: number; dead: number }[]>`
    select
      (select count(*)::integer from bulk_files) as files,
      (select count(*)::integer from pgboss.job where name like '%.dead') as dead`
  if (row === undefined) throw new Error('an aggregate gave no row')
  return [
    {
      promise: `the other worker makes all files within ${TAKEN_OVER_WITHIN_SECONDS} seconds`,
      held: seconds <= TAKEN_OVER_WITHIN_SECONDS,
      seen: `${row.files} files, the last ${seconds.toFixed(0)} s after the kill`,
    },
    {
      promise: 'nothing is left of the file that was being written',
      held: debris.length === 0,
      seen: `${debris.length} unfinished files`,
    },
    {
      promise: 'the other worker answers meanwhile',
      held: statuses.every((status) => status === 200),
      seen: statuses.join(' '),
    },
    { promise: 'no job was given up', held: row.dead === 0, seen: `${row.dead} dead letters` },
  ]
}

/** The process that has begun to write a file, from the file's name. */
async function writerOf(folder: string): Promise<number | undefined> {
  for (const name of (await readdir(folder)).filter(isUnfinished)) {
    const found = await stat(path.join(folder, name)).catch(() => undefined)
    if (found !== undefined && found.size > 0) return Number(name.split('.').at(-3))
  }
  return undefined
}
