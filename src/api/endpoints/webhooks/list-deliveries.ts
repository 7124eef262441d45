import type { WebhookKind } from '../../../store/webhooks.ts'
import { deliveryList } from '../../contract/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_DELIVERIES } from './delivery-example.ts'
import { presentDelivery } from './present.ts'
import { ALERTS, callerOf, checkedId, noSuch, pathOf, type Subject, WEBHOOKS } from './subject.ts'

/** What was sent, each attempt with its outcome. Decisions: "Alerts and webhooks". */
function deliveries<K extends WebhookKind>(subject: Subject<K>, id: string) {
  return endpoint({
    id,
    method: 'get',
    path: `${subject.path}/{id}/deliveries`,
    tag: subject.tag,
    summary: `List deliveries of ${subject.one}`,
    description:
      'Returns the latest 100 deliveries, the newest first, each attempt with its time, status, duration and error.',
    plan: 'API',
    status: 'live',
    cache: 'none',
    pathSchema: pathOf(subject),
    reply: deliveryList,
    example: { count: 1, deliveries: [EXAMPLE_DELIVERIES[subject.kind].done] },
    fails: ['not_found'],
    async handle({ path, ...request }) {
      const { own, keyId } = callerOf(subject, request)
      const deliveries = await own.deliveries(keyId, checkedId(subject, path.id))
      if (deliveries === undefined) throw noSuch(subject)
      return { count: deliveries.length, deliveries: deliveries.map(presentDelivery) }
    },
  })
}

export const listAlertDeliveries = deliveries(ALERTS, 'listAlertDeliveries')
export const listWebhookDeliveries = deliveries(WEBHOOKS, 'listWebhookDeliveries')
