/** The database stops responding for five seconds (SIGSTOP), as with a hanging disk or a statement that blocks everything. */
import { scratchFolder } from '../support/scratch-folder.ts'
import type { Finding } from './fault.ts'
import { startLoad } from './load.ts'
import { DAY, seedPrices, startDatabase, startService } from './scene.ts'

const STALL_MS = 5_000
/** Cached responses come from memory, whatever the state of the database. */
const CACHED_MS_MAX = 1_000

export default async function databaseStalls(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const folder = await scratchFolder(stack)
  const database = await startDatabase(folder, stack)
  await seedPrices(database.url)
  const api = await startService(stack, { ROLE: 'api', DATABASE_URL: database.url }, folder)
  const load = await startLoad(api.url, ['/v1/pun/today', `/v1/prices/pun/series?from=${DAY}`])

  database.process.kill('SIGSTOP')
  const waiting = timed(new URL(`/v1/prices/psv/series?from=${DAY}&unit=kwh`, api.url))
  const health = await timed(new URL('/healthz', api.url))
  await new Promise((resolve) => setTimeout(resolve, STALL_MS))
  const during = load.tally.slowestMs
  database.process.kill('SIGCONT')
  const late = await waiting
  const tally = await load.stop()

  return [
    {
      promise: 'no answer is wrong',
      isMet: tally.wrongCount === 0,
      seen: `${tally.right} right, ${tally.refused} refused, ${tally.wrongCount} wrong ${tally.wrong.join('; ')}`,
    },
    {
      promise: 'what is kept in memory is answered all the while',
      isMet: during < CACHED_MS_MAX,
      seen: `slowest ${during.toFixed(0)} ms`,
    },
    {
      promise: '/healthz answers',
      isMet: health.status === 200,
      seen: `${health.status} in ${health.ms.toFixed(0)} ms`,
    },
    {
      promise: 'what needs the database waits and is then right',
      isMet: late.status === 200,
      seen: `${late.status} after ${late.ms.toFixed(0)} ms`,
    },
  ]
}

async function timed(url: URL): Promise<{ status: number; ms: number }> {
  const started = performance.now()
  const { status } = await fetch(url)
  return { status, ms: performance.now() - started }
}
