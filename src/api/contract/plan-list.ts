/** The plan table as answered. Decisions: "Keys"; spec: "Plans", "Limits". */
import * as z from 'zod'
import { PLAN_NAMES, SERIES_FORMATS } from './plans.ts'

const plan = z
  .strictObject({
    name: z.enum(PLAN_NAMES).meta({ example: 'API' }),
    price_eur_month: z
      .number()
      .nonnegative()
      .optional()
      .meta({ description: 'VAT excluded. Absent where it is on request.', example: 99 }),
    requests_per_minute: z.int().positive().meta({
      description: 'Per address on Open, per key elsewhere; on Enterprise the default of a key.',
      example: 600,
    }),
    requests_per_month: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Absent where there is no quota.', example: 100_000 }),
    history_days: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'How far back a daily series goes. Absent where it is complete.', example: 731 }),
    series_formats: z
      .array(z.enum(SERIES_FORMATS))
      .meta({ description: 'Formats of the daily series.', example: ['json', 'csv'] }),
    scenario_months_max: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Months of a scenario forecast. Absent where it is not included.', example: 12 }),
    bulk: z.boolean().meta({ description: 'Whether bulk exports are included.', example: false }),
    streams_max: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Event streams of a key at a time. Absent where they are not included.', example: 5 }),
    webhooks_max: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Webhooks of changes of a key. Absent where they are not included.', example: 5 }),
  })
  .meta({ id: 'Plan' })

export const planList = z
  .strictObject({
    plans: z.array(plan).meta({ description: 'In ascending order.' }),
    pages: z
      .strictObject({
        requests_per_minute: z
          .int()
          .positive()
          .meta({ description: 'Per address, counted apart from the API.', example: 300 }),
        history_days: z.int().positive().meta({
          description: 'How far back charts of days go; the page of hours has every stored year.',
          example: 3653,
        }),
        streams_max: z
          .int()
          .positive()
          .meta({ description: 'Home pages of an address that may wait for new days at a time.', example: 20 }),
      })
      .meta({ description: 'The web pages, for people who read without a key.' }),
  })
  .meta({ id: 'PlanList', description: 'What each plan includes.' })

export type PlanList = z.infer<typeof planList>
