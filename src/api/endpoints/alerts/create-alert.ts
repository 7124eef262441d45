import { createdAlert, newAlert } from '../../contract/alerts.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS_TAG, alertCaller, EXAMPLE_ALERT, tooManyChallenges } from './alert-request.ts'
import { presentAlert } from './present-alert.ts'

/** Creates an alert; the only answer that shows its signing secret. Spec: "POST /alerts". */
export const createAlert = endpoint({
  id: 'createAlert',
  method: 'post',
  path: '/alerts',
  tag: ALERTS_TAG,
  summary: 'Create an alert',
  description:
    'Watches the daily price of an index and calls a webhook when it crosses the threshold, at most once per market day. ' +
    'The signing secret is shown only here. Where this service verifies receivers, `verification` is `pending` and the receiver is sent ' +
    'a challenge first.',
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
    const { alerts, keyId } = alertCaller(request)
    const { asset, condition, threshold, webhook_url: webhookUrl } = body
    const created = await alerts.create(keyId, { asset, condition, threshold, webhookUrl })
    if ('alert' in created) return { ...presentAlert(created.alert), signing_secret: created.signingSecret }
    if (created.refused === 'too_many_challenges') throw tooManyChallenges(created.retryAfterSeconds)
    if (created.refused === 'url') throw invalidParameter('webhook_url', created.problem)
    throw invalidParameter('body', `would make more than ${created.most} alerts, the most a key may have`)
  },
})
