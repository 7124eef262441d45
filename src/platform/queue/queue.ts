/**
 * A small interface to pg-boss. Every queue of the list gets its handler and a dead-letter queue `<queue>.dead`; a schedule that names
 * an unknown queue fails the start with a message that says what to add.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { isDiskFull } from '../disk-space.ts'
import type { Logger } from '../log.ts'
import { jobRuns, jobSeconds } from '../metrics/metrics.ts'
import { currentRequestId, withRequestId } from '../request-id.ts'
import type { Job, QueueDefinition, ScheduledJob } from './job.ts'

/** Time-out for running jobs at a stop; the next process runs unfinished ones again. */
const JOBS_END_WITHIN_MS = 3_000
/** Includes the last statements of pg-boss, which may wait for a database busy with such a job. */
const STOP_WITHIN_MS = 5_000
const POLL_SECONDS = 1
const WAIT_POLL_MS = 100
/** pg-boss's own. */
const SCHEMA = 'pgboss'
/** Field added to a payload: the id of the request, or job, that enqueued it. */
const REQUEST_ID = '_requestId'
/** Time-out of the pool: on the embedded database one long statement, such as a first refresh, blocks all others. */
const CONNECTION_TIMEOUT_MS = 60_000

export interface QueueDepth {
  queue: string
  waiting: number
  active: number
}

/** The part of a job's context that the queue itself uses. */
interface JobContext {
  log: Logger
}

export interface Queue extends AsyncDisposable {
  /** Enqueues a run; undefined if an identical one is already waiting. */
  send<Payload extends object>(definition: QueueDefinition<Payload>, payload: Payload): Promise<string | undefined>
  /** Starts working on the jobs of the list, and on the schedule. */
  work<Ctx extends JobContext>(
    jobs: readonly Job<object, Ctx>[],
    schedule: readonly ScheduledJob[],
    ctx: Ctx,
  ): Promise<void>
  /**
   * Retries at once, within their retry limits, the jobs of these queues that are marked active. Call it only if no other process
   * can be working on them, because the one that did has died.
   */
  requeueOrphanedJobs(jobs: readonly QueueDefinition[]): Promise<void>
  /** Enqueues a run and waits until any process has finished it; throws if it fails permanently, or if the disk is full. */
  sendAndWait<Payload extends object>(definition: QueueDefinition<Payload>, payload: Payload): Promise<void>
  /** Waiting and active jobs of each queue, as last counted by pg-boss, at most a minute ago. */
  depths(): Promise<QueueDepth[]>
  stop(): Promise<void>
}

/** Creates or updates pg-boss's own tables; roles that only use them may not do that. */
export async function createQueueTables(connectionString: string): Promise<void> {
  const boss = new PgBoss({ connectionString, max: 1, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })
}

export interface QueueOptions {
  connectionString: string
  /** Time zone of the schedule, for example `Europe/Rome`. */
  timeZone: string
  /**
   * Whether a job runs again if its worker sends no heartbeat. False on the embedded engine, where one long statement blocks all
   * heartbeats and each start requeues orphaned jobs.
   */
  hasHeartbeats: boolean
  /** Aborted when the process begins to stop: jobs that fail from then on count as abandoned. */
  stopping: AbortSignal
  log: Logger
}

