import { PLANS } from '../../contract/plans.ts'
import { createdWebhook, newWebhook } from '../../contract/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { acceptedOrThrow } from './accepted.ts'
import { EXAMPLE_WEBHOOK, presentWebhook } from './present.ts'
import { callerOf, WEBHOOKS } from './subject.ts'

/** Creates a webhook of changes; the only answer that shows its signing secret. */
export const createWebhook = endpoint({
  id: 'createWebhook',
  method: 'post',
  path: '/webhooks',
  tag: WEBHOOKS.tag,
  summary: 'Create a webhook',
  description:
    'Sends a signed request to your URL for each new change of the kinds in `events`: a day published or ' +
    'corrected, a forecast issued, a late publisher. Each change is sent at least once, always with the same ' +
    '`webhook-id`, signed and retried like alerts. The signing secret is shown only here. If this service ' +
    'verifies receivers, `verification` is `pending` and the receiver is sent a challenge first.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  isQueued: false,
  body: newWebhook,
  reply: createdWebhook,
  creates: 201,
  example: {
    ...presentWebhook(EXAMPLE_WEBHOOK),
    signing_secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  },
  fails: ['not_found'],
  async handle({ body, ...request }) {
    const { own, keyId } = callerOf(WEBHOOKS, request)
    const { url, events: kinds, datasets = null, zones = null } = body
    const most = PLANS[request.caller.plan].webhooksMax
    const wanted = { kinds, datasets, zones }
    const created = acceptedOrThrow(await own.create(keyId, { wanted, receiving: { url }, most }), WEBHOOKS)
    return { ...presentWebhook(created.webhook), signing_secret: created.signingSecret }
  },
})
