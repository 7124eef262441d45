import * as z from 'zod'
import { lowestPlan } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'
import { checkedOrderId, exportOrderPath, noSuchOrder, ordersOf } from './export-orders.ts'

/** Cancels an export to order, or removes its file. */
export const deleteExport = endpoint({
  id: 'deleteExport',
  method: 'delete',
  path: '/bulk/exports/{id}',
  tag: 'Bulk',
  summary: 'Remove an export',
  description:
    'Ends an export that waits or runs, and removes the file of one that is ready. Its addresses are no longer good.',
  plan: lowestPlan(({ bulk }) => bulk),
  status: 'live',
  cache: 'none',
  pathSchema: exportOrderPath,
  reply: z.undefined(),
  example: undefined,
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { orders, keyId } = ordersOf(request)
    if (!(await orders.remove(keyId, checkedOrderId(path.id)))) throw noSuchOrder()
    return undefined
  },
})
