/**
 * The worker of the service on a simulated clock: real jobs, queue, database and requests. Time jumps to the next minute at which
 * something may be due, so a month takes only as long as its work.
 */
import { jobsOfSource } from '../../jobs/index.ts'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { watchSources } from '../../jobs/watch-sources.ts'
import type { Logger } from '../../src/platform/log.ts'
import { latestDueDay, momentToInstant } from '../../src/publishers/schedule.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { type Context, makeContext } from '../../src/service/context.ts'

const IDLE_POLL_MS = 10
/** Long time-outs: a busy machine must not look like an outage of a publisher. */
const LONG_TIMEOUTS = { headersMs: 300_000, bodyMs: 300_000, totalMs: 300_000 }

export interface SimulatedService extends AsyncDisposable {
  ctx: Context
  /** Runs everything that is due at the instant; returns the next instant at which something may be due. */
  runDueAt(now: Temporal.Instant, starting: boolean): Promise<Temporal.Instant>
}

export async function simulatedService(env: Record<string, string>, log: Logger): Promise<SimulatedService> {
  let now = Temporal.Instant.fromEpochMilliseconds(0)
  const startedAt = new Date()
  const config = readConfig({ NODE_ENV: 'test', SAMPLE_DATA: 'off', ...env })
  const fetching = { sleep: async () => {}, times: LONG_TIMEOUTS }
  const ctx = await makeContext({ config, log, clock: { now: () => now }, fetching })
  const jobs = [refreshAggregates, watchSources, ...ctx.sources.enabled.flatMap(({ source }) => jobsOfSource(source))]
  const queues = jobs.map(({ queue }) => queue)
  await ctx.queue.work(jobs, [], ctx)
  return {
    ctx,
    async runDueAt(instant, starting) {
      now = instant
      await ctx.queue.send(watchSources, { starting })
      await untilIdle(ctx, queues, startedAt)
      return nextDueAt(ctx)
    },
    [Symbol.asyncDispose]: () => ctx.stop(),
  }
}

/**
 * Waits until no job is queued and none that this process began is active; one that a killed process began never ends.
 * Does not wait for jobs that they enqueue in other queues.
 */
async function untilIdle({ database }: Context, queues: string[], startedAt: Date): Promise<void> {
  for (;;) {
    const [row] = await database.sql<{ busy: boolean }[]>`
      select exists (
        select from pgboss.job
        where name = any (${queues})
          and (state in ('created', 'retry') or (state = 'active' and started_on >= ${startedAt.toISOString()}::timestamptz))
      ) as busy`
    if (row?.busy === false) return
    await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS))
  }
}

/** The first full minute at which something new may be due. */
async function nextDueAt({ clock, database, sources }: Context): Promise<Temporal.Instant> {
  const now = clock.now()
  const [row] = await database.sql<{ next: Temporal.Instant | null }[]>`
    select min(at) as next from (
      select ask_again_at as at from publications union all select catch_up_at from source_states
    ) t where at > ${now.toString()}::timestamptz`
  const publications = sources.enabled
    .flatMap(({ askFrom, earlyAt, refetchAt }) => [askFrom, earlyAt ?? [], refetchAt ?? []].flat())
    .map((askFrom) => momentToInstant(latestDueDay({ askFrom }, now).add({ days: 1 }), askFrom))
  const [next] = [...publications, ...(row?.next ? [row.next] : [])].sort(Temporal.Instant.compare)
  if (next === undefined) throw new Error('nothing is ever due again')
  return next.round({ smallestUnit: 'minute', roundingMode: 'ceil' })
}
