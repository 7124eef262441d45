/** Exports to order: create, follow, list and delete them. */
import * as z from 'zod'
import { DATASETS } from '../../../delivery/bulk/datasets/index.ts'
import type { ExportOrderService, OrderWithDownload } from '../../../delivery/bulk/export-order-service.ts'
import { counted } from '../../../market/counted.ts'
import { FORECAST_REACH_DAYS } from '../../../market/forecast-scope.ts'
import { WEATHER_DAYS_AHEAD } from '../../../market/fundamentals.ts'
import type { MarketDay } from '../../../market/market-day.ts'
import { BULK_PARTS, type BulkDataset, EXPORT_ORDERS } from '../../contract/bulk.ts'
import { ApiError, invalidParameter, notFound } from '../../contract/errors.ts'
import {
  type ExportOrderBody,
  exportOrder,
  exportOrderList,
  type NewExportOrderBody,
  newExportOrder,
  type PartsField,
} from '../../contract/export-orders.ts'
import { refuseFuture, refuseReversed } from '../../contract/parameters.ts'
import { keyOf } from '../../http/caller.ts'
import { type EndpointRequest, endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText } from '../source-credits.ts'
import { BULK, noSigningKey } from './files.ts'

const FAILS = ['not_found'] as const
const exportPath = z.object({
  id: z.string().meta({ description: 'Identifier of the export.', example: 'exp_5k2m9q7x1c4d8f3g' }),
})

const FIELDS: Readonly<Record<string, PartsField>> = {
  zone: 'zones',
  asset: 'assets',
  commodity: 'commodities',
  series: 'series',
}

const ID = /^exp_[0-9a-z]{16}$/

