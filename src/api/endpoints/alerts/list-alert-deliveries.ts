import { deliveryList } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS_TAG, alertCaller, alertPath, checkedAlertId, noSuchAlert } from './alert-request.ts'
import { EXAMPLE_DELIVERY } from './delivery-example.ts'
import { presentDelivery } from './present-alert.ts'

/** What was sent, each attempt with its outcome. Decisions: "Alerts and webhooks". */
export const listAlertDeliveries = endpoint({
  id: 'listAlertDeliveries',
  method: 'get',
  path: '/alerts/{id}/deliveries',
  tag: ALERTS_TAG,
  summary: 'Deliveries of an alert',
  description: 'The latest 100 deliveries, the newest first, each attempt with its time, status, duration and error.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  pathSchema: alertPath,
  reply: deliveryList,
  example: { count: 1, deliveries: [EXAMPLE_DELIVERY] },
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { alerts, keyId } = alertCaller(request)
    const deliveries = await alerts.deliveries(keyId, checkedAlertId(path.id))
    if (deliveries === undefined) throw noSuchAlert()
    return { count: deliveries.length, deliveries: deliveries.map(presentDelivery) }
  },
})
