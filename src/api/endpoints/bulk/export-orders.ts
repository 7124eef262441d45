/** What the endpoints of exports to order share. */
import * as z from 'zod'
import { DATASETS } from '../../../delivery/bulk/datasets/index.ts'
import type { ExportOrderService, OfferedOrder } from '../../../delivery/bulk/export-order-service.ts'
import type { BulkDataset } from '../../contract/bulk.ts'
import { notFound } from '../../contract/errors.ts'
import type { ExportOrderBody, PartsField } from '../../contract/export-orders.ts'
import type { EndpointRequest } from '../../http/endpoint.ts'
import { attributionText } from '../source-credits.ts'

const FIELDS: Readonly<Record<string, PartsField>> = {
  zone: 'zones',
  asset: 'assets',
  commodity: 'commodities',
  series: 'series',
}

const ID = /^exp_[0-9a-z]{16}$/

export const exportOrderPath = z.object({
  id: z.string().meta({ description: 'Identifier of the export.', example: 'exp_5k2m9q7x1c4d8f3g' }),
})

/** The field that names parts of the dataset. */
export function partsFieldOf(dataset: BulkDataset): PartsField {
  const field = FIELDS[DATASETS[dataset].partitionedBy.part]
  if (field === undefined) throw new Error(`the parts of ${dataset} have no field`)
  return field
}

/** Throws if the service has no key to sign addresses with. */
export function ordersOf({ service, caller }: Pick<EndpointRequest<unknown, unknown, unknown>, 'service' | 'caller'>): {
  orders: ExportOrderService
  keyId: string
} {
  if (caller.key === undefined) throw new Error('a caller without a key was admitted to exports')
  if (service.exportOrders === undefined)
    throw notFound('Bulk exports are not set up on this service: it has no SECRETS_KEY to sign addresses with.')
  return { orders: service.exportOrders, keyId: caller.key.id }
}

export function checkedOrderId(id: string): string {
  if (!ID.test(id)) throw noSuchOrder()
  return id
}

/** Also for those of other keys, whose existence must not be revealed. */
export function noSuchOrder() {
  return notFound('There is no such export.')
}

export function presentOrder(order: OfferedOrder, baseUrl: URL): ExportOrderBody {
  const { id, state, dataset, format, parts, columns, asOf, startedAt, endedAt, bytes, sha256, download, problem } =
    order
  return {
    ...{ id, state, dataset, format, from: order.firstDay, to: order.lastDay },
    ...(parts && { [partsFieldOf(dataset)]: parts }),
    ...(columns && { columns }),
    ...(asOf && { as_of: asOf.toString() }),
    requested_at: order.requestedAt.toString(),
    ...(startedAt && { started_at: startedAt.toString() }),
    ...(endedAt && { ended_at: endedAt.toString() }),
    rows: order.rows,
    percent: order.percent,
    ...(bytes !== null && { bytes }),
    ...(sha256 !== null && { sha256 }),
    ...(download && { download_url: download.url, url_expires_at: download.expiresAt.toString() }),
    ...(order.expiresAt && {
      file_expires_at: order.expiresAt.toString(),
      attribution: attributionText(order.sourceIds, baseUrl),
    }),
    ...(problem !== null && { problem }),
  }
}

export const EXAMPLE_OF_QUEUED: OfferedOrder = {
  id: 'exp_5k2m9q7x1c4d8f3g',
  state: 'queued',
  dataset: 'pun-hourly',
  format: 'csv.gz',
  firstDay: '2024-01-01',
  lastDay: '2024-12-31',
  parts: ['nord', 'sud'],
  columns: ['zone', 'starts_at', 'eur_mwh'],
  asOf: null,
  requestedAt: Temporal.Instant.from('2026-11-21T10:00:00Z'),
  startedAt: null,
  endedAt: null,
  attempts: 0,
  rows: 0,
  percent: 0,
  problem: null,
  name: null,
  bytes: null,
  sha256: null,
  sourceIds: [],
  expiresAt: null,
  download: undefined,
}

export const EXAMPLE_ORDER: OfferedOrder = {
  ...EXAMPLE_OF_QUEUED,
  state: 'ready',
  startedAt: Temporal.Instant.from('2026-11-21T10:00:01Z'),
  endedAt: Temporal.Instant.from('2026-11-21T10:00:04Z'),
  attempts: 1,
  rows: 17_568,
  percent: 100,
  name: 'pun-hourly-20261121T100004Z-5f0c1a2b.csv.gz',
  bytes: 121_204,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  sourceIds: ['gme-mgp'],
  expiresAt: Temporal.Instant.from('2026-11-22T10:00:04Z'),
  download: {
    url: 'https://energy.example/downloads/pun-hourly-20261121T100004Z-5f0c1a2b.csv.gz?expires=1795259467&signature=dGhlIHNpZ25hdHVyZSBvZiB0aGlzIGFkZHJlc3M',
    expiresAt: Temporal.Instant.from('2026-11-21T11:00:10Z'),
  },
}
