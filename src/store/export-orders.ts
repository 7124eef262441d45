/** Exports to order. Other holders' are invisible: what a holder asks for is found by the root of the key's chain. */
import type { BulkDataset, BulkFormat, ExportOrderState } from '../api/contract/bulk.ts'
import { recordChanges } from './changes.ts'
import type { Sql, Transaction } from './database.ts'

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
  /** That have been read so far. */
  rows: number
  percent: number
  /** Why it failed. */
  problem: string | null
  /** Of the file, while it is kept. */
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

const COLUMNS = `id, dataset, format, first_day as "firstDay", last_day as "lastDay", parts, columns, as_of as "asOf", state,
  requested_at as "requestedAt", started_at as "startedAt", ended_at as "endedAt", attempts, rows_written as rows, percent, problem,
  name, bytes, sha256, sources as "sourceIds", expires_at as "expiresAt"`
const OPEN = "state in ('queued', 'running')"

/** Orders of the holder that wait or run. */
export async function countOpenOrders(sql: Sql | Transaction, root: string): Promise<number> {
  const [row] = await sql<{ open: number }[]>`
    select count(*)::integer as open from export_orders where key_root = ${root} and ${sql.unsafe(OPEN)}`
  return row?.open ?? 0
}

/** False, and nothing is stored, where the holder has `most` that wait or run; concurrent requests cannot exceed it. */
export async function insertExportOrder(sql: Sql, root: string, order: NewExportOrder, most: number): Promise<boolean> {
  const { id, dataset, format, firstDay, lastDay, parts, columns, asOf, requestedAt } = order
  return sql.begin(async (tx: Transaction) => {
    await tx`select pg_advisory_xact_lock(hashtext('export orders of ' || ${root}))`
    if ((await countOpenOrders(tx, root)) >= most) return false
    await tx`
      insert into export_orders (id, key_root, dataset, format, first_day, last_day, parts, columns, as_of, requested_at)
      values (${id}, ${root}, ${dataset}, ${format}, ${firstDay}, ${lastDay}, ${parts}, ${columns},
        ${asOf?.toString() ?? null}::timestamptz, ${requestedAt.toString()}::timestamptz)`
    return true
  })
}

/** The latest first. */
export async function listExportOrders(sql: Sql, root: string): Promise<ExportOrder[]> {
  return sql<ExportOrder[]>`
    select ${sql.unsafe(COLUMNS)} from export_orders where key_root = ${root} order by requested_at desc, id`
}

export async function findExportOrder(sql: Sql, root: string, id: string): Promise<ExportOrder | undefined> {
  const [order] = await sql<ExportOrder[]>`
    select ${sql.unsafe(COLUMNS)} from export_orders where key_root = ${root} and id = ${id}`
  return order
}

/** The process that works on it notices. Undefined where there is none; else the name of its file, null without one. */
export async function deleteExportOrder(
  sql: Sql,
  root: string,
  id: string,
): Promise<{ name: string | null } | undefined> {
  const [order] = await sql<{ name: string | null }[]>`
    delete from export_orders where key_root = ${root} and id = ${id} returning name`
  return order
}

export async function orderedFileNamed(sql: Sql, name: string): Promise<OrderedFile | undefined> {
  const [file] = await sql<OrderedFile[]>`
    select name, bytes, sha256, dataset, format from export_orders where name = ${name}`
  return file
}

/** Begins an attempt, the only one that may write from now on; undefined where there is nothing to do any more. */
export async function startExportOrder(sql: Sql, id: string, at: Temporal.Instant): Promise<ExportOrder | undefined> {
  const [order] = await sql<ExportOrder[]>`
    update export_orders
    set state = 'running', started_at = ${at.toString()}::timestamptz, attempts = attempts + 1, rows_written = 0, percent = 0
    where id = ${id} and ${sql.unsafe(OPEN)}
    returning ${sql.unsafe(COLUMNS)}`
  return order
}

/** Which attempt at which order. */
type Attempt = Pick<ExportOrder, 'id' | 'attempts'>

/** False where the order is gone, or another attempt has begun. */
export async function recordOrderProgress(
  sql: Sql,
  { id, attempts }: Attempt,
  { rows, percent }: { rows: number; percent: number },
): Promise<boolean> {
  const { count } = await sql`
    update export_orders set rows_written = ${rows}, percent = ${percent}
    where id = ${id} and attempts = ${attempts} and state = 'running'`
  return count === 1
}

/** Its file is in the store: the owner can download it, and webhooks are called. False as for progress. */
export async function completeExportOrder(
  sql: Sql,
  { id, attempts, dataset, format }: Attempt & Pick<ExportOrder, 'dataset' | 'format'>,
  file: { name: string; rows: number; bytes: number; sha256: string; sourceIds: string[] },
  { at, expiresAt }: { at: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<boolean> {
  const { name, rows, bytes, sha256, sourceIds } = file
  return sql.begin(async (tx: Transaction) => {
    const [order] = await tx<{ root: string }[]>`
      update export_orders
      set state = 'ready', rows_written = ${rows}, percent = 100, name = ${name}, bytes = ${bytes}, sha256 = ${sha256},
        sources = ${sourceIds}, ended_at = ${at.toString()}::timestamptz, expires_at = ${expiresAt.toString()}::timestamptz
      where id = ${id} and attempts = ${attempts} and state = 'running'
      returning key_root as root`
    if (order === undefined) return false
    const details = { dataset, format, sha256, export: id }
    const change = { kind: 'export.ready', dataset: 'exports', key_root: order.root, details } as const
    await recordChanges(tx, [change], { sources: sourceIds, at })
    return true
  })
}

/** It failed permanently: `problem` is a sentence for its owner. */
export async function failExportOrder(
  sql: Sql,
  { id, attempts }: Attempt,
  { at, problem }: { at: Temporal.Instant; problem: string },
): Promise<void> {
  await sql`
    update export_orders set state = 'failed', problem = ${problem}, ended_at = ${at.toString()}::timestamptz
    where id = ${id} and attempts = ${attempts} and ${sql.unsafe(OPEN)}`
}

/** It waits for another attempt. */
export async function requeueExportOrder(sql: Sql, { id, attempts }: Attempt): Promise<void> {
  await sql`
    update export_orders set state = 'queued' where id = ${id} and attempts = ${attempts} and state = 'running'`
}

/** Files whose time is over: their orders are `expired`, their names are returned. */
export async function expireOrderedFiles(sql: Sql, at: Temporal.Instant): Promise<string[]> {
  return sql.begin(async (tx: Transaction) => {
    const files = await tx<{ id: string; name: string }[]>`
      select id, name from export_orders where state = 'ready' and expires_at <= ${at.toString()}::timestamptz for update`
    await tx`update export_orders set state = 'expired', name = null where id = any (${files.map(({ id }) => id)})`
    return files.map(({ name }) => name)
  })
}

/** Forgets orders that ended before the instant. */
export async function forgetExportOrders(sql: Sql, before: Temporal.Instant): Promise<void> {
  await sql`delete from export_orders where state in ('failed', 'expired') and ended_at < ${before.toString()}::timestamptz`
}

/** Orders that wait, or whose attempt began before the instant and should have ended. */
export async function stalledExportOrders(
  sql: Sql,
  startedBefore: Temporal.Instant,
): Promise<Pick<ExportOrder, 'id' | 'attempts'>[]> {
  return sql<Attempt[]>`
    select id, attempts from export_orders
    where state = 'queued' or (state = 'running' and started_at < ${startedBefore.toString()}::timestamptz)`
}