const EXAMPLE_OF_QUEUED: OrderWithDownload = {
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

const EXAMPLE_ORDER: OrderWithDownload = {
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

/** Orders a file of selected rows and columns of a dataset. */
export const createExport = endpoint({
  ...BULK,
  id: 'createExport',
  method: 'post',
  path: '/bulk/exports',
  summary: 'Order an export',
  description:
    'Creates a file of an interval, selected zones or indices, and selected columns of a dataset, as it is or as it was known at an instant. ' +
    'The export is queued: `GET /bulk/exports/{id}` reports progress; an `export.ready` webhook fires on completion. The file is kept for ' +
    `${EXPORT_ORDERS.fileHours} hours. A key may have ${EXPORT_ORDERS.openMax} queued or running exports and order ${EXPORT_ORDERS.perDay} a day.`,
  body: newExportOrder,
  reply: exportOrder,
  creates: 202,
  example: presentOrder(EXAMPLE_OF_QUEUED, EXAMPLE_BASE_URL),
  fails: FAILS,
  async handle({ body, ...request }) {
    const { orders, root } = ordersOf(request)
    const { dataset, format, from, to, columns = null, as_of: asOf = null } = checked(body, request)
    const placed = await orders.place(root, {
      ...{ dataset, format, columns, asOf },
      ...{ firstDay: from.toString(), lastDay: to.toString() },
      parts: body[partsFieldOf(dataset)] ?? null,
    })
    if ('refused' in placed) throw refusal(placed)
    return presentOrder(placed.order, request.service.config.baseUrl)
  },
})

/** Progress of an export to order, and its file once it is ready. */
export const getExport = endpoint({
  ...BULK,
  id: 'getExport',
  method: 'get',
  path: '/bulk/exports/{id}',
  summary: 'Get an export',
  description:
    'Returns the progress of an export, with a new signed download URL once it is ready. While it runs, `rows`' +
    ' and `percent` are updated every second.',
  pathSchema: exportPath,
  reply: exportOrder,
  example: presentOrder(EXAMPLE_ORDER, EXAMPLE_BASE_URL),
  fails: FAILS,
  async handle({ path, ...request }) {
    const { orders, root } = ordersOf(request)
    const { baseUrl } = request.service.config
    const order = await orders.find(root, checkedOrderId(path.id), baseUrl)
    if (order === undefined) throw noSuchOrder()
    return presentOrder(order, baseUrl)
  },
})

/** The exports to order of the caller's key, and of the keys it was rotated from. */
export const listExports = endpoint({
  ...BULK,
  id: 'listExports',
  method: 'get',
  path: '/bulk/exports',
  summary: 'List exports',
  description: `Returns the exports that the key has ordered, the latest first; failed and expired ones for ${EXPORT_ORDERS.listedHours / 24} days.`,
  reply: exportOrderList,
  example: { count: 1, exports: [presentOrder(EXAMPLE_OF_QUEUED, EXAMPLE_BASE_URL)] },
  fails: FAILS,
  async handle(request) {
    const { orders, root } = ordersOf(request)
    const { baseUrl } = request.service.config
    const exports = await orders.list(root, baseUrl)
    return { count: exports.length, exports: exports.map((order) => presentOrder(order, baseUrl)) }
  },
})

/** Cancels an export to order, or removes its file. */
export const deleteExport = endpoint({
  ...BULK,
  id: 'deleteExport',
  method: 'delete',
  path: '/bulk/exports/{id}',
  summary: 'Delete an export',
  description:
    'Cancels a queued or running export, or deletes the file of a finished one. Its download URLs stop working.',
  pathSchema: exportPath,
  reply: z.undefined(),
  example: undefined,
  fails: FAILS,
  async handle({ path, ...request }) {
    const { orders, root } = ordersOf(request)
    if (!(await orders.remove(root, checkedOrderId(path.id)))) throw noSuchOrder()
    return undefined
  },
})

/** Returns the validated body. Throws if the dataset does not have the requested columns, zones or days. */
function checked(body: NewExportOrderBody, { today, now }: Pick<HandlerContext, 'today' | 'now'>): NewExportOrderBody {
  const { dataset, from, to, columns, as_of: asOf } = body
  refuseReversed(from, to)
  const last = lastDayOf(dataset, today)
  for (const [name, day] of Object.entries({ from, to }))
    if (Temporal.PlainDate.compare(day, last) > 0)
      throw invalidParameter(name, `must not be after ${last}, the last day that ${dataset} can have now`)
  checkParts(body)
  const known = DATASETS[dataset].columns.map(({ name }) => name)
  columns?.forEach((name, i) => {
    if (!known.includes(name)) throw invalidParameter(`columns.${i}`, `must be one of ${known.join(', ')}`)
    if (columns.indexOf(name) !== i) throw invalidParameter(`columns.${i}`, 'repeats a column')
  })
  if (asOf && !DATASETS[dataset].supportsAsOf)
    throw invalidParameter('as_of', `is not possible with ${dataset}, which has no earlier states`)
  refuseFuture(asOf, now)
  return body
}

/** Returns the last forecast day for forecasts and weather; for other datasets tomorrow, whose prices are published today. */
function lastDayOf(dataset: BulkDataset, today: MarketDay): MarketDay {
  if (dataset === 'fundamentals') return today.add({ days: WEATHER_DAYS_AHEAD })
  return today.add({ days: dataset.startsWith('forecast') ? FORECAST_REACH_DAYS : 1 })
}

function checkParts(body: NewExportOrderBody): void {
  const { dataset } = body
  const own = partsFieldOf(dataset)
  for (const field of ['zones', 'assets', 'commodities', 'series'] as const) {
    const given: readonly string[] | undefined = body[field]
    if (given !== undefined && field !== own)
      throw invalidParameter(field, `is not possible with ${dataset}, which has ${own}`)
    const unknown = given?.findIndex((part) => !BULK_PARTS[dataset].includes(part)) ?? -1
    if (unknown >= 0)
      throw invalidParameter(`${field}.${unknown}`, `must be one of ${BULK_PARTS[dataset].join(', ')} in ${dataset}`)
  }
}

function refusal({ refused, most, retryAfterSeconds }: { refused: string; most: number; retryAfterSeconds: number }) {
  const message =
    refused === 'too_many_open'
      ? `The key has ${most} exports that wait or run, as many as are allowed. Try again in ${counted(retryAfterSeconds, 'second')}, or delete one.`
      : `The key has ordered ${most} exports today, as many as are allowed. Try again in ${counted(retryAfterSeconds, 'second')}.`
  return new ApiError('rate_limited', message, { retryAfterSeconds })
}

/** Returns the request field that selects parts of the dataset. */
function partsFieldOf(dataset: BulkDataset): PartsField {
  const field = FIELDS[DATASETS[dataset].partitionedBy.part]
  if (field === undefined) throw new Error(`the parts of ${dataset} have no field`)
  return field
}

/** Throws if the service has no key to sign download URLs with. */
function ordersOf({ service, caller }: Pick<EndpointRequest<unknown, unknown, unknown>, 'service' | 'caller'>): {
  orders: ExportOrderService
  root: string
} {
  const { root } = keyOf(caller)
  if (service.exportOrders === undefined) throw noSigningKey()
  return { orders: service.exportOrders, root }
}

function checkedOrderId(id: string): string {
  if (!ID.test(id)) throw noSuchOrder()
  return id
}

/** Also for exports of other keys, whose existence must not be revealed. */
function noSuchOrder() {
  return notFound('There is no such export.')
}

function presentOrder(order: OrderWithDownload, baseUrl: URL): ExportOrderBody {
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
