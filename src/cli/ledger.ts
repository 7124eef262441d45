/** `npm run ledger -- verify|export`: recomputes the hash chain of forecasts, from the database or from a file of its rows. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import {
  isCompleteLedger,
  isReplay,
  LEDGER_COLUMNS,
  ledgerCsvLine,
  parseLedgerRow,
} from '../delivery/bulk/ledger-csv.ts'
import { listSavedHeads } from '../delivery/bulk/ledger-heads.ts'
import { readParquetLedger } from '../delivery/bulk/ledger-of-parquet.ts'
import { openFileStore } from '../delivery/bulk/open-file-store.ts'
import { counted } from '../market/counted.ts'
import { type AnyLedgerRow, chainName, type LedgerRow, LedgerVerifier, type SavedHead } from '../market/ledger.ts'
import { readConfig } from '../service/config/config.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import { connectDatabase, type Sql } from '../store/database.ts'
import { allLedgerRows, ledgerRows } from '../store/forecast-ledger.ts'
import { refuseToOverwrite, runCommand, UsageError } from './command.ts'
import { print, printError } from './print.ts'

const USAGE = `usage:
  npm run ledger -- verify                   the chains in the database, of days and of hours, and their heads in the file store
  npm run ledger -- verify <file.csv[.gz]>   whole chains, or a track record, from a file
  npm run ledger -- verify <file.parquet>    whole chains, from the bulk export forecast-history
  npm run ledger -- export <file.csv>        writes the chains of days as a file that anybody can verify
  --head <hash>                              with verify: a hash that you noted must be that of a row; may be repeated`

/** Maximum number of faults that are listed. */
const FAULTS_SHOWN_MAX = 20

interface Rows {
  rows: AsyncIterable<AnyLedgerRow>
  /** Whether the rows are whole chains with links that can be checked, not a selection. */
  isWhole: boolean
  /** Heads saved in the store of the bulk files. */
  kept?: readonly SavedHead[]
}

await runCommand(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { head: { type: 'string', multiple: true, default: [] } },
  })
  const noted = values.head.map(hashOf)
  const [verb, file, ...rest] = positionals
  if (rest.length > 0 || (verb !== 'verify' && noted.length > 0)) throw new UsageError(USAGE)
  if (verb === 'verify' && file !== undefined) return await verify(await rowsOfFile(file), noted)
  if (verb === 'verify') return await verifyDatabase(noted)
  if (verb === 'export' && file !== undefined) return await exportTo(file)
  throw new UsageError(USAGE)
}, USAGE)

function hashOf(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new UsageError(`--head must be a hash of 64 hexadecimal digits (got ${text})`)
}

/** Reads the heads first, so that the row of every head is read afterwards. */
async function verifyDatabase(noted: readonly string[]): Promise<number> {
  using store = await openFileStore(readConfig(process.env).bulk)
  const kept = await listSavedHeads(store)
  return await withDatabase((sql) => verify({ rows: allLedgerRows(sql), isWhole: true, kept }, noted))
}

async function withDatabase<T>(use: (sql: Sql) => Promise<T>): Promise<T> {
  const location = await openOrJoinDatabase(readConfig({ LOG_LEVEL: 'warn', ...process.env }))
  await using stack = new AsyncDisposableStack()
  if (location.engine !== undefined) stack.use(location.engine)
  const database = stack.use(connectDatabase(location))
  return await use(database.sql)
}

/** Accepts `,` or `;` as the separator: numbers have a decimal comma only with `;`. */
async function rowsOfFile(file: string): Promise<Rows> {
  if (file.endsWith('.parquet')) return { rows: readingOf(file, readParquetLedger(file)), isWhole: true }
  const [text = ''] = await Array.fromAsync(readingOf<string>(file, textOf(file).setEncoding('utf8').take(1)))
  const [header = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)
  const delimiter = header.includes(';') ? ';' : ','
  const columns = header.split(delimiter)
  const isWhole = isCompleteLedger(columns)
  const missing = LEDGER_COLUMNS.find((column) => column !== 'role' && !columns.includes(column))
  if (missing !== undefined) throw new UsageError(`${file} is not a ledger: it has no column ${missing}`)
  const records = pipeline(textOf(file), parse({ columns: true, bom: true, delimiter }), ignoreError)
  return { rows: readingOf(file, checkedRows(records)), isWhole }
}

function textOf(file: string): Readable {
  const bytes = createReadStream(file)
  return file.endsWith('.gz') ? pipeline(bytes, createGunzip(), ignoreError) : bytes
}

/** For a pipeline whose reader gets the error. */
function ignoreError(): void {}

/** Passes rows on; names the file in an error of reading them. */
async function* readingOf<Row>(file: string, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  try {
    yield* rows
  } catch (err) {
    if (err instanceof Error && 'path' in err) throw err
    throw new UsageError(`${file}: ${err instanceof Error ? err.message : err}`)
  }
}

async function* checkedRows(records: AsyncIterable<Record<string, string>>): AsyncGenerator<LedgerRow> {
  let line = 1
  for await (const record of records) {
    line += 1
    if (isReplay(record)) continue
    try {
      yield parseLedgerRow(record)
    } catch (err) {
      throw new UsageError(`line ${line}: ${err instanceof Error ? err.message : err}`)
    }
  }
}

/** Prints the rows that differ from what was issued. Returns exit code 0 if there are none, otherwise 1. */
async function verify({ rows, isWhole, kept }: Rows, noted: readonly string[]): Promise<number> {
  const verifier = new LedgerVerifier({ isWhole, kept: kept ?? [] })
  const unseen = new Set(noted)
  let [checked, faults] = [0, 0]
  const report = (problem: string) => {
    faults += 1
    if (faults <= FAULTS_SHOWN_MAX) printError(problem)
  }
  for await (const row of rows) {
    checked += 1
    const fault = verifier.check(row)
    if (fault !== undefined) report(`${fault.chain} row ${fault.sequence}: ${fault.problem}`)
    if (unseen.delete(row.hash)) print(`${row.hash}: ${chainName(row)} row ${row.sequence}`)
  }
  for (const { chain, sequence, problem } of verifier.missing()) report(`${chain} row ${sequence}: ${problem}`)
  for (const hash of unseen) report(`no row has the hash ${hash}: the row that had it was changed or removed`)
  if (faults > FAULTS_SHOWN_MAX) printError(`… and ${faults - FAULTS_SHOWN_MAX} more`)
  for (const row of verifier.heads()) print(`${chainName(row)}: last row ${row.sequence}, hash ${row.hash}`)
  if (kept !== undefined) print(`compared with ${counted(kept.length, 'head')} kept in the file store`)
  const scope = isWhole ? 'content and links' : 'content; a selection of rows has no links'
  print(`${counted(checked, 'row')} checked (${scope}): ${faults === 0 ? 'all as issued' : `${faults} not as issued`}`)
  return faults === 0 ? 0 : 1
}

async function exportTo(path: string): Promise<number> {
  await refuseToOverwrite(path)
  await using file = await open(path, 'wx')
  let count = 0
  await file.write(`${LEDGER_COLUMNS.join(',')}\n`)
  await withDatabase(async (sql) => {
    for await (const row of ledgerRows(sql)) {
      await file.write(ledgerCsvLine(row))
      count += 1
    }
  })
  print(`${counted(count, 'row')} written`)
  return 0
}
