/** The e-mail that notifies the owner of a suspended alert. Spec: "Events", rule 4. */
import type { SuspendedAlert } from '../../store/emails.ts'
import { DELIVERY_HOURS } from './retry-schedule.ts'

export function suspensionMail(alert: SuspendedAlert, baseUrl: string): { subject: string; body: string } {
  const reason =
    alert.suspendedBecause === 'gone'
      ? 'its receiver answered 410 Gone'
      : `${alert.consecutiveFailures} calls to its receiver failed one after another`
  return {
    subject: `Alert ${alert.id} is suspended`,
    body: [
      `The alert ${alert.id} (${alert.asset} ${alert.condition} ${alert.threshold}) has been suspended since ${alert.suspendedAt.toString({ smallestUnit: 'second' })}: ${reason}.`,
      '',
      `Its calls go to the host ${alert.host}. The errors of each call are listed at`,
      `GET ${baseUrl}/v1/alerts/${alert.id}/deliveries`,
      '',
      'Once the receiver works again, resume the alert with',
      `POST ${baseUrl}/v1/alerts/${alert.id}/resume`,
      '',
      `Calls that are less than ${DELIVERY_HOURS} hours old are then made at once.`,
    ].join('\n'),
  }
}
