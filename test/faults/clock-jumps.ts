/** The machine's clock jumps a day ahead, three days back, and ahead again: restarts with another CLOCK, on synthetic data. */
import path from 'node:path'
import { connectionStringFor, findRunningEngine, startEngine } from '../../src/platform/engine/engine.ts'
import { connectDatabase } from '../../src/store/database.ts'
import { commandOutcome, endProcess } from '../support/product.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import type { Finding } from './fault.ts'
import { migrateEmpty, startDatabase, startService, untilJobsDone } from './scene.ts'

/** Across the change night in October: forward, back, forward again. */
const CLOCKS = ['2026-10-24T14:00:00Z', '2026-10-25T14:00:00Z', '2026-10-22T14:00:00Z', '2026-10-26T14:00:00Z']

interface Contents {
  issued: number
  twice: number
  /** Revisions beyond the first of an interval: the sample publisher corrects some days, each once. */
  rewritten: number
  dead: number
  latest: string
}

export default async function clockJumps(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const folder = await scratchFolder(stack)
  const database = await startDatabase(folder, stack)
  await migrateEmpty(database.url)
  await endProcess(database.process, 'SIGTERM')
  const seen: { clock: string; statuses: string; contents: Contents }[] = []
  for (const clock of CLOCKS) {
    const service = await startService(stack, { CLOCK: clock, SAMPLE_DATA: 'auto' }, folder)
    await untilIdle(folder)
    const statuses = await Promise.all(
      ['/v1/today', '/v1/status', '/v1/forecast/track-record'].map((target) => statusOf(service.url, target)),
    )
    await endProcess(service.process, 'SIGTERM')
    seen.push({ clock, statuses: statuses.join(' '), contents: await contentsOf(folder) })
  }
  const ledger = await commandOutcome({ DATA_DIR: folder }, 'ledger.ts', 'verify')
  const all = seen.map(({ contents }) => contents)
  const issued = all.map((one) => one.issued)
  return [
    {
      promise: 'it starts and answers at every hour',
      isMet: seen.every(({ statuses }) => statuses === '200 200 200'),
      seen: seen.map(({ clock, statuses }) => `${clock}: ${statuses}`).join(', '),
    },
    {
      promise: 'nothing is issued while the clock is back, and it continues afterwards',
      isMet: issued[2] === issued[1] && (issued[3] as number) > (issued[2] as number),
      seen: `forecasts after each start: ${issued.join(', ')}`,
    },
    {
      promise: 'no day is forecast twice from the same prices',
      isMet: all.every(({ twice }) => twice === 0),
      seen: `${all.at(-1)?.twice} twice`,
    },
    {
      promise: 'the ledger is whole, every forecast before its day',
      isMet: ledger.code === 0,
      seen: ledger.stdout.trim().split('\n').at(-1) ?? ledger.stderr,
    },
    {
      promise: 'prices that are there are not written again',
      isMet: all.every(({ rewritten }) => rewritten === 0),
      seen: `${all.at(-1)?.rewritten} prices; latest day ${all.map(({ latest }) => latest).join(', ')}`,
    },
    {
      promise: 'no job is given up',
      isMet: all.every(({ dead }) => dead === 0),
      seen: `${all.at(-1)?.dead} dead letters`,
    },
  ]
}

async function statusOf(base: URL, target: string): Promise<number> {
  return (await fetch(new URL(target, base))).status
}

async function untilIdle(folder: string): Promise<void> {
  const engine = await findRunningEngine(path.join(folder, 'engine'))
  if (engine === undefined) throw new Error('the service runs no engine')
  await using database = connectDatabase({ url: connectionStringFor(engine), poolSize: 1 })
  await untilJobsDone(database.sql)
}

async function contentsOf(folder: string): Promise<Contents> {
  await using engine = await startEngine({ dataDir: path.join(folder, 'engine'), purpose: 'command' })
  await using database = connectDatabase({ url: connectionStringFor(engine.address), poolSize: 1 })
  const [row] = await database.sql<Contents[]>`
    select
      (select count(*) from forecasts) as issued,
      (select count(*) from (
        select from forecasts group by chain, asset, role, info_date, target_date, inputs_sha256 having count(*) > 1) as t) as twice,
      (select count(*) - count(distinct (zone, starts_at)) from price_interval_revisions) as rewritten,
      (select count(*) from pgboss.job where name like '%.dead') as dead,
      (select max(market_day)::text from price_intervals) as latest`
  if (row === undefined) throw new Error('an aggregate gave no row')
  return row
}
