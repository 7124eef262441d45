/** Ledger rows as CSV: one column per field, named as in the database and in API responses. */
import type { LedgerRow } from '../../market/ledger.ts'

const FIELDS = {
  chain: 'chain',
  sequence: 'sequence',
  asset: 'asset',
  role: 'role',
  model: 'model',
  version: 'version',
  issued_at: 'issuedAt',
  info_date: 'infoDate',
  target_date: 'targetDate',
  horizon_days: 'horizonDays',
  p10: 'p10',
  p50: 'p50',
  p90: 'p90',
  inputs_sha256: 'inputsSha256',
  previous_hash: 'previousHash',
  hash: 'hash',
} as const satisfies Record<string, keyof LedgerRow>

export const LEDGER_COLUMNS = Object.keys(FIELDS) as (keyof typeof FIELDS)[]

/** The track record contains only published forecasts and omits the column `role`. */
const DEFAULT_ROLE = 'published'

/** Returns a CSV line with decimal points, including the line break. */
export function ledgerCsvLine(row: LedgerRow): string {
  return `${LEDGER_COLUMNS.map((column) => row[FIELDS[column]]).join(',')}\n`
}

/** Whether a file with these columns contains complete chains, rather than the selection of a track record. */
export function isCompleteLedger(columns: readonly string[]): boolean {
  return columns.includes('role')
}

/** Whether the record is of a replay, which is in no chain and so cannot be verified. */
export function isReplay({ basis }: Readonly<Record<string, string | undefined>>): boolean {
  return basis === 'replay'
}

/**
 * Reads a row from a CSV record keyed by column; numbers may use a decimal point or comma.
 * @throws RangeError naming the column that is missing or not a number
 */
export function parseLedgerRow(record: Readonly<Record<string, string | undefined>>): LedgerRow {
  const text = (column: keyof typeof FIELDS) => {
    const value = record[column]
    if (value === undefined || value === '') throw new RangeError(`the column ${column} is missing or empty`)
    return value
  }
  const number = (column: keyof typeof FIELDS) => {
    const value = Number(text(column).replace(',', '.'))
    if (!Number.isFinite(value)) throw new RangeError(`${column} "${text(column)}" is not a number`)
    return value
  }
  return {
    chain: text('chain'),
    sequence: number('sequence'),
    asset: text('asset'),
    role: record.role ?? DEFAULT_ROLE,
    model: text('model'),
    version: text('version'),
    issuedAt: Temporal.Instant.from(text('issued_at')).toString(),
    infoDate: text('info_date'),
    targetDate: text('target_date'),
    horizonDays: number('horizon_days'),
    p10: number('p10'),
    p50: number('p50'),
    p90: number('p90'),
    inputsSha256: text('inputs_sha256'),
    previousHash: text('previous_hash'),
    hash: text('hash'),
  }
}
