import { alertDelivery, CALLS_PER_MINUTE } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import {
  ALERTS_TAG,
  alertCaller,
  checkedAlertId,
  checkedDeliveryId,
  deliveryOrThrow,
  deliveryPath,
  noSuchDelivery,
} from './alert-request.ts'
import { EXAMPLE_PENDING } from './delivery-example.ts'
import { presentDelivery } from './present-alert.ts'

/** Sends an event again. Decisions: "Alerts and webhooks". */
export const replayAlertDelivery = endpoint({
  id: 'replayAlertDelivery',
  method: 'post',
  path: '/alerts/{id}/deliveries/{delivery_id}/replay',
  tag: ALERTS_TAG,
  summary: 'Send an event again',
  description:
    'Queues another delivery of the same event: the same body and `webhook-id`, a new timestamp and signature. ' +
    `At most ${CALLS_PER_MINUTE} tests, replays and challenges a minute and alert.`,
  plan: 'API',
  status: 'live',
  cache: 'none',
  pathSchema: deliveryPath,
  reply: alertDelivery,
  example: EXAMPLE_PENDING,
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { alerts, keyId } = alertCaller(request)
    const requested = await alerts.replay(keyId, checkedAlertId(path.id), checkedDeliveryId(path.delivery_id))
    if (requested === undefined) throw noSuchDelivery()
    return presentDelivery(deliveryOrThrow(requested))
  },
})
