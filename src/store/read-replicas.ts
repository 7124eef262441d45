/**
 * Spreads reads over replicas. A request reads from one of them, as long as it has the data version that this process answers from. A
 * replica that is behind or does not respond is skipped; if none is left, the primary is read.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { currentRequestId } from '../platform/request-id.ts'
import type { Sql } from './connect-sql.ts'
import type { DataVersion } from './data-version.ts'

/** Polling interval of a replica's version, and the interval while it is behind. */
const POLL_INTERVAL_MS = 1_000
const LAGGING_POLL_INTERVAL_MS = 20
/** A replica that has not responded for this long is skipped. */
const UNRESPONSIVE_AFTER_MS = 3_000

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

  /** Runs each query on the server chosen at that moment. */
  get sql(): Sql {
    return new Proxy(this.#primary, {
      apply: (_primary, self, parameters) => Reflect.apply(this.#choose(), self, parameters),
      get: (_primary, name) => Reflect.get(this.#choose(), name),
    })
  }

  /** Polls the replicas' data versions until the signal aborts. */
  follow(
    version: Pick<DataVersion, 'current'>,
    { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
  ): void {
    this.#currentVersion = version.current
    for (const replica of this.#replicas) void this.#followOne(replica, signal, onError)
  }

  /** Chooses the same server for all queries of a request, so that a later query does not see less than an earlier one. */
  #choose(): Sql {
    const count = this.#replicas.length
    const start = numberOf(currentRequestId()) ?? this.#turn++
    for (let i = 0; i < count; i++) {
      const replica = this.#replicas[(start + i) % count] as Replica
      if (replica.version >= this.#currentVersion() && performance.now() - replica.answeredAtMs < UNRESPONSIVE_AFTER_MS)
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
      await this.#waitUntilDue(replica, signal)
    }
  }

  /** Waits a second, or less if a new version appears that the replica may not have yet. */
  async #waitUntilDue(replica: Replica, signal: AbortSignal): Promise<void> {
    const until = performance.now() + POLL_INTERVAL_MS
    const isBehind = () => replica.version >= 0 && replica.version < this.#currentVersion()
    do {
      await sleep(LAGGING_POLL_INTERVAL_MS, undefined, { ref: false })
    } while (!signal.aborted && !isBehind() && performance.now() < until)
  }
}

/** Hashes a request's id, so that requests are spread evenly. */
function numberOf(id: string | undefined): number | undefined {
  if (id === undefined) return undefined
  let sum = 0
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) >>> 0
  return sum
}
