/** The e-mail that notifies the owner of a suspended alert or webhook. Spec: "Events", rule 4. */
import { toUtcIso } from '../../market/market-day.ts'
import type { SuspendedWebhook } from '../../store/emails.ts'
import { DELIVERY_HOURS } from './retry-schedule.ts'

export function suspensionMail(webhook: SuspendedWebhook, baseUrl: string): { subject: string; body: string } {
  const isAlert = webhook.asset !== null
  const [name, path] = isAlert ? ['alert', 'alerts'] : ['webhook', 'webhooks']
  const about = isAlert ? ` (${webhook.asset} ${webhook.condition} ${webhook.threshold})` : ''
  const reason =
    webhook.suspendedBecause === 'gone'
      ? 'its receiver answered 410 Gone'
      : `${webhook.consecutiveFailures} calls to its receiver failed one after another`
  return {
    subject: `${isAlert ? 'Alert' : 'Webhook'} ${webhook.id} is suspended`,
    body: [
      `The ${name} ${webhook.id}${about} has been suspended since ${toUtcIso(webhook.suspendedAt)}: ${reason}.`,
      '',
      `Its calls go to the host ${webhook.host}. The errors of each call are listed at`,
      `GET ${baseUrl}/v1/${path}/${webhook.id}/deliveries`,
      '',
      `Once the receiver works again, resume the ${name} with`,
      `POST ${baseUrl}/v1/${path}/${webhook.id}/resume`,
      '',
      `Calls that are less than ${DELIVERY_HOURS} hours old are then made at once.`,
    ].join('\n'),
  }
}
