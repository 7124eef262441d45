/**
 * pg-boss behind a few verbs. Every queue of the list gets its handler and a dead-letter queue `<queue>.dead`; a schedule that names
 * an unknown queue stops the start with a sentence that says what to add.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { isDiskFull } from '../disk-space.ts'
import type { Logger } from '../log.ts'
import { jobRuns, jobSeconds } from '../metrics/metrics.ts'
import { currentRequestId, withRequestId } from '../request-id.ts'
import type { Job, QueueDefinition, ScheduledJob } from './job.ts'

/** For jobs under way; those that take longer are done again by the next process. */
const JOBS_END_WITHIN_MS = 3_000
/** With what pg-boss then has to say to a database that may be busy with such a job. */
const STOP_WITHIN_MS = 5_000
const POLL_SECONDS = 1
const WAIT_POLL_MS = 100
/** pg-boss's own. */
const SCHEMA = 'pgboss'
/** Field beside a payload: the id of the request, or job, that asked for the job. */
const REQUEST_ID = '_requestId'
/** Of the pool: on the embedded database one long statement, such as a first refresh, holds up all others. */
const CONNECTION_TIMEOUT_MS = 60_000

export interface QueueDepth {
  queue: string
  waiting: number
  active: number
}

/** What the queue itself needs of what jobs are handed. */
export interface JobContext {
  log: Logger
}

export interface Queue extends AsyncDisposable {
  /** Asks for a run; undefined where one that is the same already waits. */
  send<Payload extends object>(definition: QueueDefinition<Payload>, payload: Payload): Promise<string | undefined>
  /** Starts working on the jobs of the list, and on the schedule. */
  work<Ctx extends JobContext>(
    jobs: readonly Job<object, Ctx>[],
    schedule: readonly ScheduledJob[],
    ctx: Ctx,
  ): Promise<void>
  /**
   * Has whatever is said to be under way in the queues of these jobs tried again at once, within its retries. For a process that knows
   * that no other works on them: the one that did has died.
   */
  takeBack(jobs: readonly QueueDefinition[]): Promise<void>
  /** Asks for a run and waits for its end, whichever process does it; throws if it fails for good, or for want of room on the disk. */
  sendAndWait<Payload extends object>(definition: QueueDefinition<Payload>, payload: Payload): Promise<void>
  /** What waits and what is under way in each queue, as pg-boss has last counted it, at most a minute ago. */
  depths(): Promise<QueueDepth[]>
  stop(): Promise<void>
}

/** Creates or updates pg-boss's own tables, which roles that only use them may not. */
export async function createQueueTables(connectionString: string): Promise<void> {
  const boss = new PgBoss({ connectionString, max: 1, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })
}

export interface QueueOptions {
  connectionString: string
  /** In which the schedule is read, for example `Europe/Rome`. */
  timeZone: string
  log: Logger
}

