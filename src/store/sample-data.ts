/** Synthetic data in the database: whether this deployment runs on them, and how they are removed. */
import { sampleSource } from '../publishers/sample/index.ts'
import { raiseDataVersion } from './data-version.ts'
import type { Sql, Transaction } from './database.ts'

export interface SampleData {
  /** SAMPLE_DATA; under `auto` only as long as nothing real has been read. */
  enabled(): Promise<boolean>
  /** Removes every synthetic value, with its revisions and documents; tells how many current values that were. */
  remove(): Promise<number>
}

export function sampleData(setting: 'auto' | 'on' | 'off', sql: Sql): SampleData {
  const id = sampleSource.id
  return {
    async enabled() {
      if (setting !== 'auto') return setting === 'on'
      const [row] = await sql<{ real: boolean }[]>`select exists (select from documents where source <> ${id}) as real`
      return row?.real !== true
    },

    async remove() {
      const [row] = await sql<
        { present: boolean }[]
      >`select exists (select from documents where source = ${id}) as present`
      if (row?.present !== true) return 0
      return sql.begin(async (tx: Transaction) => {
        // Years of them may be packed, more than a transaction may unpack by default.
        await tx`set local timescaledb.max_tuples_decompressed_per_dml_transaction = 0`
        await tx`delete from price_interval_revisions where source = ${id}`
        await tx`delete from daily_price_revisions where source = ${id}`
        const intervals = await tx`delete from price_intervals where source = ${id}`
        const days = await tx`delete from daily_prices where source = ${id}`
        await tx`delete from offers where source = ${id}`
        await tx`delete from offer_revisions where source = ${id}`
        await tx`delete from offer_days where source = ${id}`
        await tx`delete from documents where source = ${id}`
        await raiseDataVersion(tx)
        return intervals.count + days.count
      })
    },
  }
}
