import * as z from 'zod'
import type { WebhookKind } from '../../../store/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS, callerOf, checkedId, noSuch, pathOf, type Subject, WEBHOOKS } from './subject.ts'

/** Removes one with everything about it. Spec: "POST /alerts"; decisions: 204. */
function deletion<K extends WebhookKind>(subject: Subject<K>, id: string) {
  return endpoint({
    id,
    method: 'delete',
    path: `${subject.path}/{id}`,
    tag: subject.tag,
    summary: `Delete ${subject.one}`,
    description: `Deletes the ${subject.noun}, its events and its delivery log. Nothing more is sent.`,
    plan: 'API',
    status: 'live',
    cache: 'none',
    pathSchema: pathOf(subject),
    reply: z.undefined(),
    example: undefined,
    fails: ['not_found'],
    async handle({ path, ...request }) {
      const { own, keyId } = callerOf(subject, request)
      if (!(await own.remove(keyId, checkedId(subject, path.id)))) throw noSuch(subject)
      return undefined
    },
  })
}

export const deleteAlert = deletion(ALERTS, 'deleteAlert')
export const deleteWebhook = deletion(WEBHOOKS, 'deleteWebhook')
