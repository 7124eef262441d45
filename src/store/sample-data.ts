/** Synthetic data in the database: whether they may be made, when they ended, and how they are removed (rule: sql/objects/sample_data.sql). */
import type { Sql } from './database.ts'
import { withSessionLock } from './session-lock.ts'

export interface SampleData {
  /** True until a value of a publisher is stored, unless SAMPLE_DATA is off. */
  enabled(): Promise<boolean>
  /**
   * Runs `publish` in one process at a time; others wait. Of two that fill a database together, each would store days that the other has
   * already corrected, and correct them again.
   */
  publishAlone(publish: () => Promise<void>): Promise<void>
  /** Returns when the first price or offer of a publisher removed all synthetic values; undefined before that. */
  end(): Promise<SampleDataEnd | undefined>
  /** Removes every synthetic value and everything derived from them; returns the number of prices. */
  remove(): Promise<number>
}

export interface SampleDataEnd {
  at: Temporal.Instant
  removedPrices: number
}

export function sampleData(setting: 'auto' | 'off', { sql, read }: { sql: Sql; read: Sql }): SampleData {
  /** Synthetic data never come back, so their end is cached once known. */
  let known: SampleDataEnd | undefined
  const endOn = async (connection: Sql) => {
    const [end] = await connection<SampleDataEnd[]>`
      select ended_at as at, removed_prices as "removedPrices" from sample_data where ended_at is not null`
    return end
  }
  return {
    enabled: async () => setting !== 'off' && (await endOn(sql)) === undefined,
    publishAlone: (publish) => withSessionLock(sql, 'publish_sample', publish),
    async end() {
      known ??= await endOn(read)
      return known
    },
    async remove() {
      const [row] = await sql<{ removed: number }[]>`select remove_sample_data() as removed`
      return row?.removed ?? 0
    },
  }
}
