import type { Changed, Created } from '../../../delivery/webhooks/webhook-service.ts'
import type { WebhookKind } from '../../../store/webhooks.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { type Subject, tooManyChallenges } from './subject.ts'

/** What was created or changed; throws if it was refused. */
export function acceptedOrThrow<K extends WebhookKind, Outcome extends Created<K> | Changed<K>>(
  outcome: Outcome,
  subject: Subject<K>,
): Extract<Outcome, { webhook: unknown }> {
  if ('webhook' in outcome) return outcome as Extract<Outcome, { webhook: unknown }>
  switch (outcome.refused) {
    case 'too_many_challenges':
      throw tooManyChallenges(subject, outcome.retryAfterSeconds)
    case 'receiver':
      throw invalidParameter(outcome.field === 'url' ? subject.urlField : outcome.field, outcome.problem)
    case 'too_many':
      throw invalidParameter('body', `would make more than ${outcome.most} ${subject.noun}s, the most a key may have`)
  }
}
