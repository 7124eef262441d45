/** Rotation of a key by its holder: an addition to the specification. */
import * as z from 'zod'
import * as field from './fields.ts'
import { PLAN_NAMES } from './plans.ts'

const OVERLAP_HOURS_MAX = 720
const OVERLAP_HOURS_DEFAULT = 168

export const keyRotationRequest = z
  .strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(OVERLAP_HOURS_MAX)
      .default(OVERLAP_HOURS_DEFAULT)
      .meta({ description: 'For how long the old key stays valid beside the new one.', example: 24 }),
  })
  .meta({ id: 'KeyRotationRequest', example: { overlap_hours: 24 } })

export const rotatedKey = z
  .strictObject({
    id: field.text('Id of the new key.', 'key_0a1b2c3d4e5f'),
    key: field.text('The new key, shown only now.', 'svc_live_…'),
    plan: z.enum(PLAN_NAMES).meta({ description: 'As before.', example: 'API' }),
    previous_id: field.text('Id of the key that asked.', 'key_f5e4d3c2b1a0'),
    previous_valid_until: field.instant('Until when the key that asked stays valid, UTC.', '2026-11-22T10:00:00Z'),
  })
  .meta({ id: 'RotatedKey', description: 'A new key in place of the one that asked.' })
