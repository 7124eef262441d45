import { DELIVERY_HOURS } from '../../../delivery/webhooks/retry-schedule.ts'
import type { WebhookKind } from '../../../store/webhooks.ts'
import { endpoint } from '../../http/endpoint.ts'
import { ALERTS, callerOf, checkedId, noSuch, pathOf, type Subject, WEBHOOKS } from './subject.ts'

/** Sets a suspended one active again. Decisions: "Alerts and webhooks". */
function resumption<K extends WebhookKind>(subject: Subject<K>, id: string) {
  return endpoint({
    id,
    method: 'post',
    path: `${subject.path}/{id}/resume`,
    tag: subject.tag,
    summary: `Resume ${subject.one}`,
    description:
      `Reactivates a suspended ${subject.noun} and resets its failure count; deliveries less than ${DELIVERY_HOURS} hours old are retried at once. ` +
      `An active ${subject.noun} stays active and its failure count is reset.`,
    plan: 'API',
    status: 'live',
    cache: 'none',
    pathSchema: pathOf(subject),
    reply: subject.schema,
    example: subject.present(subject.example),
    fails: ['not_found'],
    async handle({ path, ...request }) {
      const { own, keyId } = callerOf(subject, request)
      const resumed = await own.resume(keyId, checkedId(subject, path.id))
      if (resumed === undefined) throw noSuch(subject)
      return subject.present(resumed)
    },
  })
}

export const resumeAlert = resumption(ALERTS, 'resumeAlert')
export const resumeWebhook = resumption(WEBHOOKS, 'resumeWebhook')
