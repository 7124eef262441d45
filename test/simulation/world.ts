/**
 * A service that lives through a history: its own context, jobs and API on an embedded database, with a clock that moves to the next
 * event and everything outside the service simulated. The promises are checked against the model after each day.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { deliverWebhooks } from '../../jobs/deliver-webhooks.ts'
import { detectCrossings } from '../../jobs/detect-crossings.ts'
import { maintainDatabase } from '../../jobs/maintain-database.ts'
import { queueChanges } from '../../jobs/queue-changes.ts'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { watchSources } from '../../jobs/watch-sources.ts'
import { unpackDatabase } from '../../src/platform/engine/packed-database.ts'
import type { QueueDefinition } from '../../src/platform/queue/job.ts'
import { latestDueDay, momentToInstant } from '../../src/publishers/schedule.ts'
import { hasRedisServer, type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { withSkippedWaits } from '../support/skipped-waits.ts'
import { applyAct } from './acts.ts'
import { Callers } from './callers.ts'
import { Crash, crashingSql } from './crashing-sql.ts'
import { EngineProcess } from './engine.ts'
import type { Act, Day, History } from './history.ts'
import { checkDay, checkEnd, checkLiveness, warmCaches } from './invariants.ts'
import { dayOf, isRefused, Model, type PublishedDay, plusDays, startOf, type Zone } from './model.ts'
import { type ServiceProcess, startProcess, stopProcess } from './process.ts'
import { Publishers, type ServedDay } from './publishers.ts'
import type { StoredJobs, WaitingJob } from './queue.ts'
import { randomSequence } from './random.ts'
import { Subscribers } from './subscribers.ts'
import { Violation } from './violation.ts'

const HOUR_MS = 3_600_000
const REDIS_PASSWORD = 'simulated'
/** Queues of the jobs that read publishers. */
const FETCH_QUEUES = /fetch|catch-up/
const neverAborted = new AbortController().signal

export class World {
  readonly history: History
  readonly model = new Model()
  readonly random: () => number
  readonly firstDay: string
  nowMs: number
  publishers!: Publishers
  subscribers!: Subscribers
  callers!: Callers
  process!: ServiceProcess
  folder!: string
  /** Summary of what happened, for the digest. */
  readonly steps: string[] = []
  readonly counts = { jobs: 0, crashes: {} as Record<string, number>, acts: {} as Record<string, number>, checks: 0 }
  /** Days that an operator has imported; their values may differ from those that publishers state in the end. */
  readonly imported = new Set<string>()
  /** Corrections that operators must be notified of: `gme-mgp 2026-10-25` and the instant. */
  readonly corrected = new Set<string>()
  /** Zone days that were refused because another day had been requested. */
  readonly otherDays = new Set<string>()
  readonly #jobs: StoredJobs = { waiting: [], dead: [] }
  #crash: Crash | undefined
  #twoWorkersUntilMs = 0
  /** Set if the history kills the engine. */
  #engine: EngineProcess | undefined
  #redis: RedisServer | undefined
  #isRedisDown = false
  #errors: string[] = []
  /** Whether a running limits store has not answered in time, so that two stores have counted. */
  isLimitsStoreLost = false
  #lastMidnight = ''

  constructor(history: History) {
    this.history = history
    this.random = randomSequence(history.salt)
    this.firstDay = history.start
    this.nowMs = startOf(history.start) + 6 * HOUR_MS
  }

  async open(template: string): Promise<void> {
    this.folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-simulated-'))
    await mkdir(path.join(this.folder, 'engine'), { mode: 0o700 })
    unpackDatabase(template, path.join(this.folder, 'engine/pgdata'))
    if (this.history.killsEngine) this.#engine = new EngineProcess(path.join(this.folder, 'engine'))
    if (this.history.limitsStore === 'redis' && hasRedisServer) this.#redis = await startRedisServer(REDIS_PASSWORD)
    const late = (day: string) => this.#historyDay(day)?.lateMinutes ?? 0
    this.publishers = await Publishers.start(this.history.salt, late, () => this.nowMs)
    this.subscribers = await Subscribers.start(this)
    await this.#startProcess()
    this.callers = await Callers.open(this)
    await this.subscribers.subscribe()
  }

