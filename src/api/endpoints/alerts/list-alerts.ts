import { alertFilters, alertList } from '../../contract/alerts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_ALERT, presentAlert } from '../webhooks/present.ts'
import { ALERTS, callerOf } from '../webhooks/subject.ts'

/** The alerts of the caller's key, and of the keys it was rotated from. Decisions: "Alerts and webhooks". */
export const listAlerts = endpoint({
  id: 'listAlerts',
  method: 'get',
  path: '/alerts',
  tag: ALERTS.tag,
  summary: 'List alerts',
  description: 'Returns the alerts of the key, the oldest first, without secrets.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  query: alertFilters,
  reply: alertList,
  example: { count: 1, alerts: [presentAlert(EXAMPLE_ALERT)] },
  fails: ['not_found'],
  async handle({ query: { asset, condition, granularity, status }, ...request }) {
    const { own, keyId } = callerOf(ALERTS, request)
    const alerts = (await own.list(keyId)).filter(
      (alert) =>
        (asset === undefined || alert.asset === asset) &&
        (condition === undefined || alert.condition === condition) &&
        (granularity === undefined || alert.granularity === granularity) &&
        (status === undefined || alert.status === status),
    )
    return { count: alerts.length, alerts: alerts.map(presentAlert) }
  },
})
