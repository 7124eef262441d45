import type { WebhookKind } from '../../../store/webhooks.ts'
import { CALLS_PER_MINUTE, webhookDelivery } from '../../contract/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_DELIVERIES } from './delivery-example.ts'
import { presentDelivery } from './present.ts'
import { ALERTS, callerOf, checkedId, deliveryOrThrow, noSuch, pathOf, type Subject, WEBHOOKS } from './subject.ts'

/** Sends the challenge to the receiver again. src/delivery/webhooks/README.md. */
function verification<K extends WebhookKind>(subject: Subject<K>, id: string) {
  return endpoint({
    id,
    method: 'post',
    path: `${subject.path}/{id}/verify`,
    tag: subject.tag,
    summary: `Verify the receiver of ${subject.one}`,
    description:
      `Sends a challenge to the receiver of ${subject.one} whose \`verification\` is \`pending\`: a signed request of type \`webhook.verification\`, ` +
      'to be answered with a 2xx status and the challenge, as text or as `{"challenge": "…"}`. ' +
      `At most ${CALLS_PER_MINUTE} tests, replays and challenges a minute per ${subject.noun}.`,
    plan: 'API',
    status: 'live',
    cache: 'none',
    pathSchema: pathOf(subject),
    reply: webhookDelivery,
    example: { ...EXAMPLE_DELIVERIES[subject.kind].pending, type: 'webhook.verification' },
    fails: ['not_found'],
    async handle({ path, ...request }) {
      const { own, keyId } = callerOf(subject, request)
      const requested = await own.verify(keyId, checkedId(subject, path.id))
      if (requested === undefined) throw noSuch(subject)
      return presentDelivery(deliveryOrThrow(subject, requested))
    },
  })
}

export const verifyAlert = verification(ALERTS, 'verifyAlert')
export const verifyWebhook = verification(WEBHOOKS, 'verifyWebhook')