  #historyDay(day: string): Day | undefined {
    return this.history.days[Math.round((startOf(day) - startOf(this.firstDay)) / 24 / HOUR_MS)]
  }

  get sql() {
    return this.process.ctx.database.sql
  }

  now(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(this.nowMs)
  }

  today(): string {
    return dayOf(this.nowMs)
  }

  async #startProcess(): Promise<void> {
    this.process = await startProcess({
      folder: this.folder,
      engine: this.#engine,
      env: {
        LIMITS_STORE: this.#redis?.url.href ?? (this.history.limitsStore === 'postgres' ? 'postgres' : 'memory'),
        WEBHOOK_ALLOWED_PORTS: String(this.subscribers.port),
        ...this.publishers.env(plusDays(this.firstDay, -2)),
      },
      now: () => this.nowMs,
      jobs: this.#jobs,
      onWarning: (line) => this.#recordWarning(line),
    })
  }

  #recordWarning(line: string): void {
    if (line.includes('"level":"error"')) this.#errors.push(line)
    if (!this.#isRedisDown && line.includes('"event":"limits_store_lost"')) this.isLimitsStoreLost = true
  }

  async #stopProcess(): Promise<void> {
    await stopProcess(this.process)
    await this.#engine?.stop()
  }

  async restart(): Promise<void> {
    this.logStep('restart')
    await this.#stopProcess()
    if (this.#isRedisDown) await this.#redis?.start()
    this.#isRedisDown = false
    await this.#startProcess()
    await this.drain()
  }

  logStep(text: string): void {
    this.steps.push(`${new Date(this.nowMs).toISOString().slice(0, 16)} ${text}`)
  }

  count(kind: keyof World['counts'] & ('crashes' | 'acts'), name: string): void {
    this.counts[kind][name] = (this.counts[kind][name] ?? 0) + 1
  }

  /** Runs the days of the history, then one without disturbances. */
  async run(): Promise<void> {
    await this.drain()
    for (const [index, day] of this.history.days.entries()) {
      const date = plusDays(this.firstDay, index)
      await this.#advanceTo(Math.max(this.nowMs, startOf(date)))
      await warmCaches(this, date)
      const acts = day.acts.toSorted((a, b) => a.minute - b.minute)
      for (const { minute, act } of acts) {
        await this.#advanceTo(startOf(date) + minute * 60_000)
        await applyAct(this, act)
      }
      await this.#advanceTo(startOf(plusDays(date, 1)) - HOUR_MS)
      const crash = this.#crash
      this.#crash = undefined
      await this.#runRetries()
      await checkDay(this, date)
      this.#failOnLoggedErrors()
      this.#crash = crash
    }
    this.#crash = undefined
    this.#twoWorkersUntilMs = 0
    const last = plusDays(this.firstDay, this.history.days.length)
    await this.#advanceTo(startOf(plusDays(last, 1)) + 12 * HOUR_MS)
    await checkDay(this, last)
    await checkLiveness(this, last)
    await checkEnd(this)
    this.#failOnLoggedErrors()
  }

  /** Moves the clock to the target and does what is due at each instant on the way. */
  async #advanceTo(targetMs: number): Promise<void> {
    for (;;) {
      const next = Math.min(targetMs, (await this.#nextEventMs()) ?? targetMs)
      if (next > this.nowMs) this.nowMs = next
      await this.tick()
      if (this.nowMs >= targetMs) return
    }
  }

  /** Moves the clock until no failed job is waiting for a retry. */
  async #runRetries(): Promise<void> {
    for (let next = this.process.queue.nextRetryMs(); next !== undefined; next = this.process.queue.nextRetryMs()) {
      this.nowMs = next
      await this.drain()
    }
  }

  /** Does what the schedule does in each minute in which something may be due. */
  async tick(): Promise<void> {
    const { queue } = this.process
    await queue.send(watchSources, { starting: false })
    if (this.#lastMidnight !== this.today()) {
      this.#lastMidnight = this.today()
      await queue.send(detectCrossings, {})
      if (this.random() < 0.3) await queue.send(maintainDatabase, {})
      await queue.send(refreshAggregates, {})
    }
    await queue.send(queueChanges, {})
    await queue.send(deliverWebhooks, {})
    await this.drain()
    await this.subscribers.resumeRecovered()
  }

  async #nextEventMs(): Promise<number | undefined> {
    const { sources } = this.process.ctx
    const [row] = await this.sql<{ next: Temporal.Instant | null }[]>`
      select min(at) as next from (
        select ask_again_at as at from publications
        union all select catch_up_at from source_states
        union all select next_attempt_at from webhook_deliveries where status = 'pending'
      ) t where at > ${this.now().toString()}::timestamptz`
    const publications = sources.enabled
      .flatMap(({ askFrom, earlyAt, refetchAt }) => [askFrom, earlyAt ?? [], refetchAt ?? []].flat())
      .map((askFrom) => momentToInstant(latestDueDay({ askFrom }, this.now()).add({ days: 1 }), askFrom))
    const instants = [...publications, ...(row?.next ? [row.next] : [])].map(
      ({ epochMilliseconds }) => epochMilliseconds,
    )
    const retry = this.process.queue.nextRetryMs()
    const soonest = Math.min(...instants, ...(retry === undefined ? [] : [retry]), startOf(plusDays(this.today(), 1)))
    return Math.max(Math.ceil(soonest / 60_000) * 60_000, this.nowMs + 60_000)
  }

  /** Runs the waiting jobs one after another until none is ready. */
  async drain(): Promise<void> {
    for (
      let next = this.process.queue.take(this.random);
      next !== undefined;
      next = this.process.queue.take(this.random)
    )
      await this.#runJob(next.waiting, next.job)
  }

  async #runJob(waiting: WaitingJob, job: { run(run: object): Promise<void> } & QueueDefinition) {
    this.counts.jobs += 1
    const served: ServedDay[] = []
    const gas: { day: string; price: number }[] = []
    const committed = new Set<string>()
    const otherDays: string[] = []
    this.publishers.onOtherDay = (one) => void otherDays.push(one)
    this.publishers.onServed = (one) => void served.push(one)
    this.publishers.onGas = (day, price) => void gas.push({ day, price })
    const crash = this.#crash?.appliesTo(waiting.queue) ? this.#crash : undefined
    const ctx = this.process.ctx
    const sql = crashingSql(ctx.database.sql, crash, ({ days }) => {
      for (const day of days) committed.add(day)
    })
    const jobContext = crash === undefined ? ctx : { ...ctx, database: { ...ctx.database, sql, read: sql } }
    const run = () => job.run({ payload: waiting.payload, ctx: jobContext, signal: neverAborted })
    if (crash !== undefined)
      crash.runAgain = async () => {
        // Both workers must store a publisher's values at the same instant, that of the model.
        if (!FETCH_QUEUES.test(waiting.queue)) this.nowMs += job.expireSeconds * 1_000
        await job.run({ payload: waiting.payload, ctx, signal: neverAborted })
      }
    const atMs = this.nowMs
    const workers = this.nowMs < this.#twoWorkersUntilMs ? 2 : 1
    const results = await withSkippedWaits(
      (ms) => {
        this.nowMs += ms
      },
      () => Promise.allSettled(Array.from({ length: workers }, run)),
    )
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    this.#store(served, gas, atMs, failures.length === 0 ? undefined : committed)
    if (failures.length === 0) for (const one of otherDays) this.otherDays.add(one)
    if (crash?.hasOccurred && crash === this.#crash) {
      this.#crash = undefined
      this.count('crashes', crash.how)
      this.logStep(`${waiting.queue}: ${crash.how}`)
    }
    const isKilled = crash?.hasOccurred === true && crash.how === 'killed'
    const isExpected = (err: unknown) =>
      crash?.hasOccurred === true && (isInjected(err) || (isKilled && this.history.killsEngine))
    const unexpected = failures.find((err) => !isExpected(err))
    if (unexpected !== undefined)
      throw new Violation(
        'No job fails without an injected fault.',
        `${waiting.queue} ${JSON.stringify(waiting.payload)}: ${stackOf(unexpected)}`,
      )
    if (failures.length > 0) this.process.queue.recordFailure(waiting, job, isKilled)
    if (this.#jobs.dead.length > 0) throw new Violation('No job is given up.', JSON.stringify(this.#jobs.dead))
    if (isKilled) {
      await this.#stopProcess()
      if (this.history.killsEngine) this.#errors = []
      await this.#startProcess()
    }
    if (waiting.queue === detectCrossings.queue && failures.length === 0)
      this.subscribers.alerts.recordDueAlerts(this.nowMs)
  }

  /** Stores in the model what was read; if the job failed, only what was committed. */
  #store(
    served: ServedDay[],
    gas: { day: string; price: number }[],
    atMs: number,
    committed: Set<string> | undefined,
  ): void {
    for (const one of served) {
      if (committed !== undefined && !committed.has(`${one.zone} ${one.day}`)) continue
      if (this.applyToModel(one, one.source, atMs) === 'corrected')
        this.corrected.add(`${one.source} ${one.day} ${Temporal.Instant.fromEpochMilliseconds(atMs)}`)
    }
    for (const { day, price } of gas)
      if (committed === undefined || committed.has(`PSV ${day}`)) {
        if (this.model.storeGas(day, price, atMs)) this.subscribers.expectChange('psv', day, atMs)
      }
  }

  applyToModel(stated: PublishedDay, source: string, atMs: number): ReturnType<Model['store']> {
    if (isRefused(stated)) {
      this.model.refused.add(`zone:${stated.zone} ${stated.day}`)
      return undefined
    }
    const outcome = this.model.store(stated, source, atMs)
    if (outcome !== undefined) this.recordChange(stated.zone, stated.day, atMs)
    return outcome
  }

  recordChange(zone: Zone, day: string, atMs: number): void {
    this.subscribers.expectChange(zone === 'nazionale' ? 'pun' : 'zones', day, atMs, zone)
  }

  /** Injects this fault into the next job that it concerns. */
  injectCrash(act: Extract<Act, { kind: 'crash' }>): void {
    this.#crash = new Crash(act, () => this.#engine?.kill())
  }

  /** Makes two workers run every job at once until then. */
  runTwiceUntil(atMs: number): void {
    this.#twoWorkersUntilMs = atMs
  }

  /** Stops the Redis server until the service is restarted. */
  async stopRedis(): Promise<void> {
    this.#isRedisDown = true
    await this.#redis?.stop()
  }

  daysAgo(days: number): string {
    return plusDays(this.today(), -days)
  }

  #failOnLoggedErrors(): void {
    const errors = this.#errors.filter((line) => !line.includes('(simulated)') && !line.includes('"event":'))
    if (errors.length > 0) throw new Violation('No internal error is logged.', errors.slice(0, 3).join('\n'))
  }

  async close(): Promise<void> {
    await this.subscribers?.close()
    if (this.process !== undefined) await this.#stopProcess()
    await this.publishers?.[Symbol.asyncDispose]()
    await this.#redis?.[Symbol.asyncDispose]()
    await rm(this.folder, { recursive: true, force: true })
  }
}

function isInjected(err: unknown): boolean {
  return err instanceof Error && (err.message.includes('(simulated)') || isInjected(err.cause))
}

function stackOf(err: unknown): string {
  return err instanceof Error ? `${err.stack}` : String(err)
}
