import type { Created } from '../../../delivery/webhooks/webhook-service.ts'
import type { WebhookKind } from '../../../store/webhooks.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { tooManyChallenges } from './subject.ts'

/** What was created; throws if it was refused. `field` is that of the address. */
export function createdOrThrow<K extends WebhookKind>(
  created: Created<K>,
  { field, ...subject }: { noun: string; field: string },
) {
  if ('webhook' in created) return created
  switch (created.refused) {
    case 'too_many_challenges':
      throw tooManyChallenges(subject, created.retryAfterSeconds)
    case 'url':
      throw invalidParameter(field, created.problem)
    case 'too_many':
      throw invalidParameter('body', `would make more than ${created.most} ${subject.noun}s, the most a key may have`)
  }
}
