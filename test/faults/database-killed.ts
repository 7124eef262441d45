/** The database is killed under load and comes back: kill -9, three seconds away, started again on the same folder. */
import type { Finding } from './fault.ts'
import { startLoad } from './load.ts'
import { DAY, end, fill, scratchFolder, startDatabase, startService } from './scene.ts'

const AWAY_MS = 3_000
const RECOVERED_WITHIN_MS = 10_000

/** Series whose span no cache knows yet each ask the database; the others are served from memory. */
const paths = Array.from({ length: 10 }, (_, i) => `/v1/prices/pun/series?from=${DAY}&unit=${i % 2 ? 'kwh' : 'mwh'}`)

export default async function databaseKilled(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const folder = await scratchFolder(stack)
  const first = await startDatabase(folder, stack)
  await fill(first.url)
  const api = await startService(stack, { ROLE: 'api', DATABASE_URL: first.url }, folder)
  const load = await startLoad(api.url, [...paths, '/v1/pun/today', '/v1/psv/today'])

  await pause(1_000)
  await end(first.process, 'SIGKILL')
  const uncached = await whileAway(api.url)
  const ready = await fetch(new URL('/readyz', api.url))
  const restarting = performance.now()
  await startDatabase(folder, stack)
  const up = performance.now()
  const recovered = await untilOk(new URL(`/v1/prices/ttf/series?from=${DAY}&to=${DAY}&unit=kwh`, api.url))
  await pause(1_000)
  const tally = await load.stop()

  return [
    {
      promise: 'no answer is wrong',
      held: tally.wrongCount === 0,
      seen: `${tally.right} right, ${tally.refused} refused, ${tally.wrongCount} wrong ${tally.wrong.join('; ')}`,
    },
    {
      promise: 'what needs the database is 503 with Retry-After, not no_data',
      held: uncached.every(
        ({ status, retryAfter, error }) => status === 503 && retryAfter !== null && error === 'internal_error',
      ),
      seen: JSON.stringify(uncached[0]),
    },
    { promise: '/readyz says so', held: ready.status === 503, seen: String(ready.status) },
    {
      promise: 'answers are back within 10 seconds of the database',
      held: recovered - up < RECOVERED_WITHIN_MS,
      seen: `${Math.max(0, recovered - up).toFixed(0)} ms after it took connections, which took ${(up - restarting).toFixed(0)} ms`,
    },
    { promise: 'the process lives', held: api.process.exitCode === null, seen: 'it does' },
  ]
}

/** Answers that no cache has, over the time without a database. */
async function whileAway(base: URL): Promise<{ status: number; retryAfter: string | null; error: unknown }[]> {
  const answers = []
  const until = performance.now() + AWAY_MS
  for (let day = 1; performance.now() < until; day += 1) {
    const response = await fetch(
      new URL(`/v1/prices/brent/series?to=2026-10-${String(1 + (day % 25)).padStart(2, '0')}&from=2026-09-30`, base),
    )
    const body = (await response.json()) as { error?: unknown }
    answers.push({ status: response.status, retryAfter: response.headers.get('retry-after'), error: body.error })
    await pause(100)
  }
  return answers
}

async function untilOk(url: URL): Promise<number> {
  for (;;) {
    const { status } = await fetch(url)
    if (status === 200 || status === 404) return performance.now()
    await pause(50)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
