/**
 * Two version numbers that only grow: the data version, raised when an ingest or a refresh has changed what answers depend on, and the key
 * version, raised when a key is created, changed or revoked. Caches are keyed by them. The process that wrote sees the new number at once,
 * every other one within the polling interval. If processes share a limits store, counting a request also returns the newest data version
 * that any of them has answered from (src/api/access/limits-store.ts), so a client that has seen a version never gets an older one.
 */
import type { Sql, Transaction } from './connect-sql.ts'

export interface DataVersion {
  /** Returns the last data version seen, without waiting. */
  current(): number
  /** Returns the last key version seen, and how long ago it was read. */
  keys(): { number: number; ageMs: number }
  /** Adopts a data version that other processes have already seen; ignores an older one. */
  advance(data: number): void
  /** Sets how a new data version is announced to other processes before it becomes current in this one. */
  announceBy(tell: (data: number) => Promise<void>): Promise<void>
  /** Reads both versions now, after a change made by this process. */
  refresh(): Promise<number>
  /** Polls for changes made by other processes until the signal aborts. */
  follow(options: { everyMs: number; signal: AbortSignal; onError: (error: unknown) => void }): void
}

export function dataVersion(sql: Sql): DataVersion {
  let seen = { data: 0, keys: 0 }
  let readAtMs = Number.NEGATIVE_INFINITY
  let announce = async (_data: number) => {}
  const refresh = async () => {
    const queriedAtMs = performance.now()
    const [row] = await sql<{ data: number; keys: number }[]>`
      select (select version from data_version) as data, (select version from key_version) as keys`
    if (row !== undefined) {
      if (row.data > seen.data) await announce(row.data)
      seen = { data: Math.max(row.data, seen.data), keys: Math.max(row.keys, seen.keys) }
      readAtMs = queriedAtMs
    }
    return seen.data
  }
  return {
    current: () => seen.data,
    keys: () => ({ number: seen.keys, ageMs: performance.now() - readAtMs }),
    advance(data) {
      if (data > seen.data) seen = { ...seen, data }
    },
    announceBy(tell) {
      announce = tell
      return tell(seen.data)
    },
    refresh,
    follow({ everyMs, signal, onError }) {
      const poll = () => {
        refresh()
          .catch(onError)
          .finally(() => {
            if (!signal.aborted) timer = setTimeout(poll, everyMs)
          })
      }
      let timer = setTimeout(poll, everyMs)
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    },
  }
}

/** Invalidates every cached answer. */
export async function incrementDataVersion(sql: Sql | Transaction): Promise<void> {
  await sql`update data_version set version = version + 1`
}
