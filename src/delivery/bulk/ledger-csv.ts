/** Rows of the ledger as text: one column per field, under the names that the database and the answers use. */
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

/** The track record holds published forecasts alone and leaves the column out. */
const ROLE_LEFT_OUT = 'published'

/** A line of CSV with a decimal point, its end included. */
export function ledgerCsvLine(row: LedgerRow): string {
  return `${LEDGER_COLUMNS.map((column) => row[FIELDS[column]]).join(',')}\n`
}

/** Whether a file with these columns holds whole chains, not the selection that a track record is. */
export function isWholeLedger(columns: readonly string[]): boolean {
  return columns.includes('role')
}

/** A replay is in no chain: there is nothing to verify. */
export function isReplay({ basis }: Readonly<Record<string, string | undefined>>): boolean {
  return basis === 'replay'
}

/**
 * The row from a record of a CSV file by column, with decimal point or comma.
 * @throws RangeError that names the column which is missing or is no number
 */
export function ledgerRowOf(record: Readonly<Record<string, string | undefined>>): LedgerRow {
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
    role: record.role ?? ROLE_LEFT_OUT,
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
