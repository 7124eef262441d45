import type { WebhookKind } from '../../../store/webhooks.ts'
import { CALLS_PER_MINUTE, webhookDelivery } from '../../contract/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_DELIVERIES } from './delivery-example.ts'
import { presentDelivery } from './present.ts'
import {
  ALERTS,
  callerOf,
  checkedDeliveryId,
  checkedId,
  deliveryOrThrow,
  deliveryPathOf,
  noSuchDelivery,
  type Subject,
  WEBHOOKS,
} from './subject.ts'

/** Sends an event again. Decisions: "Alerts and webhooks". */
function replay<K extends WebhookKind>(subject: Subject<K>, id: string) {
  return endpoint({
    id,
    method: 'post',
    path: `${subject.path}/{id}/deliveries/{delivery_id}/replay`,
    tag: subject.tag,
    summary: `Replay an event`,
    description:
      'Queues another delivery of the same event: the same body and `webhook-id`, a new timestamp and signature. ' +
      `At most ${CALLS_PER_MINUTE} tests, replays and challenges a minute per ${subject.noun}.`,
    plan: 'API',
    status: 'live',
    cache: 'none',
    pathSchema: deliveryPathOf(subject),
    reply: webhookDelivery,
    example: EXAMPLE_DELIVERIES[subject.kind].pending,
    fails: ['not_found'],
    async handle({ path, ...request }) {
      const { own, keyId } = callerOf(subject, request)
      const requested = await own.replay(
        keyId,
        checkedId(subject, path.id),
        checkedDeliveryId(subject, path.delivery_id),
      )
      if (requested === undefined) throw noSuchDelivery(subject)
      return presentDelivery(deliveryOrThrow(subject, requested))
    },
  })
}

export const replayAlertDelivery = replay(ALERTS, 'replayAlertDelivery')
export const replayWebhookDelivery = replay(WEBHOOKS, 'replayWebhookDelivery')