export async function startQueue({ connectionString, timeZone, log }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    connectionString,
    max: 3,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    application_name: 'energy-prices queue',
  })
  let isStopping = false
  // A job that is left behind at a stop has nowhere to say how it ended.
  boss.on('error', (err) =>
    isStopping ? log.warn({ err }, 'a job was left behind') : log.error({ err }, 'queue error'),
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
    const options = {
      deadLetter,
      retryLimit: definition.retry.limit,
      retryDelay: definition.retry.backoffSeconds,
      retryBackoff: true,
      expireInSeconds: definition.expireSeconds,
    }
    await boss.createQueue(definition.queue, { ...options, policy: definition.oneWaiting ? 'short' : 'standard' })
    await boss.updateQueue(definition.queue, { ...options, heartbeatSeconds: definition.heartbeatSeconds ?? null })
  }

  const send: Queue['send'] = async (definition, payload) => {
    await declare(definition as unknown as QueueDefinition)
    const parsed = definition.payload.parse(payload)
    const id = await boss.send(
      definition.queue,
      { ...parsed, [REQUEST_ID]: currentRequestId() },
      { singletonKey: definition.once?.(parsed) },
    )
    const worker = workers.get(definition.queue)
    if (worker !== undefined) boss.notifyWorker(worker)
    return id ?? undefined
  }

  /** Where the database is away or busy its last words are lost; jobs under way are taken up again by the next process, as after a crash. */
  const stop = async () => {
    isStopping = true
    const stopped = boss
      .stop({ graceful: true, timeout: JOBS_END_WITHIN_MS })
      .catch((err: unknown) => log.warn({ err }, 'the queue could not say that it stops'))
    await Promise.race([stopped, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
  }

  return {
    send,

    async work(jobs, schedule, ctx) {
      assertScheduled(jobs, schedule)
      for (const definition of jobs) {
        await declare(definition)
        const handle = handlerOf(definition, ctx, () => isStopping)
        const worker = await boss.work<object>(
          definition.queue,
          { pollingIntervalSeconds: definition.pollSeconds ?? POLL_SECONDS },
          // After one job it looks for the next at once, not at the next poll.
          (batch) => handle(batch).finally(() => boss.notifyWorker(worker)),
        )
        workers.set(definition.queue, worker)
      }
      for (const { queue, cron } of schedule) await boss.schedule(queue, cron, {}, { tz: timeZone })
      const wanted = new Set(schedule.map((line) => line.queue))
      for (const { name } of await boss.getSchedules()) if (!wanted.has(name)) await boss.unschedule(name)
    },

    async takeBack(jobs) {
      const { rows } = await boss
        .getDb()
        .executeSql(`select name, id from ${SCHEMA}.job where state = 'active' and name = any ($1::text[])`, [
          jobs.map((definition) => definition.queue),
        ])
      for (const { name, id } of rows as { name: string; id: string }[]) {
        await boss.fail(name, id, { message: 'the process that worked on it died' })
        await boss.update(name, undefined, { id, startAfter: 0 })
        log.info({ queue: name, job: id }, 'job of a process that died taken back')
      }
    },

    async sendAndWait(definition, payload) {
      const key = definition.once?.(definition.payload.parse(payload))
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

function handlerOf<Ctx extends JobContext>(definition: Job<object, Ctx>, ctx: Ctx, isStopping: () => boolean) {
  const { queue } = definition
  return async (batch: Delivered[]): Promise<void> => {
    for (const delivered of batch) {
      const started = performance.now()
      try {
        await withRequestId(requestIdOf(delivered), () => runJob(definition, ctx, delivered, isStopping))
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

/** A job that nobody asked for, such as a scheduled one, is known by its own id. */
function requestIdOf({ id, data }: Delivered): string {
  const given: unknown = Reflect.get(data ?? {}, REQUEST_ID)
  return typeof given === 'string' ? given : id
}

async function runJob<Ctx extends JobContext>(
  definition: Job<object, Ctx>,
  ctx: Ctx,
  { id, data, signal }: Delivered,
  isStopping: () => boolean,
): Promise<void> {
  const started = performance.now()
  const log = ctx.log.child({ queue: definition.queue, job: id })
  try {
    const { [REQUEST_ID]: _, ...payload } = (data ?? {}) as Record<string, unknown>
    await definition.run({ payload: definition.payload.parse(payload), ctx, signal })
    log.debug({ durationMs: Math.round(performance.now() - started) }, 'job done')
  } catch (err) {
    if (isStopping()) log.warn({ err }, 'a job was left behind')
    else log.error({ err }, 'job failed')
    throw err
  }
}

function assertScheduled(jobs: readonly QueueDefinition[], schedule: readonly ScheduledJob[]): void {
  const queues = jobs.map((definition) => definition.queue)
  const twice = queues.find((queue, i) => queues.indexOf(queue) !== i)
  if (twice !== undefined) throw new Error(`two jobs of jobs/index.ts work on the queue "${twice}"`)
  const unknown = schedule.find((line) => !queues.includes(line.queue))
  if (unknown !== undefined)
    throw new Error(`jobs/schedule.ts names the queue "${unknown.queue}", add its job to jobs/index.ts`)
}
