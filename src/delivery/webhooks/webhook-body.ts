/** Body of a call as text. It is identical at every attempt, since the signature covers it. Spec: "Events". */
import { ALERT_UNIT, type AlertAsset, type AlertCallBody, type AlertCondition } from '../../api/contract/alerts.ts'
import type { ChangeKind } from '../../api/contract/changes.ts'
import type { CallType, ChallengeBody, ChangeCallBody, WebhookEventKind } from '../../api/contract/webhooks.ts'
import { toRomeIso, toUtcIso } from '../../market/market-day.ts'
import { roundNative } from '../../market/price-units.ts'
import { changeOfStored, type StoredChange } from '../../store/changes.ts'
import { ID_PREFIXES } from '../../store/webhooks.ts'
import { PLAN_WITH_STREAMS, presentChange } from '../changes/present-change.ts'

interface WebhookEvent {
  kind: WebhookEventKind
  webhookId: string
  asset: AlertAsset | null
  condition: AlertCondition
  threshold: number
  /** €/MWh; null in a test of an index that has no price yet. */
  price: number | null
  hours: readonly Temporal.Instant[] | null
  day: string | null
  /** The change that the call reports; null in a test if nothing has happened yet. */
  change: StoredChange | null
  logId: string
  triggeredAt: Temporal.Instant
  /** Only in a verification, which has no other fields. */
  challenge: string | null
}

/** Type of a call, by its event. */
export function callType(event: {
  kind: WebhookEventKind
  webhookId: string
  changeKind: ChangeKind | null
}): CallType {
  switch (event.kind) {
    case 'triggered':
      return 'alert.triggered'
    case 'changed':
      if (event.changeKind === null) throw new Error(`an event of ${event.webhookId} has no change`)
      return event.changeKind
    case 'test':
      return isAlert(event) ? 'alert.test' : 'webhook.test'
    case 'verification':
      return 'webhook.verification'
  }
}

/** If `baseUrl` is undefined, the body contains no URLs of values. */
export function webhookBody(event: WebhookEvent, baseUrl: URL | undefined): string {
  return JSON.stringify(bodyOf(event, baseUrl))
}

function bodyOf(event: WebhookEvent, baseUrl: URL | undefined) {
  if (event.kind === 'verification') return challengeBody(event)
  return isAlert(event) ? alertBody(event) : changeBody(event, baseUrl)
}

/** Type of the call, as the type of its body. */
const typeOf = <Type extends CallType>(event: WebhookEvent) =>
  callType({ ...event, changeKind: event.change?.kind ?? null }) as Type

function challengeBody(event: WebhookEvent): ChallengeBody {
  const { webhookId, challenge } = event
  if (challenge === null) throw new Error(`the verification of ${webhookId} has no challenge`)
  return { type: typeOf(event), ...(isAlert(event) ? { alert_id: webhookId } : { webhook: webhookId }), challenge }
}

function alertBody(event: WebhookEvent): AlertCallBody {
  const { asset, hours } = event
  if (asset === null) throw new Error(`the alert ${event.webhookId} has no asset`)
  return {
    type: typeOf(event),
    alert_id: event.webhookId,
    asset: asset.toUpperCase(),
    condition: event.condition,
    threshold: event.threshold,
    value: event.price === null ? null : roundNative(event.price),
    unit: ALERT_UNIT,
    date: event.day,
    triggered_at: toUtcIso(event.triggeredAt),
    ...(hours && { hours: hours.map(toRomeIso) }),
  }
}

function changeBody(event: WebhookEvent, baseUrl: URL | undefined): ChangeCallBody {
  const { webhookId, change, logId, triggeredAt } = event
  const data = change && presentChange(changeOfStored(change), { logId, plan: PLAN_WITH_STREAMS, baseUrl })
  return { type: typeOf(event), webhook: webhookId, timestamp: data?.as_of ?? triggeredAt.toString(), data }
}

function isAlert({ webhookId }: { webhookId: string }): boolean {
  return webhookId.startsWith(ID_PREFIXES.alert)
}
