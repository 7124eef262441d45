import { alert } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS_TAG, alertCaller, alertPath, checkedAlertId, EXAMPLE_ALERT, noSuchAlert } from './alert-request.ts'
import { presentAlert } from './present-alert.ts'

/** One alert of the caller, without its secret. Decisions: "Alerts and webhooks". */
export const getAlert = endpoint({
  id: 'getAlert',
  method: 'get',
  path: '/alerts/{id}',
  tag: ALERTS_TAG,
  summary: 'One alert',
  description: 'The alert with its state, without its secret.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  pathSchema: alertPath,
  reply: alert,
  example: presentAlert(EXAMPLE_ALERT),
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { alerts, keyId } = alertCaller(request)
    const found = await alerts.find(keyId, checkedAlertId(path.id))
    if (found === undefined) throw noSuchAlert()
    return presentAlert(found)
  },
})
