/**
 * A number that grows whenever an ingest or a refresh changed what answers depend on. Answers are cached under it: the process that
 * wrote sees the new number at once, every other within the polling interval.
 */
import type { Sql } from './database.ts'

export interface DataVersion {
  /** The last number seen; never waits. */
  current(): number
  /** Reads it now, after a change made by this process. */
  refresh(): Promise<number>
  /** Follows the changes of other processes until the signal aborts. */
  follow(options: { everyMs: number; signal: AbortSignal; onError: (error: unknown) => void }): void
}

export function dataVersion(sql: Sql): DataVersion {
  let version = 0
  const refresh = async () => {
    const [row] = await sql<{ version: number }[]>`select version from data_version`
    version = row?.version ?? version
    return version
  }
  return {
    current: () => version,
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

/** Declares every cached answer stale. */
export async function raiseDataVersion(sql: Sql): Promise<void> {
  await sql`update data_version set version = version + 1`
}
