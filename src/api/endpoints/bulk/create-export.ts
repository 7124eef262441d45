import { DATASETS } from '../../../delivery/bulk/datasets/index.ts'
import { counted } from '../../../market/counted.ts'
import { FORECAST_REACH_DAYS } from '../../../market/forecast-scope.ts'
import { WEATHER_DAYS_AHEAD } from '../../../market/fundamentals.ts'
import type { MarketDay } from '../../../market/market-day.ts'
import { BULK_PARTS, type BulkDataset, EXPORT_ORDERS } from '../../contract/bulk.ts'
import { ApiError, invalidParameter } from '../../contract/errors.ts'
import { exportOrder, type NewExportOrderBody, newExportOrder } from '../../contract/export-orders.ts'
import { refuseFuture } from '../../contract/parameters.ts'
import { lowestPlan } from '../../contract/plans.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { EXAMPLE_OF_QUEUED, ordersOf, partsFieldOf, presentOrder } from './export-orders.ts'

/** Orders a file of some rows and columns of a dataset. */
export const createExport = endpoint({
  id: 'createExport',
  method: 'post',
  path: '/bulk/exports',
  tag: 'Bulk',
  summary: 'Order an export',
  description:
    'Creates a file of an interval, selected zones or indices, and selected columns of a dataset, as it is or as it was known at an instant. ' +
    'The export is queued: `GET /bulk/exports/{id}` reports progress; an `export.ready` webhook fires on completion. The file is kept for ' +
    `${EXPORT_ORDERS.fileHours} hours. A key may have ${EXPORT_ORDERS.openMax} queued or running exports and order ${EXPORT_ORDERS.perDay} a day.`,
  plan: lowestPlan(({ bulk }) => bulk),
  status: 'live',
  cache: 'none',
  body: newExportOrder,
  reply: exportOrder,
  creates: 202,
  example: presentOrder(EXAMPLE_OF_QUEUED, EXAMPLE_BASE_URL),
  fails: ['not_found'],
  async handle({ body, ...request }) {
    const { orders, keyId } = ordersOf(request)
    const { dataset, format, from, to, columns = null, as_of: asOf = null } = checked(body, request)
    const placed = await orders.place(keyId, {
      ...{ dataset, format, columns, asOf },
      ...{ firstDay: from.toString(), lastDay: to.toString() },
      parts: body[partsFieldOf(dataset)] ?? null,
    })
    if ('refused' in placed) throw refusal(placed)
    return presentOrder(placed.order, request.service.config.baseUrl)
  },
})

/** The body, if the dataset has what is asked for. */
function checked(body: NewExportOrderBody, { today, now }: Pick<HandlerContext, 'today' | 'now'>): NewExportOrderBody {
  const { dataset, from, to, columns, as_of: asOf } = body
  if (Temporal.PlainDate.compare(to, from) < 0)
    throw invalidParameter('from', `must not be after to (${to}); got "${from}"`)
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
  if (asOf && !DATASETS[dataset].knowsPast)
    throw invalidParameter('as_of', `is not possible with ${dataset}, which has no earlier states`)
  refuseFuture(asOf, now)
  return body
}

/** Of forecasts and of the weather the last day that is forecast; of all others tomorrow, whose prices are published today. */
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
