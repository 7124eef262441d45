import { DELIVERY_HOURS } from '../../../delivery/alerts/retry-schedule.ts'
import { rotatedSecret } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS_TAG, alertCaller, alertPath, checkedAlertId, noSuchAlert } from './alert-request.ts'
import { inSeconds } from './present-alert.ts'

/** A new signing secret; the old one signs too for a day. Decisions: "Alerts and webhooks". */
export const rotateAlertSecret = endpoint({
  id: 'rotateAlertSecret',
  method: 'post',
  path: '/alerts/{id}/rotate-secret',
  tag: ALERTS_TAG,
  summary: 'Rotate a signing secret',
  description:
    `Makes a new signing secret and shows it once. For ${DELIVERY_HOURS} hours calls carry both signatures: ` +
    '`webhook-signature` lists the two, and `X-SVC-Signature-Previous` comes with `X-SVC-Signature`.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  pathSchema: alertPath,
  reply: rotatedSecret,
  example: {
    id: 'alr_5k2m9q7x1c4d8f3g',
    signing_secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
    previous_secret_valid_until: '2026-11-22T10:00:00Z',
  },
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { alerts, keyId } = alertCaller(request)
    const id = checkedAlertId(path.id)
    const rotated = await alerts.rotateSecret(keyId, id)
    if (rotated === undefined) throw noSuchAlert()
    return {
      id,
      signing_secret: rotated.signingSecret,
      previous_secret_valid_until: inSeconds(rotated.previousUntil),
    }
  },
})
