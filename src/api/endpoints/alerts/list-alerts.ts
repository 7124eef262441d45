import { alertList } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS_TAG, alertCaller, EXAMPLE_ALERT } from './alert-request.ts'
import { presentAlert } from './present-alert.ts'

/** The alerts of the caller's key, and of the keys it was rotated from. Decisions: "Alerts and webhooks". */
export const listAlerts = endpoint({
  id: 'listAlerts',
  method: 'get',
  path: '/alerts',
  tag: ALERTS_TAG,
  summary: 'Alerts of a key',
  description: 'Every alert of the key, the oldest first, without secrets.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  reply: alertList,
  example: { count: 1, alerts: [presentAlert(EXAMPLE_ALERT)] },
  fails: ['not_found'],
  async handle(request) {
    const caller = alertCaller(request)
    const alerts = await caller.alerts.list(caller.keyId)
    return { count: alerts.length, alerts: alerts.map(presentAlert) }
  },
})
