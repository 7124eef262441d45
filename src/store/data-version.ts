/**
 * Two numbers that grow: one whenever an ingest or a refresh changed what answers depend on, one whenever a key was created, changed
 * or revoked. Caches are keyed by them: the process that wrote sees the new number at once, every other within the polling
 * interval. Where processes share the store of their limits, the count of a request also brings the newest number that any of them
 * has answered from (src/api/access/limits-store.ts), so nobody who has seen a version is answered from an older one.
 */
import type { Sql, Transaction } from './connect-sql.ts'

export interface DataVersion {
  /** The last number of the data seen; never waits. */
  current(): number
  /** The last number of the keys seen, and how long ago it was read. */
  keys(): { number: number; ageMs: number }
  /** A number that others have seen already: it is not gone behind. */
  advance(data: number): void
  /** Announces a new number to other processes before it becomes current in this one. */
  announceBy(tell: (data: number) => Promise<void>): Promise<void>
  /** Reads it now, after a change made by this process. */
  refresh(): Promise<number>
  /** Follows the changes of other processes until the signal aborts. */
  follow(options: { everyMs: number; signal: AbortSignal; onError: (error: unknown) => void }): void
}

export function dataVersion(sql: Sql): DataVersion {
  let seen = { data: 0, keys: 0 }
  let readAtMs = Number.NEGATIVE_INFINITY
  let announce = async (_data: number) => {}
  const refresh = async () => {
    const askedAtMs = performance.now()
    const [row] = await sql<{ data: number; keys: number }[]>`
      select (select version from data_version) as data, (select version from key_version) as keys`
    if (row !== undefined) {
      if (row.data > seen.data) await announce(row.data)
      seen = { data: Math.max(row.data, seen.data), keys: row.keys }
      readAtMs = askedAtMs
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
export async function raiseDataVersion(sql: Sql | Transaction): Promise<void> {
  await sql`update data_version set version = version + 1`
}
