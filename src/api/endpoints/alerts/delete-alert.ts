import * as z from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS_TAG, alertCaller, alertPath, checkedAlertId, noSuchAlert } from './alert-request.ts'

/** Removes an alert with everything about it. Spec: "POST /alerts"; decisions: 204. */
export const deleteAlert = endpoint({
  id: 'deleteAlert',
  method: 'delete',
  path: '/alerts/{id}',
  tag: ALERTS_TAG,
  summary: 'Remove an alert',
  description: 'Removes the alert, its events and the record of its deliveries. Nothing more is sent.',
  plan: 'API',
  status: 'live',
  cache: 'none',
  pathSchema: alertPath,
  reply: z.undefined(),
  example: undefined,
  fails: ['not_found'],
  async handle({ path, ...request }) {
    const { alerts, keyId } = alertCaller(request)
    if (!(await alerts.remove(keyId, checkedAlertId(path.id)))) throw noSuchAlert()
    return undefined
  },
})
