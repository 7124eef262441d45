/** Rows of the forecast ledger from a Parquet file of the bulk exports, a row group at a time. */
import { openAsBlob } from 'node:fs'
import { tableFromIPC } from 'apache-arrow'
import { ParquetFile, type RecordBatch } from 'parquet-wasm'
import type { LedgerRow } from '../../market/ledger.ts'
import { forecastHistory } from './datasets/forecasts.ts'
import { parseLedgerRow } from './ledger-csv.ts'

const TEXT_OF: Record<string, (value: number) => string> = {
  date: (ms) => instantOf(ms).slice(0, 'YYYY-MM-DD'.length),
  instant: instantOf,
}

/** @throws RangeError naming the column that is missing */
export async function* readParquetLedger(file: string): AsyncGenerator<LedgerRow> {
  const parquet = await ParquetFile.fromFile(await openAsBlob(file))
  for await (const batch of (await parquet.stream({ concurrency: 1 })) as unknown as AsyncIterable<RecordBatch>) {
    const table = tableFromIPC(batch.intoIPCStream())
    for (let i = 0; i < table.numRows; i++) {
      const cells = forecastHistory.columns.map(({ name, type }) => {
        const value: unknown = table.getChild(name)?.get(i)
        return [name, value == null ? undefined : (TEXT_OF[type] ?? String)(value as never)]
      })
      yield parseLedgerRow(Object.fromEntries(cells))
    }
  }
}

function instantOf(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString()
}
