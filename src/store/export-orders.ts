/** Exports to order. A holder sees only its own: orders are found by the root of the key's chain. */

import type { Kysely } from 'kysely'
import type { BulkDataset, BulkFormat, ExportOrderState } from '../api/contract/bulk.ts'
import { recordChanges } from './changes.ts'
import type { Sql, Transaction } from './database.ts'
import { run, runOne } from './run.ts'
import type { Schema } from './schema.generated.ts'

export interface NewExportOrder {
  id: string
  dataset: BulkDataset
  format: BulkFormat
  /** YYYY-MM-DD, both inclusive. */
  firstDay: string
  lastDay: string
  /** Null: all. */
  parts: string[] | null
  columns: string[] | null
  asOf: Temporal.Instant | null
  requestedAt: Temporal.Instant
}

export interface ExportOrder extends NewExportOrder {
  state: ExportOrderState
  startedAt: Temporal.Instant | null
  endedAt: Temporal.Instant | null
  attempts: number
  /** Rows read so far. */
  rows: number
  percent: number
  /** Why it failed. */
  problem: string | null
  /** Name of the file, while it is kept. */
  name: string | null
  bytes: number | null
  sha256: string | null
  sourceIds: string[]
  expiresAt: Temporal.Instant | null
}

/** A file of an order, in the store. */
interface OrderedFile {
  name: string
  bytes: number
  sha256: string
  dataset: BulkDataset
  format: BulkFormat
}

const COLUMNS = [
  'id',
  'dataset',
  'format',
  'first_day as firstDay',
  'last_day as lastDay',
  'parts',
  'columns',
  'as_of as asOf',
  'state',
  'requested_at as requestedAt',
  'started_at as startedAt',
  'ended_at as endedAt',
  'attempts',
  'rows_written as rows',
  'percent',
  'problem',
  'name',
  'bytes',
  'sha256',
  'sources as sourceIds',
  'expires_at as expiresAt',
] as const
type Kinds = Pick<ExportOrder, 'dataset' | 'format'>

const OPEN = ['queued', 'running'] as const

const ordersOf = (db: Kysely<Schema>, root: string) =>
  db.selectFrom('export_orders').select(COLUMNS).$narrowType<Kinds>().where('key_root', '=', root)

/** Updates nothing if another attempt has begun. */
const updateOf = (db: Kysely<Schema>, { id, attempts }: Attempt) =>
  db.updateTable('export_orders').where('id', '=', id).where('attempts', '=', attempts)

/** Counts the holder's queued and running orders. */
export async function countOpenOrders(sql: Sql | Transaction, root: string): Promise<number> {
  const row = await runOne(sql, (db) =>
    db
      .selectFrom('export_orders')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('key_root', '=', root)
      .where('state', 'in', OPEN),
  )
  return row?.open ?? 0
}

/** Stores nothing and returns false if the holder already has `most` queued or running orders; concurrent requests cannot exceed it. */
export async function insertExportOrder(
  sql: Sql,
  root: string,
  order: NewExportOrder,
  maxOpen: number,
): Promise<boolean> {
  const { id, dataset, format, firstDay, lastDay, parts, columns, asOf, requestedAt } = order
  return sql.begin(async (tx: Transaction) => {
    await tx`select pg_advisory_xact_lock(hashtext('export orders of ' || ${root}))`
    if ((await countOpenOrders(tx, root)) >= maxOpen) return false
    await run(tx, (db) =>
      db.insertInto('export_orders').values({
        id,
        key_root: root,
        dataset,
        format,
        first_day: firstDay,
        last_day: lastDay,
        parts,
        columns,
        as_of: asOf,
        requested_at: requestedAt,
      }),
    )
    return true
  })
}

/** The latest first. */
export async function listExportOrders(sql: Sql, root: string): Promise<ExportOrder[]> {
  return run(sql, (db) => ordersOf(db, root).orderBy('requested_at', 'desc').orderBy('id'))
}

export async function findExportOrder(sql: Sql, root: string, id: string): Promise<ExportOrder | undefined> {
  return runOne(sql, (db) => ordersOf(db, root).where('id', '=', id))
}

/** Deletes an order; a process that works on it notices. Returns undefined if there is none, else the name of its file or null. */
export async function deleteExportOrder(
  sql: Sql,
  root: string,
  id: string,
): Promise<{ name: string | null } | undefined> {
  return runOne(sql, (db) =>
    db.deleteFrom('export_orders').where('key_root', '=', root).where('id', '=', id).returning('name'),
  )
}

export async function findOrderedFile(sql: Sql, name: string): Promise<OrderedFile | undefined> {
  return runOne(sql, (db) =>
    db
      .selectFrom('export_orders')
      .select(['name', 'bytes', 'sha256', 'dataset', 'format'])
      .$narrowType<OrderedFile>()
      .where('name', '=', name),
  )
}

