import { alertDelivery, CALLS_PER_MINUTE } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS_TAG, alertCaller, alertPath, checkedAlertId, deliveryOrThrow, noSuchAlert } from './alert-request.ts'
import { EXAMPLE_PENDING } from './delivery-example.ts'
import { presentDelivery } from './present-alert.ts'

/** Sends a test call. Decisions: "Alerts and webhooks". */
export const testAlert = endpoint({
  id: 'testAlert',
  method: 'post',
  path: '/alerts/{id}/test',
  tag: ALERTS_TAG,
  summary: 'Send a test call',
  description:
    'Queues one signed call of type `alert.test` with the latest price of the index; its outcome is among the deliveries within ' +
    'seconds. It is tried once, also while the alert is suspended, and a failure does not count towards the suspension. ' +
    `At most ${CALLS_PER_MINUTE} tests, replays and challenges a minute and alert.`,
  plan: 'API',
  status: 'live',
  cache: 'none',
  pathSchema: alertPath,
  reply: alertDelivery,
  example: { ...EXAMPLE_PENDING, type: 'alert.test' as const },
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { alerts, keyId } = alertCaller(request)
    const requested = await alerts.test(keyId, checkedAlertId(path.id))
    if (requested === undefined) throw noSuchAlert()
    return presentDelivery(deliveryOrThrow(requested))
  },
})
