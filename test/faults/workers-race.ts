/**
 * Two workers start simultaneously on an empty database and do the same work: three years of synthetic prices, forecasts, indices. The
 * database is a PostgreSQL server, since clients of the embedded engine share one session and cannot lock each other out.
 */
import { createQueueTables } from '../../src/platform/queue/queue.ts'
import { startPlainServer, startTimescaleServer } from '../support/plain-server.ts'
import { hasTimescalePackage } from '../support/postgres-cluster.ts'
import { endProcess } from '../support/product.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import type { Finding } from './fault.ts'
import { CLOCK, startService, untilJobsDone } from './scene.ts'

export default async function workersRace(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const folder = await scratchFolder(stack)
  const start = hasTimescalePackage ? startTimescaleServer : startPlainServer
  const { database, superuserUrl: url } = stack.use(await start({ poolSize: 1 }))
  await createQueueTables(url)
  const env = { DATABASE_URL: url, SAMPLE_DATA: 'auto', CLOCK }
  const workers = await Promise.all([
    startService(stack, { ...env, ROLE: 'all' }, folder),
    startService(stack, { ...env, ROLE: 'all' }, folder),
  ])
  await untilJobsDone(database.sql)

  const [row] = await database.sql<
    { intervals: number; expected: number; rewritten: number; dead: number; documents: number; twice: number }[]
  >`
    select
      (select count(*) from price_intervals) as intervals,
      (select sum(market_day_minutes(market_day) / r) from (
        select zone, market_day, min(resolution_minutes) as r from price_intervals group by zone, market_day) as d) as expected,
      (select count(*) - count(distinct (zone, starts_at)) from price_interval_revisions) as rewritten,
      (select count(*) from pgboss.job where name like '%.dead') as dead,
      (select count(*) - count(distinct (sha256, source, address)) from documents) as documents,
      (select count(*) from (
        select from forecasts group by chain, asset, role, info_date, target_date, inputs_sha256 having count(*) > 1) as t) as twice`
  if (row === undefined) throw new Error('an aggregate gave no row')
  for (const worker of workers) await endProcess(worker.process, 'SIGTERM')
  const errors = workers.map((worker) => errorsOf(worker.output()))
  return [
    {
      promise: 'every interval is there once',
      isMet: Number(row.intervals) === Number(row.expected) && Number(row.intervals) > 100_000,
      seen: `${row.intervals} of ${row.expected}`,
    },
    {
      promise: 'nothing was written over',
      isMet: row.rewritten === 0 && row.documents === 0,
      seen: `${row.rewritten} prices beyond the correction of each`,
    },
    { promise: 'no forecast was issued twice', isMet: row.twice === 0, seen: `${row.twice} twice` },
    { promise: 'no job was given up', isMet: row.dead === 0, seen: `${row.dead} dead letters` },
    {
      promise: 'neither logged an error',
      isMet: errors.every((those) => those.length === 0),
      seen: `${errors.map((those) => those.length).join(' and ')} errors: ${[...new Set(errors.flat())].join('; ') || 'none'}`,
    },
  ]
}

function errorsOf(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))
    .map((line) => JSON.parse(line))
    .map(({ msg, err }) => `${msg}: ${err?.message}`)
}
