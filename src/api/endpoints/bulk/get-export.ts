import { exportOrder } from '../../contract/export-orders.ts'
import { lowestPlan } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { checkedOrderId, EXAMPLE_ORDER, exportOrderPath, noSuchOrder, ordersOf, presentOrder } from './export-orders.ts'

/** How far an export to order is, and its file. */
export const getExport = endpoint({
  id: 'getExport',
  method: 'get',
  path: '/bulk/exports/{id}',
  tag: 'Bulk',
  summary: 'Get an export',
  description:
    'Returns the progress of an export, with a new signed download URL once it is ready. While it runs, `rows`' +
    ' and `percent` are updated every second.',
  plan: lowestPlan(({ bulk }) => bulk),
  status: 'live',
  cache: 'none',
  pathSchema: exportOrderPath,
  reply: exportOrder,
  example: presentOrder(EXAMPLE_ORDER, EXAMPLE_BASE_URL),
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { orders, keyId } = ordersOf(request)
    const { baseUrl } = request.service.config
    const order = await orders.find(keyId, checkedOrderId(path.id), baseUrl)
    if (order === undefined) throw noSuchOrder()
    return presentOrder(order, baseUrl)
  },
})
