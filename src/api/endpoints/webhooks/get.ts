import type { WebhookKind } from '../../../store/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS, callerOf, checkedId, noSuch, pathOf, type Subject, WEBHOOKS } from './subject.ts'

/** One of the caller's, without its secret. Decisions: "Alerts and webhooks". */
function one<K extends WebhookKind>(subject: Subject<K>, id: string) {
  return endpoint({
    id,
    method: 'get',
    path: `${subject.path}/{id}`,
    tag: subject.tag,
    summary: `Get ${subject.one}`,
    description: `Returns the ${subject.noun} with its state, without its secret.`,
    plan: 'API',
    status: 'live',
    cache: 'none',
    pathSchema: pathOf(subject),
    reply: subject.schema,
    example: subject.present(subject.example),
    fails: ['not_found'],
    async handle({ path, ...request }) {
      const { own, keyId } = callerOf(subject, request)
      const found = await own.find(keyId, checkedId(subject, path.id))
      if (found === undefined) throw noSuch(subject)
      return subject.present(found)
    },
  })
}

export const getAlert = one(ALERTS, 'getAlert')
export const getWebhook = one(WEBHOOKS, 'getWebhook')
