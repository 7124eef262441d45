import { webhookList } from '../../contract/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_WEBHOOK, presentWebhook } from './present.ts'
import { callerOf, WEBHOOKS } from './subject.ts'

/** The webhooks of the caller's key, and of the keys it was rotated from. */
export const listWebhooks = endpoint({
  id: 'listWebhooks',
  method: 'get',
  path: '/webhooks',
  tag: WEBHOOKS.tag,
  summary: 'List webhooks',
  description: 'Returns the webhooks of the key, the oldest first, without secrets.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  reply: webhookList,
  example: { count: 1, webhooks: [presentWebhook(EXAMPLE_WEBHOOK)] },
  fails: ['not_found'],
  async handle(request) {
    const { own, keyId } = callerOf(WEBHOOKS, request)
    const webhooks = await own.list(keyId)
    return { count: webhooks.length, webhooks: webhooks.map(presentWebhook) }
  },
})
