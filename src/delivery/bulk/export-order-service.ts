/** Exports to order for the HTTP layer. Every method takes the caller's key; orders of other holders are not found. */
import { DOWNLOAD_SECONDS, EXPORT_ORDERS } from '../../api/contract/bulk.ts'
import { earlierOf, isBefore } from '../../market/time-order.ts'
import type { Awaitable } from '../../platform/awaitable.ts'
import type { Clock } from '../../platform/clock.ts'
import { randomId } from '../../platform/secret.ts'
import type { Sql } from '../../store/database.ts'
import {
  countOpenOrders,
  deleteExportOrder,
  type ExportOrder,
  findExportOrder,
  insertExportOrder,
  listExportOrders,
  type NewExportOrder,
} from '../../store/export-orders.ts'
import type { BulkExportService } from './bulk-export-service.ts'
import type { FileStore } from './file-store.ts'

/** Retry-After: by then one of the open exports has probably finished. */
const RETRY_SECONDS = 30

export interface OrderWithDownload extends ExportOrder {
  /** URL of the file, while it is kept. */
  download: { url: string; expiresAt: Temporal.Instant } | undefined
}

type PlaceOrderResult =
  | { order: OrderWithDownload }
  | { refused: 'too_many_open' | 'too_many_today'; most: number; retryAfterSeconds: number }

/** `root`: the first key in the holder's chain of rotations; it owns the orders. */
export interface ExportOrderService {
  place(root: string, request: Omit<NewExportOrder, 'id' | 'requestedAt'>): Promise<PlaceOrderResult>
  /** Latest first. */
  list(root: string, baseUrl: URL): Promise<OrderWithDownload[]>
  find(root: string, id: string, baseUrl: URL): Promise<OrderWithDownload | undefined>
  /** Cancels the export and removes its file. Returns false if there is no such order. */
  remove(root: string, id: string): Promise<boolean>
}

interface ExportOrderServiceOptions {
  /** The primary database: a request right after an order must see it. */
  sql: Sql
  clock: Clock
  store: FileStore
  signedUrlOf: BulkExportService['signedUrlOf']
  /** Counts orders per day, including deleted ones. */
  orderLimiter: { consume(client: string, limit: number): Awaitable<{ admitted: boolean; resetSeconds: number }> }
  /** Called with the id of a pending order. */
  wake(id: string): Promise<unknown>
}

export function exportOrderService(options: ExportOrderServiceOptions): ExportOrderService {
  const { sql, clock, store, signedUrlOf, orderLimiter, wake } = options
  const { openMax, perDay } = EXPORT_ORDERS
  const tooManyOpen = { refused: 'too_many_open', most: openMax, retryAfterSeconds: RETRY_SECONDS } as const

  const withDownload = async (order: ExportOrder, baseUrl: URL): Promise<OrderWithDownload> => {
    const { name, dataset, format, expiresAt: removedAt } = order
    const now = clock.now()
    if (name === null || removedAt === null || !isBefore(now, removedAt)) return { ...order, download: undefined }
    const hour = now.round('second').add({ seconds: DOWNLOAD_SECONDS })
    const expiresAt = earlierOf(hour, removedAt)
    return {
      ...order,
      download: { url: await signedUrlOf({ name, dataset, format }, { expiresAt, now, baseUrl }), expiresAt },
    }
  }

  return {
    async place(root, request) {
      if ((await countOpenOrders(sql, root)) >= openMax) return tooManyOpen
      const { admitted, resetSeconds } = await orderLimiter.consume(`exports to order of ${root}`, perDay)
      if (!admitted) return { refused: 'too_many_today', most: perDay, retryAfterSeconds: resetSeconds }
      const id = randomId('exp_', 16)
      if (!(await insertExportOrder(sql, root, { ...request, id, requestedAt: clock.now() }, openMax)))
        return tooManyOpen
      await wake(id)
      const order = await findExportOrder(sql, root, id)
      if (order === undefined) throw new Error(`${id} is gone right after it was placed`)
      return { order: { ...order, download: undefined } }
    },

    async list(root, baseUrl) {
      const orders = await listExportOrders(sql, root)
      return Promise.all(orders.map((order) => withDownload(order, baseUrl)))
    },

    async find(root, id, baseUrl) {
      const order = await findExportOrder(sql, root, id)
      return order && withDownload(order, baseUrl)
    },

    async remove(root, id) {
      const order = await deleteExportOrder(sql, root, id)
      if (order?.name) await store.remove(order.name)
      return order !== undefined
    },
  }
}
