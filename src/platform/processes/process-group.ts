/**
 * Processes of this program that share its port (Node's cluster): started, replaced when they end, and restarted one after another. The
 * primary process distributes connections and serves nothing itself; a connection that a stopping process has not accepted goes to another.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.ts'

const REPLACE_FIRST_MS = 100
const REPLACE_MAX_MS = 10_000

/** The process has logged the reason itself. */
export class ProcessEnded extends Error {
  override name = 'ProcessEnded'
}

/** Sent by a process once it is ready. */
interface Ready {
  isReady: true
  url: string | undefined
}

export interface Member {
  /** Environment variables in addition to those of this process. */
  env: Record<string, string>
  /** Whether two of it must never run at once, not even during a replacement. */
  isSingle: boolean
}

export class ProcessGroup {
  readonly #log: Logger
  readonly #members: readonly Member[]
  readonly #processes = new Map<Member, Worker>()
  #restarting: Promise<void> | undefined
  #isStopping = false

  constructor(members: readonly Member[], log: Logger) {
    cluster.setupPrimary({ serialization: 'advanced' })
    this.#members = members
    this.#log = log
  }

  /** The processes in the order of the members. */
  get processes(): Worker[] {
    return this.#members.flatMap((member) => this.#processes.get(member) ?? [])
  }

  /** Starts the first alone, since it may migrate the database, then the others. Resolves with their URL; rejects if one ends. */
  async start(): Promise<string | undefined> {
    const [first, ...others] = this.#members
    if (first === undefined) throw new Error('a group without processes')
    const url = await this.#launch(first)
    if (this.#isStopping) return url
    await Promise.all(others.map((member) => this.#launch(member)))
    return url
  }

  /** Replaces each process by a new one. If one does not start, the restart ends and the existing processes keep running. */
  restart(): Promise<void> {
    this.#restarting ??= this.#restartEach().finally(() => {
      this.#restarting = undefined
    })
    return this.#restarting
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(Object.values(cluster.workers ?? {}).map((process) => process && end(process)))
  }

  async #restartEach(): Promise<void> {
    for (const member of this.#members) {
      const before = this.#processes.get(member)
      if (this.#isStopping || before === undefined) continue
      if (member.isSingle) {
        this.#processes.delete(member)
        await end(before)
        await this.#replace(member)
        continue
      }
      await this.#launch(member)
      await end(before)
    }
  }

  /** Resolves once the new process is ready and has become the member's process. */
  async #launch(member: Member): Promise<string | undefined> {
    const process = cluster.fork(member.env)
    const url = await waitUntilReady(process)
    this.#processes.set(member, process)
    process.once('exit', (code, signal) => {
      if (this.#processes.get(member) !== process || this.#isStopping) return
      this.#processes.delete(member)
      this.#log.error({ pid: process.process.pid, code, signal }, 'a process ended and is replaced')
      void this.#replace(member)
    })
    return url
  }

  async #replace(member: Member): Promise<void> {
    for (let attempt = 0; !this.#isStopping; attempt++) {
      try {
        await this.#launch(member)
        return
      } catch (err) {
        if (!this.#isStopping) this.#log.error({ err }, 'a process could not be started, and is tried again')
      }
      await sleep(Math.min(REPLACE_FIRST_MS * 2 ** attempt, REPLACE_MAX_MS), undefined, { ref: false })
    }
  }
}

/** Whether this process is a member of a group. */
export function isGroupMember(): boolean {
  return cluster.isWorker
}

/** Reports that this process is ready, if it is a member of a group. */
export function reportReady(url: string | undefined): void {
  cluster.worker?.send({ isReady: true, url } satisfies Ready)
}

function waitUntilReady(process: Worker): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    process.on('message', (message: Partial<Ready>) => {
      if (message.isReady) resolve(message.url)
    })
    process.once('error', reject)
    process.once('exit', (code, signal) =>
      reject(new ProcessEnded(`A process of the service ended (${signal ?? code}) before it was ready.`)),
    )
  })
}

async function end(process: Worker): Promise<void> {
  if (process.isDead()) return
  const exited = once(process, 'exit')
  process.process.kill('SIGTERM')
  await exited
}
