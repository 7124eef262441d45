/** The body of a webhook call as text: the same characters at every attempt, since the signature covers them. Spec: "Events". */
import { ALERT_UNIT, type AlertAsset, type AlertCondition, type WebhookBody } from '../../api/contract/alerts.ts'
import { toNative } from '../../market/price-units.ts'

export interface WebhookEvent {
  kind: 'triggered' | 'test'
  alertId: string
  asset: AlertAsset
  condition: AlertCondition
  threshold: number
  /** €/MWh; null in a test of an index that has no price yet. */
  price: number | null
  day: string | null
  triggeredAt: Temporal.Instant
}

export function webhookBody(event: WebhookEvent): string {
  const body: WebhookBody = {
    type: event.kind === 'triggered' ? 'alert.triggered' : 'alert.test',
    alert_id: event.alertId,
    asset: event.asset.toUpperCase(),
    condition: event.condition,
    threshold: event.threshold,
    value: event.price === null ? null : toNative(event.price),
    unit: ALERT_UNIT,
    date: event.day,
    triggered_at: event.triggeredAt.toString({ smallestUnit: 'second' }),
  }
  return JSON.stringify(body)
}
