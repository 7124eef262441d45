/** Subject of an operation: an alert, or a change webhook. Operations after creation are the same for both. */
import * as z from 'zod'
import type {
  ChangeResult,
  CreateResult,
  RequestedDelivery,
  WebhookService,
} from '../../../delivery/webhooks/webhook-service.ts'
import { counted } from '../../../market/counted.ts'
import type { ApiKeyRecord } from '../../../store/api-keys.ts'
import type { DeliveryRecord } from '../../../store/webhook-events.ts'
import { ID_PREFIXES, type WebhookKind, type WebhookRecord } from '../../../store/webhooks.ts'
import { type Alert, alert } from '../../contract/alerts.ts'
import { ApiError, invalidParameter, notFound, rateLimited } from '../../contract/errors.ts'
import * as field from '../../contract/fields.ts'
import type { Tag } from '../../contract/tags.ts'
import { CALLS_PER_MINUTE, type WebhookBody, webhook } from '../../contract/webhooks.ts'
import { keyOf } from '../../http/caller.ts'
import type { EndpointRequest } from '../../http/endpoint.ts'
import { EXAMPLE_ALERT, EXAMPLE_WEBHOOK, presentAlert, presentWebhook } from './present.ts'

interface Named {
  kind: WebhookKind
  noun: 'alert' | 'webhook'
  /** Noun in operation ids. */
  name: 'Alert' | 'Webhook'
  /** Noun with its article. */
  one: string
  path: '/alerts' | '/webhooks'
  /** Name of the field that contains its URL. */
  urlField: 'webhook_url' | 'url'
  tag: Tag
  schema: typeof alert | typeof webhook
  example: { id: string }
}

export interface Subject<K extends WebhookKind> extends Named {
  kind: K
  example: WebhookRecord<K>
  present(record: WebhookRecord<K>): Alert | WebhookBody
}

export const ALERTS: Subject<'alert'> = {
  kind: 'alert',
  noun: 'alert',
  name: 'Alert',
  one: 'an alert',
  path: '/alerts',
  urlField: 'webhook_url',
  tag: 'Alerts',
  schema: alert,
  present: presentAlert,
  example: EXAMPLE_ALERT,
}
export const WEBHOOKS: Subject<'changes'> = {
  kind: 'changes',
  noun: 'webhook',
  name: 'Webhook',
  one: 'a webhook',
  path: '/webhooks',
  urlField: 'url',
  tag: 'Webhooks',
  schema: webhook,
  present: presentWebhook,
  example: EXAMPLE_WEBHOOK,
}

const ID = /^[0-9a-z]{16}$/
const DELIVERY_ID = /^dlv_[0-9a-f]{32}$/

/** Accepts any text: a malformed id is not found, like one that does not exist. */
export function pathOf({ noun, example }: Pick<Named, 'noun' | 'example'>) {
  return z.object({ id: field.text(`Identifier of the ${noun}.`, example.id) })
}

export function deliveryPathOf(subject: Pick<Named, 'noun' | 'example'>) {
  return pathOf(subject).extend({
    delivery_id: field.text('Identifier of the delivery.', 'dlv_0f8fad5bd9cb469fa16570867728950e'),
  })
}

/** Throws if the service has no key to encrypt signing secrets. */
export function callerOf<K extends WebhookKind>(
  { kind }: Pick<Subject<K>, 'kind'>,
  { service, caller }: Pick<EndpointRequest<unknown, unknown, unknown>, 'service' | 'caller'>,
): { own: WebhookService<K>; key: ApiKeyRecord } {
  const key = keyOf(caller)
  if (service.webhooks === undefined)
    throw notFound('Alerts and webhooks are not set up on this service: it has no SECRETS_KEY')
  return { own: service.webhooks[kind] as WebhookService<K>, key }
}

export function checkedId(subject: Pick<Named, 'kind' | 'noun'>, id: string): string {
  const prefix = ID_PREFIXES[subject.kind]
  if (!id.startsWith(prefix) || !ID.test(id.slice(prefix.length))) throw noSuch(subject)
  return id
}

export function checkedDeliveryId(subject: Pick<Named, 'noun'>, id: string): string {
  if (!DELIVERY_ID.test(id)) throw noSuchDelivery(subject)
  return id
}

/** Also for those that belong to other keys, whose existence must not be revealed. */
export function noSuch({ noun }: Pick<Named, 'noun'>): ApiError {
  return notFound(`There is no such ${noun}.`)
}

export function noSuchDelivery({ noun }: Pick<Named, 'noun'>): ApiError {
  return notFound(`There is no such delivery of this ${noun}.`)
}

/** The delivery that was requested; throws if it was refused. */
export function deliveryOrThrow(
  { noun, one, path }: Pick<Named, 'noun' | 'one' | 'path'>,
  requested: RequestedDelivery,
): DeliveryRecord {
  if ('delivery' in requested) return requested.delivery
  switch (requested.refused) {
    case 'unverified':
      throw invalidParameter(
        'id',
        `names ${one} whose receiver is not verified: POST ${path}/{id}/verify sends the challenge`,
      )
    case 'no_challenge_due':
      throw invalidParameter('id', `names ${one} whose receiver needs no verification`)
    case 'too_many_calls':
      throw rateLimited(CALLS_PER_MINUTE, requested.retryAfterSeconds, `tests, replays and challenges of this ${noun}`)
    case 'too_many_challenges':
      throw tooManyChallenges({ noun }, requested.retryAfterSeconds)
  }
}

function tooManyChallenges({ noun }: Pick<Named, 'noun'>, retryAfterSeconds: number): ApiError {
  const message = `Too many challenges were sent to this host for your ${noun}s. Try again in ${counted(retryAfterSeconds, 'second')}.`
  return new ApiError('rate_limited', message, { retryAfterSeconds })
}

/** The created or changed subject; throws if it was refused. */
export function acceptedOrThrow<K extends WebhookKind, Outcome extends CreateResult<K> | ChangeResult<K>>(
  outcome: Outcome,
  subject: Subject<K>,
): Extract<Outcome, { webhook: unknown }> {
  if ('webhook' in outcome) return outcome as Extract<Outcome, { webhook: unknown }>
  switch (outcome.refused) {
    case 'too_many_challenges':
      throw tooManyChallenges(subject, outcome.retryAfterSeconds)
    case 'receiver':
      throw invalidParameter(outcome.field === 'url' ? subject.urlField : outcome.field, outcome.problem)
    case 'too_many':
      throw invalidParameter('body', `would make more than ${outcome.most} ${subject.noun}s, the most a key may have`)
  }
}
