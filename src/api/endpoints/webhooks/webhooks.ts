import { PLANS } from '../../contract/plans.ts'
import { createdWebhook, newWebhook, webhook, webhookChange, webhookList } from '../../contract/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { operationsOn } from './operations.ts'
import { EXAMPLE_SECRET, EXAMPLE_WEBHOOK, presentWebhook } from './present.ts'
import { acceptedOrThrow, callerOf, checkedId, noSuch, pathOf, WEBHOOKS } from './subject.ts'

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
  cache: 'none',
  isQueued: false,
  body: newWebhook,
  reply: createdWebhook,
  creates: 201,
  example: {
    ...presentWebhook(EXAMPLE_WEBHOOK),
    signing_secret: EXAMPLE_SECRET,
  },
  fails: ['not_found'],
  async handle({ body, ...request }) {
    const { own, key } = callerOf(WEBHOOKS, request)
    const { url, events: kinds, datasets = null, zones = null } = body
    const most = PLANS[request.caller.plan].webhooksMax
    const settings = { kinds, datasets, zones }
    const created = acceptedOrThrow(await own.create(key.root, { settings, receiving: { url }, most }), WEBHOOKS)
    return { ...presentWebhook(created.webhook), signing_secret: created.signingSecret }
  },
})

/** The webhooks of the caller's key, and of the keys it was rotated from. */
export const listWebhooks = endpoint({
  id: 'listWebhooks',
  method: 'get',
  path: '/webhooks',
  tag: WEBHOOKS.tag,
  summary: 'List webhooks',
  description: 'Returns the webhooks of the key, the oldest first, without secrets.',
  plan: 'API',
  cache: 'none',
  reply: webhookList,
  example: { count: 1, webhooks: [presentWebhook(EXAMPLE_WEBHOOK)] },
  fails: ['not_found'],
  async handle(request) {
    const { own, key } = callerOf(WEBHOOKS, request)
    const webhooks = await own.list(key.root)
    return { count: webhooks.length, webhooks: webhooks.map(presentWebhook) }
  },
})

export const changeWebhook = endpoint({
  id: 'changeWebhook',
  method: 'patch',
  path: '/webhooks/{id}',
  tag: WEBHOOKS.tag,
  summary: 'Change a webhook',
  description:
    'Changes the URL or the subscribed changes; omitted fields and the signing secret stay the same. Pending events are sent to the new URL. ' +
    'A new receiver is verified where this service verifies receivers.',
  plan: 'API',
  cache: 'none',
  isQueued: false,
  pathSchema: pathOf(WEBHOOKS),
  body: webhookChange,
  reply: webhook,
  example: presentWebhook(EXAMPLE_WEBHOOK),
  fails: ['not_found'],
  async handle({ path, body, ...request }) {
    const { own, key } = callerOf(WEBHOOKS, request)
    const { url, events: kinds, ...rest } = body
    const receiving = url === undefined ? undefined : { url }
    const changed = await own.change(key.root, checkedId(WEBHOOKS, path.id), {
      settings: { ...rest, kinds },
      receiving,
    })
    if (changed === undefined) throw noSuch(WEBHOOKS)
    return presentWebhook(acceptedOrThrow(changed, WEBHOOKS).webhook)
  },
})

const { get, ...others } = operationsOn(WEBHOOKS)
export const listWebhookDeliveries = others.listDeliveries

export const WEBHOOK_ENDPOINTS = [createWebhook, listWebhooks, get, changeWebhook, ...Object.values(others)]
