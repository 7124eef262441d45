/** The service of a simulation, run as in one of its processes: context, jobs and API, with the clock and queue of the history. */
import path from 'node:path'
import { computeOfferIndices } from '../../jobs/compute-offer-indices.ts'
import { deliverWebhooks } from '../../jobs/deliver-webhooks.ts'
import { JOBS, jobsOfSource } from '../../jobs/index.ts'
import { issueForecasts } from '../../jobs/issue-forecasts.ts'
import { planExports } from '../../jobs/plan-exports.ts'
import { watchSources } from '../../jobs/watch-sources.ts'
import { httpServer, serveRequests } from '../../src/api/http/http-server.ts'
import { announceSources } from '../../src/ingest/announce-sources.ts'
import { createLogger } from '../../src/platform/log.ts'
import { SECRETS_KEY_BYTES } from '../../src/platform/secret.ts'
import { createApp } from '../../src/service/app.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { type Context, makeContext } from '../../src/service/context.ts'
import { makeService } from '../../src/service/make-service.ts'
import { releaseClaims } from '../../src/store/webhook-deliveries.ts'
import { type LocalServer, listenLocally } from '../support/local-server.ts'
import type { EngineProcess } from './engine.ts'
import { SimulatedQueue, type StoredJobs } from './queue.ts'

/** Jobs that run models or make files in other processes; acts of a history do the same instead. */
const IGNORED_JOBS = [issueForecasts, planExports, computeOfferIndices]
/** Long time-outs, so that a machine under load does not look like an outage of a publisher. */
const LONG_TIMEOUTS = { headersMs: 300_000, bodyMs: 300_000, totalMs: 300_000 }
const SECRETS_KEY = Buffer.alloc(SECRETS_KEY_BYTES, 7).toString('base64')

export interface ServiceProcess {
  ctx: Context
  queue: SimulatedQueue
  server: LocalServer
  url: string
}

interface ProcessOptions {
  /** Folder of the database and files. */
  folder: string
  /** Set if the history kills the database; otherwise it runs in this process. */
  engine: EngineProcess | undefined
  env: Record<string, string>
  /** Milliseconds since 1970. */
  now(): number
  jobs: StoredJobs
  /** Called with each warning and error that is logged. */
  onWarning(line: string): void
}

export async function startProcess({
  folder,
  engine,
  env,
  now,
  jobs,
  onWarning,
}: ProcessOptions): Promise<ServiceProcess> {
  const config = readConfig({
    NODE_ENV: 'test',
    SAMPLE_DATA: 'off',
    EMBEDDED_DURABILITY: 'off',
    DATA_DIR: folder,
    OPEN_REQUESTS_PER_MINUTE: '1000000',
    PAGE_REQUESTS_PER_MINUTE: '1000000',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    BULK_DIR: path.join(folder, 'bulk'),
    SECRETS_KEY: SECRETS_KEY,
    ...env,
  })
  const log = createLogger({ level: 'warn', destination: { write: onWarning } })
  let queue: SimulatedQueue | undefined
  const ctx = await makeContext({
    config,
    log,
    clock: { now: () => Temporal.Instant.fromEpochMilliseconds(now()) },
    ...(engine && { open: engine.open }),
    fetching: { sleep: async () => {}, times: LONG_TIMEOUTS },
    openQueue: async () => (queue = new SimulatedQueue(jobs, now, IGNORED_JOBS as never)),
  })
  if (queue === undefined) throw new Error('the context opened no queue')
  await releaseClaims(ctx.database.sql)
  await announceSources(ctx)
  await queue.work([...JOBS, ...ctx.sources.enabled.flatMap(({ source }) => jobsOfSource(source))])
  const handling = httpServer()
  const server = await listenLocally(handling)
  const url = server.baseUrl
  const service = makeService(ctx, { baseUrl: new URL(url), health: { stopping: false } })
  serveRequests(handling, createApp(service), { baseUrl: new URL(url), log })
  await queue.send(watchSources, { starting: true })
  await queue.send(deliverWebhooks, {})
  return { ctx, queue, server, url }
}

export async function stopProcess({ server, ctx }: ServiceProcess): Promise<void> {
  await server[Symbol.asyncDispose]()
  await ctx.stop()
}
