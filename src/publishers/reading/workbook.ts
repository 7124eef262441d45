/**
 * Reads the cells of spreadsheets, XLSX and the older XLS, with SheetJS. It loads a workbook whole, so the caller must limit its size
 * first (`src/ingest/archives.ts`). On some damaged XLS files it never returns, so it runs in a thread that can be terminated.
 */
import { Worker } from 'node:worker_threads'
import { UnreadableDocument } from '../faults.ts'

/** A year of auctions takes a fifth of a second. */
const READING_MS_MAX = 20_000
const MEMORY_MB_MAX = 512

export interface Sheet {
  name: string
  rows: SheetRow[]
}

export interface SheetRow {
  /** Number of the row from 1, as a spreadsheet shows it. */
  number: number
  /** Strings and numbers by column from 0; dates are numbers, see `dayOfSerial`. Empty cells, errors and booleans are absent. */
  cells: ReadonlyMap<number, string | number>
}

/** The thread's reply. */
export type WorkbookReply = { sheets: Sheet[] } | { refusal: string }

/** Returns the sheets of a workbook. Fails with UnreadableDocument if the bytes are not a sound workbook. */
export async function readWorkbook(bytes: Uint8Array, readingMsMax = READING_MS_MAX): Promise<Sheet[]> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkbookReply>()
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
  })
  worker.once('message', resolve)
  worker.once('error', (err: NodeJS.ErrnoException) => {
    if (err.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ refusal: `takes more than ${MEMORY_MB_MAX} MB to read` })
    else reject(err)
  })
  const timer = setTimeout(() => resolve({ refusal: 'not a sound workbook (reading it does not end)' }), readingMsMax)
  try {
    const reply = await promise
    if ('refusal' in reply) throw new UnreadableDocument('workbook', reply.refusal)
    return reply.sheets
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

const SERIAL_ZERO = Temporal.PlainDate.from('1899-12-30')
const SERIAL_OF_1990 = SERIAL_ZERO.until('1990-01-01').days
const SERIAL_OF_2200 = SERIAL_ZERO.until('2200-01-01').days

/** Converts a date cell: days since 1899-12-30, with the time of day as fraction. Undefined before 1990 and after 2199. */
export function dayOfSerial(serial: number): Temporal.PlainDate | undefined {
  const days = Math.floor(serial)
  return days >= SERIAL_OF_1990 && days < SERIAL_OF_2200 ? SERIAL_ZERO.add({ days }) : undefined
}