export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { connectionString, timeZone, hasHeartbeats, log } = options
  const boss = new PgBoss({
    connectionString,
    max: 3,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    application_name: 'energy-prices queue',
  })
  const stopped = new AbortController()
  const stopping = AbortSignal.any([options.stopping, stopped.signal])
  // A job abandoned at a stop cannot report how it ended.
  boss.on('error', (err) =>
    stopping.aborted ? log.warn({ err }, 'a job was abandoned') : log.error({ err }, 'queue error'),
  )
  boss.on('warning', (warning) => log.warn({ warning }, 'queue warning'))
  await boss.start()
  const known = new Set<string>()
  const workers = new Map<string, string>()

  const declare = async (definition: QueueDefinition) => {
    if (known.has(definition.queue)) return
    known.add(definition.queue)
    const deadLetter = `${definition.queue}.dead`
    await boss.createQueue(deadLetter)
    const settings = {
      deadLetter,
      retryLimit: definition.retry.limit,
      retryDelay: definition.retry.backoffSeconds,
      retryBackoff: true,
      expireInSeconds: definition.expireSeconds,
    }
    await boss.createQueue(definition.queue, { ...settings, policy: definition.isDeduplicated ? 'short' : 'standard' })
    const heartbeatSeconds = (hasHeartbeats && definition.heartbeatSeconds) || null
    await boss.updateQueue(definition.queue, { ...settings, heartbeatSeconds })
  }

  const send: Queue['send'] = async (definition, payload) => {
    await declare(definition as unknown as QueueDefinition)
    const parsed = definition.payload.parse(payload)
    const id = await boss.send(
      definition.queue,
      { ...parsed, [REQUEST_ID]: currentRequestId() },
      { singletonKey: definition.dedupeKey?.(parsed) },
    )
    const worker = workers.get(definition.queue)
    if (worker !== undefined) boss.notifyWorker(worker)
    return id ?? undefined
  }

  /** If the database is unreachable or busy, the final state is lost; the next process requeues running jobs, as after a crash. */
  const stop = async () => {
    stopped.abort()
    const ended = boss
      .stop({ graceful: true, timeout: JOBS_END_WITHIN_MS })
      .catch((err: unknown) => log.warn({ err }, 'the queue could not record that it stops'))
    await Promise.race([ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
  }

  return {
    send,

    async work(jobs, schedule, ctx) {
      validateSchedule(jobs, schedule)
      for (const definition of jobs) {
        await declare(definition)
        const handle = handlerOf(definition, ctx, stopping)
        const worker = await boss.work<object>(
          definition.queue,
          { pollingIntervalSeconds: definition.pollSeconds ?? POLL_SECONDS },
          // After a job the worker fetches the next at once instead of at the next poll.
          (batch) => handle(batch).finally(() => boss.notifyWorker(worker)),
        )
        workers.set(definition.queue, worker)
      }
      for (const { queue, cron } of schedule) await boss.schedule(queue, cron, {}, { tz: timeZone })
      const scheduled = new Set(schedule.map((line) => line.queue))
      for (const { name } of await boss.getSchedules()) if (!scheduled.has(name)) await boss.unschedule(name)
    },

    async requeueOrphanedJobs(jobs) {
      const { rows } = await boss
        .getDb()
        .executeSql(`select name, id from ${SCHEMA}.job where state = 'active' and name = any ($1::text[])`, [
          jobs.map((definition) => definition.queue),
        ])
      for (const { name, id } of rows as { name: string; id: string }[]) {
        await boss.fail(name, id, { message: 'the process that worked on it died' })
        await boss.update(name, undefined, { id, startAfter: 0 })
        log.info({ queue: name, job: id }, 'orphaned job requeued')
      }
    },

    async sendAndWait(definition, payload) {
      const key = definition.dedupeKey?.(definition.payload.parse(payload))
      const waiting = () => boss.findJobs(definition.queue, { queued: true, ...(key && { key }) })
      const id = (await send(definition, payload)) ?? (await waiting())[0]?.id
      for (;;) {
        const [found] = id === undefined ? [] : await boss.findJobs(definition.queue, { id })
        if (found === undefined || found.state === 'completed') return
        if (found.state === 'failed' || found.state === 'cancelled')
          throw new Error(`the job ${definition.queue} failed`)
        if (found.state === 'retry' && isDiskFull(found.output)) throw Object.assign(new Error(), found.output)
        await new Promise((resolve) => setTimeout(resolve, WAIT_POLL_MS))
      }
    },

    async depths() {
      const queues = await boss.getQueues()
      return queues.map(({ name, queuedCount, activeCount }) => ({
        queue: name,
        waiting: queuedCount,
        active: activeCount,
      }))
    },

    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function handlerOf<Ctx extends JobContext>(definition: Job<object, Ctx>, ctx: Ctx, stopping: AbortSignal) {
  const { queue } = definition
  return async (batch: Delivered[]): Promise<void> => {
    for (const delivered of batch) {
      const started = performance.now()
      try {
        await withRequestId(requestIdOf(delivered), () => runJob(definition, ctx, delivered, stopping))
        jobRuns.inc({ queue, outcome: 'completed' })
      } catch (err) {
        jobRuns.inc({ queue, outcome: 'failed' })
        throw err
      } finally {
        jobSeconds.observe({ queue }, (performance.now() - started) / 1_000)
      }
    }
  }
}

interface Delivered {
  id: string
  data: object
  signal: AbortSignal
}

/** A job without a requester, such as a scheduled one, is identified by its own id. */
function requestIdOf({ id, data }: Delivered): string {
  const given: unknown = Reflect.get(data ?? {}, REQUEST_ID)
  return typeof given === 'string' ? given : id
}

async function runJob<Ctx extends JobContext>(
  definition: Job<object, Ctx>,
  ctx: Ctx,
  { id, data, signal }: Delivered,
  stopping: AbortSignal,
): Promise<void> {
  const started = performance.now()
  const log = ctx.log.child({ queue: definition.queue, job: id })
  try {
    const { [REQUEST_ID]: _, ...payload } = (data ?? {}) as Record<string, unknown>
    await definition.run({ payload: definition.payload.parse(payload), ctx, signal })
    log.debug({ durationMs: Math.round(performance.now() - started) }, 'job done')
  } catch (err) {
    if (stopping.aborted) log.warn({ err }, 'a job was abandoned')
    else log.error({ err }, 'job failed')
    throw err
  }
}

function validateSchedule(jobs: readonly QueueDefinition[], schedule: readonly ScheduledJob[]): void {
  const queues = jobs.map((definition) => definition.queue)
  const duplicate = queues.find((queue, i) => queues.indexOf(queue) !== i)
  if (duplicate !== undefined) throw new Error(`two jobs of jobs/index.ts work on the queue "${duplicate}"`)
  const unknown = schedule.find((line) => !queues.includes(line.queue))
  if (unknown !== undefined)
    throw new Error(`jobs/schedule.ts names the queue "${unknown.queue}", add its job to jobs/index.ts`)
}
