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
  summary: 'Delete an export',
  description:
    'Cancels a queued or running export, or deletes the file of a finished one. Its download URLs stop ' + 'working.',
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
