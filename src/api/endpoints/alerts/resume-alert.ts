import { DELIVERY_HOURS } from '../../../delivery/alerts/retry-schedule.ts'
import { alert } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS_TAG, alertCaller, alertPath, checkedAlertId, EXAMPLE_ALERT, noSuchAlert } from './alert-request.ts'
import { presentAlert } from './present-alert.ts'

/** Sets a suspended alert active again. Decisions: "Alerts and webhooks". */
export const resumeAlert = endpoint({
  id: 'resumeAlert',
  method: 'post',
  path: '/alerts/{id}/resume',
  tag: ALERTS_TAG,
  summary: 'Resume an alert',
  description:
    `Sets a suspended alert active again with a new count of failures; deliveries that are less than ${DELIVERY_HOURS} hours old are tried at once. ` +
    'An active alert stays active, its count set to 0.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  pathSchema: alertPath,
  reply: alert,
  example: presentAlert(EXAMPLE_ALERT),
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { alerts, keyId } = alertCaller(request)
    const resumed = await alerts.resume(keyId, checkedAlertId(path.id))
    if (resumed === undefined) throw noSuchAlert()
    return presentAlert(resumed)
  },
})
