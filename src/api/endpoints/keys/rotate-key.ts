import { toUtcIso } from '../../../market/market-day.ts'
import { invalidKey } from '../../contract/errors.ts'
import { keyRotationRequest, rotatedKey } from '../../contract/key-rotation.ts'
import { keyOf } from '../../http/caller.ts'
import { endpoint } from '../../http/endpoint.ts'

/** Replaces the caller's key. */
export const rotateKey = endpoint({
  id: 'rotateKey',
  method: 'post',
  path: '/keys/rotate',
  tag: 'Plans and status',
  summary: 'Rotate your key',
  description:
    'Issues a new key in place of the one that sends the request, with its plan, limits, alerts and monthly ' +
    'usage, and shows it once. The old key stays valid for `overlap_hours`, one week by default, so that ' +
    'clients can switch one by one. A key can be rotated once; after that only its successor can.',
  plan: 'Developer',
  cache: 'none',
  evenOverQuota: true,
  body: keyRotationRequest,
  reply: rotatedKey,
  example: {
    id: 'key_0a1b2c3d4e5f',
    key: 'svc_live_…',
    plan: 'API',
    previous_id: 'key_f5e4d3c2b1a0',
    previous_valid_until: '2026-11-22T10:00:00Z',
  },
  async handle({ body, caller, service, now }) {
    const { id: previousId, plan } = keyOf(caller)
    const rotated = await service.keys.rotate(previousId, now.add({ hours: body.overlap_hours }), now)
    if (rotated === undefined)
      throw invalidKey(
        'The key has been replaced already: use its successor, or wait for the operator to issue another.',
      )
    return {
      ...{ id: rotated.id, key: rotated.key, plan, previous_id: previousId },
      previous_valid_until: toUtcIso(rotated.previousUntil),
    }
  },
})
