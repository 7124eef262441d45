/** The body of a webhook call as text: the same characters at every attempt, since the signature covers them. Spec: "Events". */
import {
  ALERT_UNIT,
  type AlertAsset,
  type AlertCondition,
  CALL_TYPES,
  type ChallengeBody,
  type WebhookBody,
} from '../../api/contract/alerts.ts'
import { toNative } from '../../market/price-units.ts'

interface WebhookEvent {
  kind: keyof typeof CALL_TYPES
  alertId: string
  asset: AlertAsset
  condition: AlertCondition
  threshold: number
  /** €/MWh; null in a test of an index that has no price yet. */
  price: number | null
  day: string | null
  triggeredAt: Temporal.Instant
  /** Only in a verification, which has no other fields. */
  challenge: string | null
}

export function webhookBody(event: WebhookEvent): string {
  return JSON.stringify(event.kind === 'verification' ? challengeBody(event) : alertBody(event, event.kind))
}

function challengeBody({ alertId, challenge }: WebhookEvent): ChallengeBody {
  if (challenge === null) throw new Error(`the verification of ${alertId} has no challenge`)
  return { type: CALL_TYPES.verification, alert_id: alertId, challenge }
}

function alertBody(event: WebhookEvent, kind: 'triggered' | 'test'): WebhookBody {
  return {
    type: CALL_TYPES[kind],
    alert_id: event.alertId,
    asset: event.asset.toUpperCase(),
    condition: event.condition,
    threshold: event.threshold,
    value: event.price === null ? null : toNative(event.price),
    unit: ALERT_UNIT,
    date: event.day,
    triggered_at: event.triggeredAt.toString({ smallestUnit: 'second' }),
  }
}
