/** The database connection of a job, which breaks once, at a statement or commit chosen by the history. */
import type { Sql } from '../../src/store/database.ts'
import type { CRASHES } from './history.ts'

export type CrashKind = (typeof CRASHES)[number]

/** Days written by a committed transaction, such as `nord 2026-10-25`. */
export interface CommittedDays {
  days: string[]
}

export class Crash {
  readonly how: CrashKind
  readonly #queue: string
  readonly #onKilled: () => void
  /** Runs the job once more, as another worker would. */
  runAgain: () => Promise<void> = async () => {}
  #remaining: number
  hasOccurred = false

  constructor({ how, queue, statement }: { how: CrashKind; queue: string; statement: number }, onKilled: () => void) {
    this.how = how
    this.#queue = queue
    this.#remaining = statement
    this.#onKilled = onKilled
  }

  appliesTo(queue: string): boolean {
    return queue.includes(this.#queue)
  }

  /** Counts down; whether this is the chosen statement. */
  #isDue(): boolean {
    this.#remaining -= 1
    return this.#remaining <= 0 && !this.hasOccurred
  }

  beforeStatement(): void {
    const isDead = this.hasOccurred && this.how === 'killed'
    const isNow = ['statement-lost', 'killed', 'disk-full'].includes(this.how) && this.#isDue()
    if (!isDead && !isNow) return
    if (isNow && this.how === 'killed') this.#onKilled()
    this.hasOccurred = true
    throw this.how === 'disk-full' ? diskFullError() : connectionLostError()
  }

  /** Called before a transaction, or a statement outside one, because the embedded engine runs transactions one after another. */
  async betweenTransactions(): Promise<void> {
    if (this.how !== 'lease-passed' || !this.#isDue()) return
    this.hasOccurred = true
    await this.runAgain()
  }

  /** Whether to lose this answer. Only answers with rows qualify, such as those of a claim or a write. */
  isAnswerLost(answer: unknown): boolean {
    const isEmpty = Array.isArray(answer) && answer.length === 0
    if (this.how !== 'answer-lost' || isEmpty || !this.#isDue()) return false
    this.hasOccurred = true
    return true
  }

  atCommit(when: 'before-commit' | 'after-commit'): void {
    if (this.hasOccurred && this.how === 'killed' && when === 'before-commit') throw connectionLostError()
    if (this.how !== when) return
    this.#remaining -= 10 // a commit is as likely as a statement
    if (this.#remaining > 0 || this.hasOccurred) return
    this.hasOccurred = true
    throw connectionLostError()
  }
}

export class ConnectionLost extends Error {
  readonly code = 'CONNECTION_CLOSED'
}

function diskFullError(): Error {
  return Object.assign(new Error('could not extend file: No space left on device (simulated)'), { code: '53100' })
}

function connectionLostError(): ConnectionLost {
  return new ConnectionLost('write CONNECTION_CLOSED (simulated)')
}

const STORE_CALL = /store_(?:zone_days|daily_prices)/

/** Wraps a connection; `record` receives the days of each committed transaction. */
export function crashingSql(sql: Sql, crash: Crash | undefined, record: (committed: CommittedDays) => void): Sql {
  const wrap = (target: object, stored: string[], isTransaction = true): unknown =>
    new Proxy(target, {
      apply(call, self, args: unknown[]) {
        const [first] = args
        if (!Array.isArray(first) || !('raw' in first)) return Reflect.apply(call as never, self, args)
        if (STORE_CALL.test(first.join(''))) {
          const [names, days] = args.slice(1) as [string[], string[]]
          stored.push(...names.map((name, i) => `${name} ${days[i]}`))
        }
        return statement(() => Reflect.apply(call as never, self, args), isTransaction)
      },
      get(from, name) {
        const value = Reflect.get(from, name)
        if (name === 'begin') return begin
        if (name === 'unsafe')
          return (...args: unknown[]) => statement(() => Reflect.apply(value, from, args), isTransaction)
        if (name === 'reserve') return async () => wrap(await Reflect.apply(value, from, []), stored)
        return typeof value === 'function' ? value.bind(from) : value
      },
    })

  /** Statements are lazy, so one that is only a fragment of another is passed on unchanged. */
  function statement(make: () => unknown, isInTransaction: boolean): unknown {
    const query = make() as { then: unknown; execute?: unknown }
    if (crash === undefined) return query
    const run = query.then as (...args: unknown[]) => Promise<unknown>
    let started: Promise<unknown> | undefined
    const execute = () =>
      (started ??= (async () => {
        crash.beforeStatement()
        if (!isInTransaction) await crash.betweenTransactions()
        const answer = await new Promise((resolve, reject) => run.call(query, resolve, reject))
        if (crash.isAnswerLost(answer)) throw connectionLostError()
        return answer
      })())
    // biome-ignore lint/suspicious/noThenProperty: a statement of the driver is thenable, and nested ones are recognised by their class
    query.then = (...args: never[]) => execute().then(...args)
    return query
  }

  async function begin(...args: unknown[]): Promise<unknown> {
    const work = args.at(-1) as (tx: unknown) => Promise<unknown>
    const stored: string[] = []
    await crash?.betweenTransactions()
    const answer = await Reflect.apply(sql.begin as never, sql, [
      ...args.slice(0, -1),
      async (tx: object) => {
        const result = await work(wrap(tx, stored))
        crash?.atCommit('before-commit')
        return result
      },
    ])
    record({ days: stored })
    crash?.atCommit('after-commit')
    return answer
  }

  return wrap(sql, [], false) as Sql
}
