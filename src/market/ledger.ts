/**
 * The hash chain of forecasts, recomputed from its rows alone. The canonical text of a row is its fifteen fields joined by `|`:
 * chain, sequence, asset, role, model, version, issued_at, info_date, target_date, horizon_days, p10, p50, p90, inputs_sha256,
 * previous_hash. Instants are UTC to the second (`2026-11-21T12:02:11Z`), dates `YYYY-MM-DD`, prices have exactly four decimals. The
 * hash is the SHA-256 of that text in UTF-8, in hexadecimal; the first row's previous hash is 64 zeros. SQL makes the same text in
 * `forecast_ledger_line`.
 */
import { createHash } from 'node:crypto'
import { startOfMarketDay } from './market-day.ts'

export const FIRST_PREVIOUS_HASH = '0'.repeat(64)

/** A row as the chain sees it: text, except numbers. */
export interface LedgerRow {
  chain: string
  sequence: number
  asset: string
  role: string
  model: string
  version: string
  /** UTC to the second. */
  issuedAt: string
  infoDate: string
  targetDate: string
  horizonDays: number
  p10: number
  p50: number
  p90: number
  inputsSha256: string
  previousHash: string
  hash: string
}

/** Describes where a row differs from what was issued. */
interface LedgerFault {
  chain: string
  sequence: number
  problem: string
}

const PRICE_DECIMALS = 4

/** `issued|1|PUN|published|base|1|2026-11-21T12:02:11Z|2026-11-22|2026-11-23|1|96.4000|…`. */
function ledgerLine(row: LedgerRow): string {
  return [
    row.chain,
    row.sequence,
    row.asset,
    row.role,
    row.model,
    row.version,
    row.issuedAt,
    row.infoDate,
    row.targetDate,
    row.horizonDays,
    ...[row.p10, row.p50, row.p90].map((price) => price.toFixed(PRICE_DECIMALS)),
    row.inputsSha256,
    row.previousHash,
  ].join('|')
}

/** SHA-256 of the canonical text, in hexadecimal. */
export function ledgerHash(row: LedgerRow): string {
  return createHash('sha256').update(ledgerLine(row), 'utf8').digest('hex')
}

/** Checks rows one after the other, in the order of the chain; each chain is followed separately. */
export class LedgerVerifier {
  readonly #last = new Map<string, LedgerRow>()
  readonly #isWhole: boolean

  /** `isWhole`: the rows are complete chains from their first row on, not a selection of rows. */
  constructor({ isWhole }: { isWhole: boolean }) {
    this.#isWhole = isWhole
  }

  /** The first thing that is wrong with the row, undefined where nothing is. */
  check(row: LedgerRow): LedgerFault | undefined {
    const before = this.#last.get(row.chain)
    this.#last.set(row.chain, row)
    const problem = contentProblem(row) ?? (this.#isWhole ? linkProblem(row, before) : undefined)
    return problem === undefined ? undefined : { chain: row.chain, sequence: row.sequence, problem }
  }

  /** The last row of each chain. */
  heads(): LedgerRow[] {
    return [...this.#last.values()]
  }
}

function contentProblem(row: LedgerRow): string | undefined {
  if (ledgerHash(row) !== row.hash) return `its content does not give its hash ${row.hash}`
  const beginning = startOfMarketDay(Temporal.PlainDate.from(row.targetDate))
  if (Temporal.Instant.compare(Temporal.Instant.from(row.issuedAt), beginning) < 0) return undefined
  return `it was issued at ${row.issuedAt}, not before its day ${row.targetDate}`
}

function linkProblem(row: LedgerRow, before: LedgerRow | undefined): string | undefined {
  const expected = (before?.sequence ?? 0) + 1
  if (row.sequence !== expected) return `row ${expected} is missing before it`
  const previous = before?.hash ?? FIRST_PREVIOUS_HASH
  if (row.previousHash === previous) return undefined
  return `it follows the hash ${row.previousHash}, but the row before it has ${previous}`
}