/** Begins an attempt, which from now on is the only one that may write; undefined if there is nothing left to do. */
export async function startExportOrder(sql: Sql, id: string, at: Temporal.Instant): Promise<ExportOrder | undefined> {
  return runOne(sql, (db) =>
    db
      .updateTable('export_orders')
      .set((eb) => ({
        state: 'running',
        started_at: at,
        attempts: eb('attempts', '+', 1),
        rows_written: 0,
        percent: 0,
      }))
      .where('id', '=', id)
      .where('state', 'in', OPEN)
      .returning(COLUMNS)
      .$narrowType<Kinds>(),
  )
}

/** An attempt at an order. */
type Attempt = Pick<ExportOrder, 'id' | 'attempts'>

/** Returns false if the order was deleted or another attempt has begun. */
export async function recordOrderProgress(
  sql: Sql,
  attempt: Attempt,
  { rows, percent }: { rows: number; percent: number },
): Promise<boolean> {
  const { count } = await run(sql, (db) =>
    updateOf(db, attempt).set({ rows_written: rows, percent }).where('state', '=', 'running'),
  )
  return count === 1
}

/** Marks an order as ready once its file is in the store: the owner can download it, and webhooks are called. False if the order is gone. */
export async function completeExportOrder(
  sql: Sql,
  { id, attempts, dataset, format }: Attempt & Pick<ExportOrder, 'dataset' | 'format'>,
  file: { name: string; rows: number; bytes: number; sha256: string; sourceIds: string[] },
  { at, expiresAt }: { at: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<boolean> {
  const { name, rows, bytes, sha256, sourceIds } = file
  return sql.begin(async (tx: Transaction) => {
    const order = await runOne(tx, (db) =>
      updateOf(db, { id, attempts })
        .set({
          state: 'ready',
          rows_written: rows,
          percent: 100,
          name,
          bytes,
          sha256,
          sources: sourceIds,
          ended_at: at,
          expires_at: expiresAt,
        })
        .where('state', '=', 'running')
        .returning('key_root as root'),
    )
    if (order === undefined) return false
    const details = { dataset, format, sha256, export: id }
    const change = { kind: 'export.ready', dataset: 'exports', key_root: order.root, details } as const
    await recordChanges(tx, [change], { sources: sourceIds, at })
    return true
  })
}

/** Marks an order as permanently failed; `problem` is a sentence for its owner. */
export async function failExportOrder(
  sql: Sql,
  attempt: Attempt,
  { at, problem }: { at: Temporal.Instant; problem: string },
): Promise<void> {
  await run(sql, (db) =>
    updateOf(db, attempt).set({ state: 'failed', problem, ended_at: at }).where('state', 'in', OPEN),
  )
}

/** Requeues an order for another attempt. */
export async function requeueExportOrder(sql: Sql, attempt: Attempt): Promise<void> {
  await run(sql, (db) => updateOf(db, attempt).set({ state: 'queued' }).where('state', '=', 'running'))
}

/** Marks orders with expired files as `expired`, and returns the names of these files. */
export async function expireOrderedFiles(sql: Sql, at: Temporal.Instant): Promise<string[]> {
  return sql.begin(async (tx: Transaction) => {
    const files = await run(tx, (db) =>
      db
        .selectFrom('export_orders')
        .select(({ ref }) => ['id', ref('name').$notNull().as('name')])
        .where('state', '=', 'ready')
        .where('expires_at', '<=', at)
        .forUpdate(),
    )
    const ids = files.map(({ id }) => id)
    await run(tx, (db) =>
      db
        .updateTable('export_orders')
        .set({ state: 'expired', name: null })
        .where(({ eb, fn, val }) => eb('id', '=', fn.any(val(ids)))),
    )
    return files.map(({ name }) => name)
  })
}

/** Deletes failed and expired orders that ended before the instant. */
export async function deleteExportOrders(sql: Sql, before: Temporal.Instant): Promise<void> {
  await run(sql, (db) =>
    db.deleteFrom('export_orders').where('state', 'in', ['failed', 'expired']).where('ended_at', '<', before),
  )
}

/** Returns queued orders, and running ones whose attempt began before the instant and should have ended. */
export async function stalledExportOrders(
  sql: Sql,
  startedBefore: Temporal.Instant,
): Promise<Pick<ExportOrder, 'id' | 'attempts'>[]> {
  return run(sql, (db) =>
    db
      .selectFrom('export_orders')
      .select(['id', 'attempts'])
      .where(({ and, eb, or }) =>
        or([eb('state', '=', 'queued'), and([eb('state', '=', 'running'), eb('started_at', '<', startedBefore)])]),
      ),
  )
}
