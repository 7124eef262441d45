/**
 * The queue of a simulated process: jobs wait until the world runs them, in an order that the history decides, and failed ones are
 * retried on the simulated clock. Waiting and interrupted jobs outlive the process, as rows of pg-boss do.
 */
import type { Job, QueueDefinition } from '../../src/platform/queue/job.ts'
import type { Queue } from '../../src/platform/queue/queue.ts'
import type { Context } from '../../src/service/context.ts'

export interface WaitingJob {
  queue: string
  key: string | undefined
  payload: object
  /** Failed attempts so far. */
  failures: number
  /** Epoch milliseconds. */
  notBefore: number
}

/** Jobs that outlive a process. */
export interface StoredJobs {
  waiting: WaitingJob[]
  dead: WaitingJob[]
}

export class SimulatedQueue implements Queue {
  readonly stored: StoredJobs
  readonly #ignored: ReadonlySet<string>
  readonly #nowMs: () => number
  #jobs = new Map<string, Job<object, Context>>()

  constructor(stored: StoredJobs, nowMs: () => number, ignored: readonly QueueDefinition<never>[]) {
    this.stored = stored
    this.#nowMs = nowMs
    this.#ignored = new Set(ignored.map(({ queue }) => queue))
  }

  async send<Payload extends object>(
    definition: QueueDefinition<Payload>,
    payload: Payload,
  ): Promise<string | undefined> {
    const { queue, isDeduplicated, dedupeKey } = definition
    if (this.#ignored.has(queue)) return undefined
    const parsed = definition.payload.parse(payload)
    const key = dedupeKey?.(parsed)
    if (isDeduplicated && this.stored.waiting.some((one) => one.queue === queue && one.key === key)) return undefined
    this.stored.waiting.push({ queue, key, payload: parsed, failures: 0, notBefore: 0 })
    return 'job'
  }

  async work(jobs: readonly Job<object, never>[]): Promise<void> {
    this.#jobs = new Map(jobs.map((one) => [one.queue, one as Job<object, Context>]))
  }

  /** Takes one of the jobs that may run now. */
  take(random: () => number): { waiting: WaitingJob; job: Job<object, Context> } | undefined {
    const ready = this.stored.waiting.filter(({ notBefore }) => notBefore <= this.#nowMs())
    const waiting = ready[Math.floor(random() * ready.length)]
    if (waiting === undefined) return undefined
    const job = this.#jobs.get(waiting.queue)
    if (job === undefined) throw new Error(`no handler of ${waiting.queue}`)
    this.stored.waiting.splice(this.stored.waiting.indexOf(waiting), 1)
    return { waiting, job }
  }

  /** Retries with backoff, then gives up, as the real queue does. `orphaned`: the process of the job died. */
  recordFailure(waiting: WaitingJob, { retry }: QueueDefinition, orphaned = false): void {
    const failures = waiting.failures + 1
    if (failures > retry.limit) this.stored.dead.push(waiting)
    else {
      const pauseMs = orphaned ? 0 : retry.backoffSeconds * 2 ** waiting.failures * 1_000
      this.stored.waiting.push({ ...waiting, failures, notBefore: this.#nowMs() + pauseMs })
    }
  }

  /** Time of the next retry. */
  nextRetryMs(): number | undefined {
    const later = this.stored.waiting.map(({ notBefore }) => notBefore).filter((at) => at > this.#nowMs())
    return later.length === 0 ? undefined : Math.min(...later)
  }

  async requeueOrphanedJobs(): Promise<void> {}
  async sendAndWait(): Promise<void> {
    throw new Error('nobody waits for a job in the simulation')
  }
  async depths(): Promise<[]> {
    return []
  }
  async stop(): Promise<void> {}
  async [Symbol.asyncDispose](): Promise<void> {}
}
