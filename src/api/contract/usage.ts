/** How much of its plan a key has used. Decisions: "Limits". */
import * as z from 'zod'
import { PLAN_NAMES } from './plans.ts'

export const usage = z
  .strictObject({
    plan: z.enum(PLAN_NAMES).meta({ description: 'Plan of the key.', example: 'API' }),
    limits: z.strictObject({
      requests_per_minute: z.int().positive().meta({ example: 600 }),
      requests_per_month: z
        .int()
        .positive()
        .optional()
        .meta({ description: 'Absent where there is no quota.', example: 100_000 }),
    }),
    period: z
      .strictObject({
        from: z.string().meta({
          description: 'First instant of the calendar month in Europe/Rome.',
          example: '2026-11-01T00:00:00+01:00',
        }),
        to: z.string().meta({
          description: 'First instant of the next month, when the quota resets.',
          example: '2026-12-01T00:00:00+01:00',
        }),
      })
      .meta({ description: 'The month counted.' }),
    used: z
      .int()
      .nonnegative()
      .meta({ description: 'Requests counted in the period, this one not included.', example: 1240 }),
    left: z
      .int()
      .nonnegative()
      .optional()
      .meta({ description: 'Requests left of the quota. Absent where there is none.', example: 98_760 }),
  })
  .meta({ id: 'Usage' })

export type Usage = z.infer<typeof usage>
