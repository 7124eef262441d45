/** How much of its plan a key has used. Decisions: "Limits". */
import * as z from 'zod'
import * as field from './fields.ts'
import { PLAN_NAMES } from './plans.ts'

export const usage = z
  .strictObject({
    plan: z.enum(PLAN_NAMES).meta({ description: 'Plan of the key.', example: 'API' }),
    limits: z.strictObject({
      requests_per_minute: z.int().positive().meta({ example: 600 }),
      requests_per_month: field.positive.optional('Absent where there is no quota.', 100_000),
    }),
    period: z
      .strictObject({
        from: field.text('First instant of the calendar month in Europe/Rome.', '2026-11-01T00:00:00+01:00'),
        to: field.text('First instant of the next month, when the quota resets.', '2026-12-01T00:00:00+01:00'),
      })
      .meta({ description: 'The month counted.' }),
    used: field.count('Requests counted in the period, this one not included.', 1240),
    left: field.count.optional('Requests left of the quota. Absent where there is none.', 98_760),
  })
  .meta({ id: 'Usage' })

export type Usage = z.infer<typeof usage>
