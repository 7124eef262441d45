import { EXPORT_ORDERS } from '../../contract/bulk.ts'
import { exportOrderList } from '../../contract/export-orders.ts'
import { lowestPlan } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { EXAMPLE_OF_QUEUED, ordersOf, presentOrder } from './export-orders.ts'

/** The exports to order of the caller's key, and of the keys it was rotated from. */
export const listExports = endpoint({
  id: 'listExports',
  method: 'get',
  path: '/bulk/exports',
  tag: 'Bulk',
  summary: 'List exports',
  description: `Returns the exports that the key has ordered, the latest first; failed and expired ones for ${EXPORT_ORDERS.listedHours / 24} days.`,
  plan: lowestPlan(({ bulk }) => bulk),
  status: 'live',
  cache: 'none',
  reply: exportOrderList,
  example: { count: 1, exports: [presentOrder(EXAMPLE_OF_QUEUED, EXAMPLE_BASE_URL)] },
  fails: ['not_found'],
  async handle(request) {
    const { orders, keyId } = ordersOf(request)
    const { baseUrl } = request.service.config
    const exports = await orders.list(keyId, baseUrl)
    return { count: exports.length, exports: exports.map((order) => presentOrder(order, baseUrl)) }
  },
})
