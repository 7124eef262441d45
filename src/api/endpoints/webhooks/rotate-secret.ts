import { DELIVERY_HOURS } from '../../../delivery/webhooks/retry-schedule.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import type { WebhookKind } from '../../../store/webhooks.ts'
import { rotatedSecret } from '../../contract/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS, callerOf, checkedId, noSuch, pathOf, type Subject, WEBHOOKS } from './subject.ts'

/** A new signing secret; the old one signs too for a day. Decisions: "Alerts and webhooks". */
function rotation<K extends WebhookKind>(subject: Subject<K>, id: string) {
  return endpoint({
    id,
    method: 'post',
    path: `${subject.path}/{id}/rotate-secret`,
    tag: subject.tag,
    summary: `Rotate the secret of ${subject.one}`,
    description:
      `Creates a new signing secret and shows it once. For ${DELIVERY_HOURS} hours requests carry both signatures: ` +
      '`webhook-signature` lists the two, and `X-SVC-Signature-Previous` comes with `X-SVC-Signature`.',
    plan: 'API',
    status: 'live',
    cache: 'none',
    pathSchema: pathOf(subject),
    reply: rotatedSecret,
    example: {
      id: subject.example.id,
      signing_secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
      previous_secret_valid_until: '2026-11-22T10:00:00Z',
    },
    fails: ['not_found'],
    async handle({ path, ...request }) {
      const { own, keyId } = callerOf(subject, request)
      const id = checkedId(subject, path.id)
      const rotated = await own.rotateSecret(keyId, id)
      if (rotated === undefined) throw noSuch(subject)
      return {
        id,
        signing_secret: rotated.signingSecret,
        previous_secret_valid_until: toUtcIso(rotated.previousUntil),
      }
    },
  })
}

export const rotateAlertSecret = rotation(ALERTS, 'rotateAlertSecret')
export const rotateWebhookSecret = rotation(WEBHOOKS, 'rotateWebhookSecret')
