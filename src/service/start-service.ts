/** Runs the service in its role: `api` listens, `worker` runs jobs, `all` does both. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { gracefulShutdown } from '../api/http/drain.ts'
import { httpServer, serveRequests } from '../api/http/http-server.ts'
import { listen, listeningUrl } from '../platform/listen.ts'
import { childLogger, type Logger } from '../platform/log.ts'
import { replyWithMetrics } from '../platform/metrics/group-metrics.ts'
import {
  emptyIfUnavailable,
  type MetricsServer,
  metricsOfProcess,
  startMetricsServer,
} from '../platform/metrics/metrics-server.ts'
import { isGroupMember } from '../platform/processes/process-group.ts'
import { releaseClaims } from '../store/webhook-deliveries.ts'
import { waiveVerification } from '../store/webhooks.ts'
import type { Config } from './config/config.ts'
import { type Context, type ContextOptions, makeContext } from './context.ts'
import { issueFirstKey } from './first-key.ts'
import { serviceGauges } from './gauges/service-gauges.ts'

/** Poll interval while the first sample data are being stored. */
const FILLING_POLL_MS = 250
/** Delay before the jobs start, so that what they load and read does not hold up the first answers. */
const WORK_AFTER_MS = 300

/** The running service, in this process or as a group of processes. */
export interface ServiceHandle {
  /** URL of the API; undefined in a worker. */
  url: URL | undefined
  /** Whether this process is still storing the first data. */
  isFilling(): boolean
  /** Rejects when the service cannot continue. */
  failure: Promise<never>
  /** Returns a key for a first local start; undefined if one was issued before. Only in a single process, not in a group. */
  firstKey?(): Promise<string | undefined>
  /** Replaces the processes one after another; absent if there is only one. */
  restart?(): void
  stop(): Promise<void>
}

interface RunningService extends ServiceHandle {
  ctx: Context
}

interface StartOptions {
  open?: ContextOptions['open']
  /** Aborts the start at the next safe point, with its reason, after closing what is open. */
  stopping?: AbortSignal
}

export async function startService(
  config: Config,
  log: Logger,
  { open, stopping }: StartOptions = {},
): Promise<RunningService> {
  await using stack = new AsyncDisposableStack()
  const [ctx, api] = await Promise.all([
    makeContext({ config, log, stopping, ...(open && { open }) }),
    config.role === 'worker' ? undefined : loadApi(),
  ])
  stack.use(ctx)
  stopping?.throwIfAborted()
  const health = { stopping: false, filling: config.role === 'all' && (await isFilling(ctx)) }
  stopping?.addEventListener('abort', () => {
    health.stopping = true
  })
  if (health.filling) void pollUntilFilled(ctx, health)
  const metrics = stack.use(await serveMetrics(ctx))
  const http = api && (await serve(ctx, health, api))
  stack.defer(() => http?.drain())
  if (config.role !== 'api') {
    if (http) await sleep(WORK_AFTER_MS)
    await startWork(ctx, stopping)
  }
  stopping?.throwIfAborted()
  log.info(
    {
      role: config.role,
      url: http?.url.href,
      metrics: metrics?.url.href,
      dataDir: config.database.url ? undefined : config.database.dataDir,
    },
    'ready',
  )
  const running = stack.move()
  return {
    ctx,
    url: http?.url,
    isFilling: () => health.filling,
    failure: ctx.failure,
    firstKey: () => issueFirstKey(ctx),
    stop() {
      health.stopping = true
      return running.disposeAsync()
    },
  }
}

/** Returns undefined in a member of a group: the primary process collects its metrics. */
async function serveMetrics(ctx: Context): Promise<MetricsServer | undefined> {
  const log = childLogger(ctx.log, 'metrics')
  const read = emptyIfUnavailable(serviceGauges(ctx), log)
  if (!isGroupMember()) return startMetricsServer({ ...ctx.config.metrics, text: metricsOfProcess(read), log })
  replyWithMetrics(read)
  return undefined
}

type Api = Awaited<ReturnType<typeof loadApi>>

/** Loads the API while the database opens, in parts, so that messages from the database are processed in between. */
async function loadApi() {
  await import('../api/endpoints/index.ts')
  await nextTurn()
  await import('../web/page-list.ts')
  await nextTurn()
  const { createApp } = await import('./app.ts')
  await nextTurn()
  const { makeService } = await import('./make-service.ts')
  return { createApp, makeService }
}

/** Imports jobs here, so that a process that only serves the API does not load them. */
async function startWork(ctx: Context, stopping: AbortSignal | undefined): Promise<void> {
  const { announceSources } = await import('../ingest/announce-sources.ts')
  const { deliverWebhooks } = await import('../../jobs/deliver-webhooks.ts')
  const { JOBS, jobsOfSource } = await import('../../jobs/index.ts')
  const { SCHEDULE } = await import('../../jobs/schedule.ts')
  const { publishSample } = await import('../../jobs/publish-sample.ts')
  const { watchSources } = await import('../../jobs/watch-sources.ts')
  if (ctx.config.sampleData === 'off') {
    const removed = await ctx.sampleData.remove()
    if (removed > 0) ctx.log.info({ removed }, 'synthetic data removed, SAMPLE_DATA is off')
  }
  const jobs = [...JOBS, ...ctx.sources.enabled.flatMap(({ source }) => jobsOfSource(source))]
  // No other process works on an embedded database: its claimed deliveries and active jobs belong to one that died.
  if (ctx.config.database.url === undefined) {
    await releaseClaims(ctx.database.sql)
    await ctx.queue.requeueOrphanedJobs(jobs)
  }
  if (!ctx.config.alerts.verification) await waiveVerification(ctx.database.sql)
  await announceSources(ctx)
  stopping?.throwIfAborted()
  await ctx.queue.work(jobs, SCHEDULE, ctx)
  await ctx.queue.send(publishSample, { andRefresh: true })
  await ctx.queue.send(watchSources, { starting: true })
  await ctx.queue.send(deliverWebhooks, {})
}

interface RunningHttpServer {
  url: URL
  drain(): Promise<void>
}

async function serve(
  ctx: Context,
  health: { stopping: boolean; filling: boolean },
  { createApp, makeService }: Api,
): Promise<RunningHttpServer> {
  const { host, port, baseUrl } = ctx.config.http
  const server = httpServer()
  const drain = gracefulShutdown(server)
  const boundPort = await listen(server, { host, port }, { host: 'HOST', port: 'PORT' })
  const url = baseUrl ?? listeningUrl(host, boundPort)
  const service = makeService(ctx, { baseUrl: url, health })
  serveRequests(server, createApp(service), { baseUrl: url, log: service.log })
  return {
    url,
    drain() {
      service.changes.close() // requests that wait for a change are answered, streams end
      return drain()
    },
  }
}

/** Whether sample data are on and the prices shown first, those of the last 48 hours, are not stored yet. */
async function isFilling({ sampleData, database, clock }: Context): Promise<boolean> {
  if (!(await sampleData.enabled())) return false
  const since = clock.now().subtract({ hours: 48 })
  const [row] = await database.read<{ found: boolean }[]>`
    select exists (select from zone_prices_daily where starts_at > ${since}) as found`
  return row?.found === false
}

async function pollUntilFilled(ctx: Context, health: { stopping: boolean; filling: boolean }): Promise<void> {
  while (health.filling && !health.stopping) {
    await sleep(FILLING_POLL_MS, undefined, { ref: false })
    health.filling = await isFilling(ctx).catch(() => health.filling)
  }
}
