import { alert, alertChange, alertFilters, alertList, createdAlert, newAlert } from '../../contract/alerts.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { endpoint } from '../../http/endpoint.ts'
import { operationsOn } from './operations.ts'
import { EXAMPLE_ALERT, EXAMPLE_SECRET, presentAlert } from './present.ts'
import { ALERTS, acceptedOrThrow, callerOf, checkedId, noSuch, pathOf } from './subject.ts'

/** Creates an alert; the only answer that shows its signing secret. Spec: "POST /alerts". */
export const createAlert = endpoint({
  id: 'createAlert',
  method: 'post',
  path: '/alerts',
  tag: ALERTS.tag,
  summary: 'Create an alert',
  description:
    'Watches the daily price of an index and calls a webhook when it crosses the threshold, at most once per ' +
    'market day. With `email` it mails the holder of the key instead, who confirms the address once. The ' +
    'signing secret is shown only here. If this service verifies receivers, `verification` is `pending` and ' +
    'the receiver is sent a challenge first.',
  plan: 'API',
  cache: 'none',
  isQueued: false,
  body: newAlert,
  reply: createdAlert,
  example: {
    ...presentAlert(EXAMPLE_ALERT),
    signing_secret: EXAMPLE_SECRET,
  },
  fails: ['not_found'],
  async handle({ body, ...request }) {
    const { own, key } = callerOf(ALERTS, request)
    const { webhook_url: url, email: _, ...settings } = body
    const receiving = url === undefined ? { email: key.email } : { url }
    const most = request.service.config.alertsPerKeyMax
    const created = acceptedOrThrow(await own.create(key.root, { settings, receiving, most }), ALERTS)
    return { ...presentAlert(created.webhook), signing_secret: created.signingSecret }
  },
})

/** The alerts of the caller's key, and of the keys it was rotated from. Decisions: "Alerts and webhooks". */
export const listAlerts = endpoint({
  id: 'listAlerts',
  method: 'get',
  path: '/alerts',
  tag: ALERTS.tag,
  summary: 'List alerts',
  description: 'Returns the alerts of the key, the oldest first, without secrets.',
  plan: 'API',
  cache: 'none',
  query: alertFilters,
  reply: alertList,
  example: { count: 1, alerts: [presentAlert(EXAMPLE_ALERT)] },
  fails: ['not_found'],
  async handle({ query: { asset, condition, granularity, status }, ...request }) {
    const { own, key } = callerOf(ALERTS, request)
    const alerts = (await own.list(key.root)).filter(
      (alert) =>
        (asset === undefined || alert.asset === asset) &&
        (condition === undefined || alert.condition === condition) &&
        (granularity === undefined || alert.granularity === granularity) &&
        (status === undefined || alert.status === status),
    )
    return { count: alerts.length, alerts: alerts.map(presentAlert) }
  },
})

/** Changes fields of an alert; its secret, deliveries and past firings remain. */
export const changeAlert = endpoint({
  id: 'changeAlert',
  method: 'patch',
  path: '/alerts/{id}',
  tag: ALERTS.tag,
  summary: 'Change an alert',
  description:
    'Changes the threshold, the receiver or the body format; omitted fields and the signing secret stay the same. With another threshold the ' +
    'alert is evaluated like a new one. A new receiver is verified where this service verifies receivers. A suspended alert stays suspended ' +
    'until it is resumed.',
  plan: 'API',
  cache: 'none',
  isQueued: false,
  pathSchema: pathOf(ALERTS),
  body: alertChange,
  reply: alert,
  example: presentAlert(EXAMPLE_ALERT),
  fails: ['not_found'],
  async handle({ path, body, ...request }) {
    const { own, key } = callerOf(ALERTS, request)
    const id = checkedId(ALERTS, path.id)
    const { webhook_url: url, email, ...settings } = body
    if (settings.threshold === 0 && (await own.find(key.root, id))?.condition === 'change_pct')
      throw invalidParameter('threshold', 'must not be 0 for change_pct')
    const receiving = url === undefined ? email && { email: key.email } : { url }
    const changed = await own.change(key.root, id, { settings, receiving })
    if (changed === undefined) throw noSuch(ALERTS)
    return presentAlert(acceptedOrThrow(changed, ALERTS).webhook)
  },
})

const { get, ...others } = operationsOn(ALERTS)
export const listAlertDeliveries = others.listDeliveries

export const ALERT_ENDPOINTS = [createAlert, listAlerts, get, changeAlert, ...Object.values(others)]
