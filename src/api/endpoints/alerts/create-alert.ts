import { createdAlert, newAlert } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { acceptedOrThrow } from '../webhooks/accepted.ts'
import { EXAMPLE_ALERT, presentAlert } from '../webhooks/present.ts'
import { ALERTS, callerOf } from '../webhooks/subject.ts'

/** Creates an alert; the only answer that shows its signing secret. Spec: "POST /alerts". */
export const createAlert = endpoint({
  id: 'createAlert',
  method: 'post',
  path: '/alerts',
  tag: ALERTS.tag,
  summary: 'Create an alert',
  description:
    'Watches the daily price of an index and calls a webhook when it crosses the threshold, at most once per ' +
    'market day. With `email` it mails the holder of the key instead, who confirms the address once. The ' +
    'signing secret is shown only here. If this service verifies receivers, `verification` is `pending` and ' +
    'the receiver is sent a challenge first.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  isQueued: false,
  body: newAlert,
  reply: createdAlert,
  example: {
    ...presentAlert(EXAMPLE_ALERT),
    signing_secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  },
  fails: ['not_found'],
  async handle({ body, ...request }) {
    const { own, keyId } = callerOf(ALERTS, request)
    const { webhook_url: url, email: _, ...wanted } = body
    const receiving = url === undefined ? { email: true as const } : { url }
    const most = request.service.config.alertsPerKeyMax
    const created = acceptedOrThrow(await own.create(keyId, { wanted, receiving, most }), ALERTS)
    return { ...presentAlert(created.webhook), signing_secret: created.signingSecret }
  },
})
