import type { WebhookKind } from '../../../store/webhooks.ts'
import { alertChange } from '../../contract/alerts.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { webhookChange } from '../../contract/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { acceptedOrThrow } from './accepted.ts'
import { ALERTS, callerOf, checkedId, noSuch, pathOf, type Subject, WEBHOOKS } from './subject.ts'

function changeOf<K extends WebhookKind>(subject: Subject<K>) {
  return {
    method: 'patch',
    path: `${subject.path}/{id}`,
    tag: subject.tag,
    summary: `Change ${subject.one}`,
    plan: 'API',
    status: 'live',
    cache: 'none',
    isQueued: false,
    pathSchema: pathOf(subject),
    reply: subject.schema,
    example: subject.present(subject.example),
    fails: ['not_found'],
  } as const
}

/** Fields of an alert are changed; its secret, its deliveries and what it has fired stay. */
export const changeAlert = endpoint({
  ...changeOf(ALERTS),
  id: 'changeAlert',
  description:
    'Changes the threshold, the receiver or the body format; omitted fields and the signing secret stay the same. With another threshold the ' +
    'alert is evaluated like a new one. A new receiver is verified where this service verifies receivers. A suspended alert stays suspended ' +
    'until it is resumed.',
  body: alertChange,
  async handle({ path, body, ...request }) {
    const { own, keyId } = callerOf(ALERTS, request)
    const id = checkedId(ALERTS, path.id)
    const { webhook_url: url, email, ...wanted } = body
    if (wanted.threshold === 0 && (await own.find(keyId, id))?.condition === 'change_pct')
      throw invalidParameter('threshold', 'must not be 0 for change_pct')
    const receiving = url === undefined ? email && { email } : { url }
    const changed = await own.change(keyId, id, { wanted, receiving })
    if (changed === undefined) throw noSuch(ALERTS)
    return ALERTS.present(acceptedOrThrow(changed, ALERTS).webhook)
  },
})

export const changeWebhook = endpoint({
  ...changeOf(WEBHOOKS),
  id: 'changeWebhook',
  description:
    'Changes the URL or the subscribed changes; omitted fields and the signing secret stay the same. Pending events are sent to the new URL. ' +
    'A new receiver is verified where this service verifies receivers.',
  body: webhookChange,
  async handle({ path, body, ...request }) {
    const { own, keyId } = callerOf(WEBHOOKS, request)
    const { url, events: kinds, ...rest } = body
    const receiving = url === undefined ? undefined : { url }
    const changed = await own.change(keyId, checkedId(WEBHOOKS, path.id), { wanted: { ...rest, kinds }, receiving })
    if (changed === undefined) throw noSuch(WEBHOOKS)
    return WEBHOOKS.present(acceptedOrThrow(changed, WEBHOOKS).webhook)
  },
})
