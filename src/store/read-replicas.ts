/**
 * Reads spread over replicas. A request reads on one of them, as long as it holds the data version that this process answers from; one that
 * is behind, or silent, is passed over, and where none is left the primary is read.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { currentRequestId } from '../platform/request-id.ts'
import type { Sql } from './connect-sql.ts'
import type { DataVersion } from './data-version.ts'

/** How often a replica's version is read: usually, and while it is behind. */
const ASK_EVERY_MS = 1_000
const ASK_BEHIND_EVERY_MS = 20
/** A replica that has not answered for so long is passed over. */
const SILENT_MS = 3_000

interface Replica {
  sql: Sql
  version: number
  answeredAtMs: number
}

export class ReadReplicas {
  readonly #primary: Sql
  readonly #replicas: readonly Replica[]
  /** The version that each query must see; until it is known, the primary is read. */
  #currentVersion: () => number = () => Number.POSITIVE_INFINITY
  #turn = 0

  constructor(primary: Sql, replicas: readonly Sql[]) {
    this.#primary = primary
    this.#replicas = replicas.map((sql) => ({ sql, version: -1, answeredAtMs: Number.NEGATIVE_INFINITY }))
  }

  /** Runs each query on the server that is right at that time. */
  get sql(): Sql {
    return new Proxy(this.#primary, {
      apply: (_primary, self, parameters) => Reflect.apply(this.#choose(), self, parameters),
      get: (_primary, name) => Reflect.get(this.#choose(), name),
    })
  }

  /** Follows how far the replicas are until the signal aborts. */
  follow(
    version: Pick<DataVersion, 'current'>,
    { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
  ): void {
    this.#currentVersion = version.current
    for (const replica of this.#replicas) void this.#followOne(replica, signal, onError)
  }

  /** All queries of a request on the same, so that a later one does not see less than an earlier one. */
  #choose(): Sql {
    const count = this.#replicas.length
    const start = numberOf(currentRequestId()) ?? this.#turn++
    for (let i = 0; i < count; i++) {
      const replica = this.#replicas[(start + i) % count] as Replica
      if (replica.version >= this.#currentVersion() && performance.now() - replica.answeredAtMs < SILENT_MS)
        return replica.sql
    }
    return this.#primary
  }

  async #followOne(replica: Replica, signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    while (!signal.aborted) {
      try {
        const [row] = await replica.sql<{ version: number }[]>`select version from data_version`
        replica.version = row?.version ?? -1
        replica.answeredAtMs = performance.now()
      } catch (err) {
        replica.version = -1
        if (!signal.aborted) onError(err)
      }
      await this.#untilDue(replica, signal)
    }
  }

  /** A second, or less when a new version appears that it may be behind. */
  async #untilDue(replica: Replica, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ASK_EVERY_MS
    const isBehind = () => replica.version >= 0 && replica.version < this.#currentVersion()
    do {
      await sleep(ASK_BEHIND_EVERY_MS, undefined, { ref: false })
    } while (!signal.aborted && !isBehind() && performance.now() < until)
  }
}

/** Requests with different ids are spread evenly. */
function numberOf(id: string | undefined): number | undefined {
  if (id === undefined) return undefined
  let sum = 0
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) >>> 0
  return sum
}
