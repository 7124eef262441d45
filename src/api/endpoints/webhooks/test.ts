import type { WebhookKind } from '../../../store/webhooks.ts'
import { CALLS_PER_MINUTE, webhookDelivery } from '../../contract/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_DELIVERIES } from './delivery-example.ts'
import { presentDelivery } from './present.ts'
import { ALERTS, callerOf, checkedId, deliveryOrThrow, noSuch, pathOf, type Subject, WEBHOOKS } from './subject.ts'

/** Sends a test call. Decisions: "Alerts and webhooks". */
function testing<K extends WebhookKind>(subject: Subject<K>, id: string) {
  return endpoint({
    id,
    method: 'post',
    path: `${subject.path}/{id}/test`,
    tag: subject.tag,
    summary: `Test ${subject.one}`,
    description:
      `Queues one signed request of type \`${subject.noun}.test\` with the latest ${subject.kind === 'alert' ? 'price of the index' : 'change that it subscribes to, or null'}; ` +
      'the outcome is listed among the deliveries within seconds. It is sent once, even while suspended, and a failure does not count ' +
      `towards the suspension. At most ${CALLS_PER_MINUTE} tests, replays and challenges a minute per ${subject.noun}.`,
    plan: 'API',
    status: 'live',
    cache: 'none',
    pathSchema: pathOf(subject),
    reply: webhookDelivery,
    example: {
      ...EXAMPLE_DELIVERIES[subject.kind].pending,
      type: subject.kind === 'alert' ? 'alert.test' : 'webhook.test',
    },
    fails: ['not_found'],
    async handle({ path, ...request }) {
      const { own, keyId } = callerOf(subject, request)
      const requested = await own.test(keyId, checkedId(subject, path.id))
      if (requested === undefined) throw noSuch(subject)
      return presentDelivery(deliveryOrThrow(subject, requested))
    },
  })
}

export const testAlert = testing(ALERTS, 'testAlert')
export const testWebhook = testing(WEBHOOKS, 'testWebhook')
