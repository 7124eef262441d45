import { alertDelivery, CALL_TYPES, CALLS_PER_MINUTE } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS_TAG, alertCaller, alertPath, checkedAlertId, deliveryOrThrow, noSuchAlert } from './alert-request.ts'
import { EXAMPLE_PENDING } from './delivery-example.ts'
import { presentDelivery } from './present-alert.ts'

/** Sends the challenge to the receiver of an alert again. src/delivery/alerts/README.md. */
export const verifyAlert = endpoint({
  id: 'verifyAlert',
  method: 'post',
  path: '/alerts/{id}/verify',
  tag: ALERTS_TAG,
  summary: 'Verify a receiver',
  description:
    'Sends a challenge to the receiver of an alert whose `verification` is `pending`, as its creation did: a signed call of type ' +
    '`webhook.verification`, to be answered with a 2xx and the challenge, as text or as `{"challenge": "…"}`. ' +
    `At most ${CALLS_PER_MINUTE} tests, replays and challenges a minute and alert.`,
  plan: 'API',
  status: 'live',
  cache: 'none',
  pathSchema: alertPath,
  reply: alertDelivery,
  example: { ...EXAMPLE_PENDING, type: CALL_TYPES.verification },
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { alerts, keyId } = alertCaller(request)
    const requested = await alerts.verify(keyId, checkedAlertId(path.id))
    if (requested === undefined) throw noSuchAlert()
    return presentDelivery(deliveryOrThrow(requested))
  },
})
