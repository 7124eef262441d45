/** Synthetic data in the database: whether they may be made, when they ended, and how they are removed. The rule is in sql/objects/sample_data.sql. */
import type { Sql } from './database.ts'

export interface SampleData {
  /** Unless SAMPLE_DATA is off, as long as no value of a publisher is stored. */
  enabled(): Promise<boolean>
  /** The first price or offer of a publisher, with which all synthetic values went; undefined before that. */
  end(): Promise<SampleDataEnd | undefined>
  /** Removes every synthetic value and what was made from them; tells how many prices that were. */
  remove(): Promise<number>
}

export interface SampleDataEnd {
  at: Temporal.Instant
  removedPrices: number
}

export function sampleData(setting: 'auto' | 'off', { sql, read }: { sql: Sql; read: Sql }): SampleData {
  /** They never come back, so this is asked for until it is known. */
  let known: SampleDataEnd | undefined
  const endOn = async (connection: Sql) => {
    const [end] = await connection<SampleDataEnd[]>`
      select ended_at as at, removed_prices as "removedPrices" from sample_data where ended_at is not null`
    return end
  }
  return {
    enabled: async () => setting !== 'off' && (await endOn(sql)) === undefined,
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
