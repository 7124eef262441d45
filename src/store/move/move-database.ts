/**
 * Moves all contents of one database, embedded or server, into another, empty one, in one transaction of the target at one instant of the
 * source. Before it commits, every table is compared by count and digest, and the ledgers' hash chains are recomputed. The aggregates are
 * then rebuilt. The queue with its jobs and the counters per minute are not moved.
 */
import { LedgerVerifier } from '../../market/ledger.ts'
import { refreshAggregates } from '../aggregates.ts'
import type { Database, Sql, Transaction } from '../database.ts'
import { allLedgerRows } from '../forecast-ledger.ts'
import { analyze } from '../maintenance.ts'
import { migrate } from '../migrate.ts'
import { assertTimescalePreloaded } from '../timescale.ts'
import { copyTable } from './copy-table.ts'
import { FILLED_BY_MIGRATIONS, listMovableTables, type MovableTable, quoted } from './movable-tables.ts'

/** The move was not started; the message says why. */
export class MoveRefused extends Error {
  override name = 'MoveRefused'
}

export interface MovedTable extends TableDigest {
  name: string
}

interface MoveOptions {
  source: Pick<Database, 'sql'>
  target: Database
  onTable?(table: MovedTable): void
  /** Called once everything but the aggregates is committed in the target. */
  onStored?(): void
  /** Create the target's schema and its aggregates; tests on servers without TimescaleDB pass their own. */
  prepare?(target: Database): Promise<unknown>
  refresh?(sql: Sql): Promise<void>
}

/**
 * Throws MoveRefused if a service runs on either side, if the target has rows, or if tables or columns differ; the source may have been
 * migrated by other files. Any other error leaves at most the schema in the target, so that the move can be retried. After `onStored` the
 * target is complete, and a service that starts on it builds any missing aggregates.
 */
export async function moveDatabase({
  source,
  target,
  onTable,
  onStored,
  ...steps
}: MoveOptions): Promise<MovedTable[]> {
  const { prepare = migrate, refresh = refreshAggregates } = steps
  await assertTimescalePreloaded(source)
  await assertUnused(source.sql, 'source')
  await assertUnused(target.sql, 'target')
  await assertEmpty(target.sql)
  await prepare(target)

  const moved = await source.sql.begin('isolation level repeatable read read only', (from: Transaction) =>
    target.sql.begin((to: Transaction) => moveTables(from, to, onTable)),
  )
  onStored?.()
  await refresh(target.sql)
  await analyze(target.sql)
  return moved
}

async function moveTables(from: Transaction, to: Transaction, onTable: MoveOptions['onTable']): Promise<MovedTable[]> {
  for (const tx of [from, to]) {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await setTextFormat(tx)
  }
  const tables = await listMovableTables(from)
  assertSameTables(tables, await listMovableTables(to))
  for (const { name } of tables.toReversed()) {
    if (FILLED_BY_MIGRATIONS.includes(name)) await to.unsafe(`delete from ${quoted(name)}`)
  }
  const moved: MovedTable[] = []
  for (const table of tables) {
    await copyTable(from, to, table)
    const digests = { source: await digestTable(from, table), target: await digestTable(to, table) }
    assertSameContents(table.name, digests)
    const done = { name: table.name, ...digests.target }
    moved.push(done)
    onTable?.(done)
  }
  await assertLedgerIntact(to)
  return moved
}

async function assertUnused(sql: Sql, side: 'source' | 'target'): Promise<void> {
  const [others] = await sql<{ count: number }[]>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name like 'energy-prices%' and pid <> pg_backend_pid()`
  if (others?.count !== 0) throw new MoveRefused(`The ${side} is in use: stop the service and its commands first.`)
}

async function assertEmpty(sql: Sql): Promise<void> {
  const filled: string[] = []
  for (const { name } of await listMovableTables(sql)) {
    if (FILLED_BY_MIGRATIONS.includes(name)) continue
    const [found] = await sql.unsafe<{ any: boolean }[]>(`select exists (select from ${quoted(name)}) as any`)
    if (found?.any === true) filled.push(name)
  }
  if (filled.length > 0)
    throw new MoveRefused(`The target is not empty: there are rows in ${filled.join(', ')}. Nothing was changed.`)
}

function assertSameTables(source: MovableTable[], target: MovableTable[]): void {
  const shape = ({ columns }: MovableTable) => JSON.stringify(columns.map(({ name, type }) => [name, type]).sort())
  for (const name of new Set([...source, ...target].map((table) => table.name))) {
    const [here, there] = [source, target].map((tables) => tables.find((table) => table.name === name))
    if (here === undefined) throw new MoveRefused(`The source has no table ${name}: migrate it first.`)
    if (there === undefined) throw new MoveRefused(`The target has no table ${name}.`)
    if (shape(here) !== shape(there)) throw new MoveRefused(`The table ${name} has other columns in the target.`)
  }
}

function assertSameContents(name: string, { source, target }: Record<'source' | 'target', TableDigest>): void {
  if (source.rows === target.rows && source.sum === target.sum) return
  throw new Error(
    `${name} arrived changed: ${source.rows} rows, digest ${source.sum}, became ${target.rows}, ${target.sum}`,
  )
}

async function assertLedgerIntact(tx: Transaction): Promise<void> {
  const verifier = new LedgerVerifier({ isWhole: true })
  for await (const row of allLedgerRows(tx)) {
    const fault = verifier.check(row)
    if (fault !== undefined)
      throw new Error(`the ledger is damaged: ${fault.chain} row ${fault.sequence}: ${fault.problem}`)
  }
}

export interface TableDigest {
  rows: number
  /** The first 64 bits of each row's MD5, added up, in decimal. It detects damage, not attacks. */
  sum: string
}

/** Settings with which any two servers write the same value as the same text. */
const TEXT_FORMAT = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601';
  set local extra_float_digits = 1; set local bytea_output = 'hex'`

/** Call it once in transactions whose values are compared or copied as text. */
export async function setTextFormat(tx: Transaction): Promise<void> {
  await tx.unsafe(TEXT_FORMAT).simple()
}

export async function digestTable(tx: Transaction, { name, columns }: MovableTable): Promise<TableDigest> {
  const row = `row(${columns.map((column) => quoted(column.name)).join(', ')})::text`
  const [digest] = await tx.unsafe<TableDigest[]>(`
    select count(*) as rows, coalesce(sum(('x' || substr(md5(${row}), 1, 16))::bit(64)::bigint), 0)::text as sum
    from ${quoted(name)}`)
  if (digest === undefined) throw new Error('an aggregate gave no row')
  return digest
}
