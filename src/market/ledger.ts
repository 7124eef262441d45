/**
 * The hash chain of forecasts, recomputed from its rows alone. The canonical text of a row is its fifteen fields joined by `|`:
 * chain, sequence, asset, role, model, version, issued_at, info_date, target_date, horizon_days, p10, p50, p90, inputs_sha256,
 * previous_hash. Instants are UTC to the second (`2026-11-21T12:02:11Z`), dates `YYYY-MM-DD`, prices have exactly four decimals. The
 * hash is the SHA-256 of that text in UTF-8, in hexadecimal; the first row's previous hash is 64 zeros. SQL builds the same text in
 * `forecast_ledger_line`. Hourly forecasts form separate chains: their text begins with `hours`, has zone, issue and inputs in addition to
 * other fields (`hourly_forecast_ledger_line`), and the prices of a day's hours are joined by `,`.
 */
import { createHash } from 'node:crypto'
import { startOfMarketDay } from './market-day.ts'

export const FIRST_PREVIOUS_HASH = '0'.repeat(64)

/** A row in the form that is hashed: all fields are text, except numbers. */
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

/** A day of a zone, with 23, 24 or 25 prices per quantile. */
export interface HourlyLedgerRow extends Omit<LedgerRow, 'asset' | 'p10' | 'p50' | 'p90'> {
  zone: string
  issue: string
  inputs: string
  p10: number[]
  p50: number[]
  p90: number[]
}

export type AnyLedgerRow = LedgerRow | HourlyLedgerRow

/** The last row of a chain at some point in time, kept outside the database. */
export interface SavedHead {
  /** `issued`, or `hours issued`. */
  chain: string
  sequence: number
  hash: string
  /** Hash of the chain's first row, or a prefix of it. */
  first: string
}

/** Describes where a row differs from what was issued. */
interface LedgerProblem {
  chain: string
  sequence: number
  problem: string
}

const PRICE_DECIMALS = 4

/** `issued|1|PUN|published|base|1|2026-11-21T12:02:11Z|2026-11-22|2026-11-23|1|96.4000|…`, `hours|issued|1|nord|published|evening|…`. */
function ledgerLine(row: AnyLedgerRow): string {
  const { chain, sequence, role, model, version, issuedAt, infoDate, targetDate, horizonDays } = row
  const day = [issuedAt, infoDate, targetDate, horizonDays]
  const end = [row.inputsSha256, row.previousHash]
  if (!('zone' in row)) {
    const prices = [row.p10, row.p50, row.p90].map(priceText)
    return [chain, sequence, row.asset, role, model, version, ...day, ...prices, ...end].join('|')
  }
  const prices = [row.p10, row.p50, row.p90].map((hours) => hours.map(priceText).join(','))
  const made = [row.zone, role, row.issue, model, version, row.inputs]
  return ['hours', chain, sequence, ...made, ...day, ...prices, ...end].join('|')
}

function priceText(price: number): string {
  return price.toFixed(PRICE_DECIMALS)
}

/** SHA-256 of the canonical text, in hexadecimal. */
export function ledgerHash(row: AnyLedgerRow): string {
  return createHash('sha256').update(ledgerLine(row), 'utf8').digest('hex')
}

/** `issued`, or `hours issued`. */
export function chainName(row: AnyLedgerRow): string {
  return 'zone' in row ? `hours ${row.chain}` : row.chain
}

/** Chains that are deleted with the sample data and may start over. */
const SAMPLE_CHAIN = /\bsample$/

/** Verifies rows one by one in chain order; each chain is tracked separately. */
export class LedgerVerifier {
  readonly #last = new Map<string, AnyLedgerRow>()
  readonly #isWhole: boolean
  /** By chain and position. */
  readonly #savedHeads: Map<string, Map<number, SavedHead>>

  /** `isWhole`: the rows are complete chains from their first row, not a selection. Pass `kept` heads only in that case. */
  constructor({ isWhole, kept = [] }: { isWhole: boolean; kept?: readonly SavedHead[] }) {
    this.#isWhole = isWhole
    const byChain = [...Map.groupBy(kept, ({ chain }) => chain)]
    this.#savedHeads = new Map(
      byChain.map(([chain, heads]) => [chain, new Map(heads.map((head) => [head.sequence, head]))]),
    )
  }

  /** Returns the first problem of the row; undefined if there is none. */
  check(row: AnyLedgerRow): LedgerProblem | undefined {
    const chain = chainName(row)
    const before = this.#last.get(chain)
    this.#last.set(chain, row)
    if (before === undefined) this.#dropHeadsOfOtherSample(row)
    const problem =
      contentProblem(row) ??
      (this.#isWhole ? linkProblem(row, before) : undefined) ??
      savedHeadProblem(row, this.#savedHeads.get(chain)?.get(row.sequence))
    return problem === undefined ? undefined : { chain, sequence: row.sequence, problem }
  }

  /** To be called after the last row. Returns the first missing row of each chain that used to be longer. */
  missing(): LedgerProblem[] {
    return [...this.#savedHeads].flatMap(([chain, heads]) => {
      const last = this.#last.get(chain)?.sequence ?? 0
      const savedRows = Math.max(...heads.keys())
      if (savedRows <= last || (last === 0 && SAMPLE_CHAIN.test(chain))) return []
      const problem = `it is missing: the chain had ${savedRows} rows, the last with the hash ${heads.get(savedRows)?.hash}`
      return [{ chain, sequence: last + 1, problem }]
    })
  }

  #dropHeadsOfOtherSample(first: AnyLedgerRow): void {
    const chain = chainName(first)
    if (!SAMPLE_CHAIN.test(chain)) return
    const heads = this.#savedHeads.get(chain) ?? new Map<number, SavedHead>()
    const same = [...heads].filter(([, head]) => first.hash.startsWith(head.first))
    if (same.length > 0) this.#savedHeads.set(chain, new Map(same))
    else this.#savedHeads.delete(chain)
  }

  /** The last row of each chain. */
  heads(): AnyLedgerRow[] {
    return [...this.#last.values()]
  }
}

function contentProblem(row: AnyLedgerRow): string | undefined {
  if (ledgerHash(row) !== row.hash) return `its content does not give its hash ${row.hash}`
  const beginning = startOfMarketDay(Temporal.PlainDate.from(row.targetDate))
  if (Temporal.Instant.compare(Temporal.Instant.from(row.issuedAt), beginning) < 0) return undefined
  return `it was issued at ${row.issuedAt}, not before its day ${row.targetDate}`
}

function linkProblem(row: AnyLedgerRow, before: AnyLedgerRow | undefined): string | undefined {
  const expected = (before?.sequence ?? 0) + 1
  if (row.sequence !== expected) return `row ${expected} is missing before it`
  const previous = before?.hash ?? FIRST_PREVIOUS_HASH
  if (row.previousHash === previous) return undefined
  return `it follows the hash ${row.previousHash}, but the row before it has ${previous}`
}

function savedHeadProblem({ hash }: AnyLedgerRow, kept: SavedHead | undefined): string | undefined {
  if (kept === undefined || kept.hash === hash) return undefined
  return `it has the hash ${hash}, but ${kept.hash} was kept when it was issued`
}
