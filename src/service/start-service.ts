/** The service in its role: the API listens, the worker works, `all` does both. */
import { deliverWebhooks } from '../../jobs/deliver-webhooks.ts'
import { planExports } from '../../jobs/plan-exports.ts'
import { sendMail } from '../../jobs/send-mail.ts'
import { SQL_PATH } from '../api/contract/analyst-sql.ts'
import { drainable } from '../api/http/drain.ts'
import { httpServer, serveRequests } from '../api/http/http-server.ts'
import type { Health, Service } from '../api/http/service.ts'
import { developerKeyService } from '../api/keys/developer-key-service.ts'
import { alertService } from '../delivery/alerts/alert-service.ts'
import { announceSources } from '../ingest/announce-sources.ts'
import { addressRules } from '../platform/egress/address-rules.ts'
import { listen } from '../platform/listen.ts'
import { listeningUrl } from '../platform/listening-url.ts'
import { childLogger, type Logger } from '../platform/log.ts'
import { type MetricsServer, startMetricsServer } from '../platform/metrics/metrics-server.ts'
import { releaseClaims } from '../store/alert-deliveries.ts'
import { waiveVerification } from '../store/alerts.ts'
import { ASKERS_AT_ONCE } from '../store/database.ts'
import { createApp } from './app.ts'
import type { Config } from './config/config.ts'
import { type Context, makeContext } from './context.ts'
import { serviceGauges } from './gauges/service-gauges.ts'

export interface RunningService {
  ctx: Context
  /** Where the API listens; undefined in a worker. */
  url: URL | undefined
  /** Rejects when the service cannot continue. */
  failure: Promise<never>
  stop(): Promise<void>
}

export async function startService(config: Config, log: Logger): Promise<RunningService> {
  await using stack = new AsyncDisposableStack()
  const ctx = stack.use(await makeContext({ config, log }))
  const health = { stopping: false }
  const metrics = stack.use(await serveMetrics(ctx))
  const http = config.role === 'worker' ? undefined : await serve(ctx, health)
  stack.defer(() => http?.drain())
  if (config.role !== 'api') await startWork(ctx)
  log.info(
    {
      role: config.role,
      url: http?.url.href,
      metrics: metrics.url.href,
      dataDir: config.database.url ? undefined : config.database.dataDir,
    },
    'ready',
  )
  const running = stack.move()
  return {
    ctx,
    url: http?.url,
    failure: ctx.failure,
    stop() {
      health.stopping = true
      return running.disposeAsync()
    },
  }
}

function serveMetrics(ctx: Context): Promise<MetricsServer> {
  return startMetricsServer({ ...ctx.config.metrics, read: serviceGauges(ctx), log: childLogger(ctx.log, 'metrics') })
}

/** Jobs are imported here, so that a process that only serves the API never loads what they need. */
async function startWork(ctx: Context): Promise<void> {
  const { JOBS, jobsOfSource } = await import('../../jobs/index.ts')
  const { SCHEDULE } = await import('../../jobs/schedule.ts')
  const { publishSample } = await import('../../jobs/publish-sample.ts')
  const { watchSources } = await import('../../jobs/watch-sources.ts')
  if (ctx.config.sampleData === 'off') {
    const removed = await ctx.sampleData.remove()
    if (removed > 0) ctx.log.info({ removed }, 'synthetic data removed, SAMPLE_DATA is off')
  }
  const jobs = [...JOBS, ...ctx.sources.enabled.flatMap(({ source }) => jobsOfSource(source))]
  // Nothing else works on an embedded database: claimed and active jobs in it belong to a process that died.
  if (ctx.config.database.url === undefined) {
    await releaseClaims(ctx.database.sql)
    await ctx.queue.requeueOrphanedJobs(jobs)
  }
  if (!ctx.config.alerts.verification) await waiveVerification(ctx.database.sql)
  await announceSources(ctx)
  await ctx.queue.work(jobs, SCHEDULE, ctx)
  await ctx.queue.send(publishSample, { andRefresh: true })
  await ctx.queue.send(watchSources, { starting: true })
  await ctx.queue.send(deliverWebhooks, {})
}

interface Serving {
  url: URL
  drain(): Promise<void>
}

async function serve(ctx: Context, health: { stopping: boolean }): Promise<Serving> {
  const { host, port, baseUrl } = ctx.config.http
  const server = httpServer()
  const drain = drainable(server)
  const taken = await listen(server, { host, port }, { host: 'HOST', port: 'PORT' })
  const url = baseUrl ?? listeningUrl(host, taken)
  const service = serviceOf(ctx, url, health)
  serveRequests(server, createApp(service), { baseUrl: url, log: service.log })
  return { url, drain }
}

function serviceOf(ctx: Context, baseUrl: URL, health: { stopping: boolean }): Service {
  const { trustedProxies, comingEndpoints } = ctx.config.http
  return {
    config: {
      baseUrl,
      trustedProxies,
      comingEndpoints: ctx.analystSql ? comingEndpoints : comingEndpoints.union(new Set([SQL_PATH])),
      canonicalHost: ctx.config.http.baseUrl !== undefined,
      environment: ctx.config.environment,
      computingAtOnce: ASKERS_AT_ONCE[ctx.config.database.url === undefined ? 'engine' : 'server'],
    },
    clock: ctx.clock,
    prices: ctx.prices,
    zones: ctx.zones,
    offerIndices: ctx.offerIndices,
    forecasts: ctx.forecasts,
    hourlyForecasts: ctx.hourlyForecasts,
    sourceStatus: ctx.sourceStatus,
    sampleData: ctx.sampleData,
    analystSql: ctx.analystSql,
    trading: ctx.trading,
    alerts: alertsOf(ctx),
    bulk: ctx.bulk(() => ctx.queue.send(planExports, { missing: true })),
    developerKeys: developerKeysOf(ctx, baseUrl),
    access: ctx.access,
    dataVersion: ctx.dataVersion,
    health: { ready: () => readiness(ctx, health) },
    queueDepths: () => ctx.queue.depths(),
    log: childLogger(ctx.log, 'http'),
  }
}

function alertsOf(ctx: Context): Service['alerts'] {
  const { secrets, config, clock, database, access } = ctx
  if (secrets === undefined) {
    ctx.log.info('alerts are off: there is no SECRETS_KEY')
    return undefined
  }
  return alertService({
    sql: database.sql,
    clock,
    secrets,
    addresses: addressRules(config.alerts.allowedNetworks),
    ports: config.alerts.allowedPorts,
    alertsPerKeyMax: config.alerts.perKeyMax,
    verification: config.alerts.verification,
    days: access.daily,
    wake: () => ctx.queue.send(deliverWebhooks, {}),
  })
}

function developerKeysOf({ config, clock, database, access, queue }: Context, baseUrl: URL): Service['developerKeys'] {
  if (config.mail === undefined) return undefined
  return developerKeyService({
    sql: database.sql,
    clock,
    days: access.daily,
    baseUrl,
    wake: () => queue.send(sendMail, {}),
  })
}

async function readiness(ctx: Context, { stopping }: { stopping: boolean }): ReturnType<Health['ready']> {
  if (stopping) return { ready: false, checks: { service: 'stopping' } }
  try {
    await ctx.database.read`select 1`
    return { ready: true, checks: { database: 'ok' } }
  } catch (err) {
    ctx.log.warn({ err }, 'the database does not answer')
    return { ready: false, checks: { database: 'does not answer' } }
  }
}
