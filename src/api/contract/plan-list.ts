/** The plan table as returned to clients. Decisions: "Keys"; spec: "Plans", "Limits". */
import * as z from 'zod'
import * as field from './fields.ts'
import { PLAN_NAMES, SERIES_FORMATS } from './plans.ts'

const plan = z
  .strictObject({
    name: z.enum(PLAN_NAMES).meta({ example: 'API' }),
    price_eur_month: field.size.optional('VAT excluded. Absent where it is on request.', 99),
    requests_per_minute: field.positive(
      'Per address on Open, per key elsewhere; on Enterprise the default of a key.',
      600,
    ),
    requests_per_month: field.positive.optional('Absent where there is no quota.', 100_000),
    history_days: field.positive.optional('How far back a daily series goes. Absent where it is complete.', 731),
    series_formats: z
      .array(z.enum(SERIES_FORMATS))
      .meta({ description: 'Formats of the daily series.', example: ['json', 'csv'] }),
    scenario_months_max: field.positive.optional('Months of a scenario forecast. Absent where it is not included.', 12),
    bulk: field.flag('Whether bulk exports are included.', false),
    streams_max: field.positive.optional('Event streams of a key at a time. Absent where they are not included.', 5),
    webhooks_max: field.positive.optional('Webhooks of changes of a key. Absent where they are not included.', 5),
  })
  .meta({ id: 'Plan' })

export const planList = z
  .strictObject({
    plans: z.array(plan).meta({ description: 'In ascending order.' }),
    pages: z
      .strictObject({
        requests_per_minute: field.positive('Per address, counted apart from the API.', 300),
        history_days: field.positive('How far back charts of days go; the page of hours has every stored year.', 3653),
        streams_max: field.positive('Home pages of an address that may wait for new days at a time.', 20),
      })
      .meta({ description: 'The web pages, for people who read without a key.' }),
  })
  .meta({ id: 'PlanList', description: 'What each plan includes.' })

export type PlanList = z.infer<typeof planList>
