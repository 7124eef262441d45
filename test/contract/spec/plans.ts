/** The specification's limits and prices; two years of history are 731 days, to include a leap day. Streams are our addition. */
import type { Plan } from '../../../src/api/contract/plans.ts'

const ALL = ['json', 'csv', 'arrow']
const TABLE = {
  name: ['Open', 'Developer', 'API', 'Pro', 'Trading', 'Enterprise'],
  priceEurMonth: [0, 0, 99, 499, 999, undefined],
  requestsPerMinute: [60, 120, 600, 1_200, 3_000, 10_000],
  requestsPerMonth: [undefined, 10_000, 100_000, 500_000, 2_000_000, undefined],
  historyDepthDays: [30, 731, 'complete', 'complete', 'complete', 'complete'],
  formats: [['json'], ['json', 'csv'], ALL, ALL, ALL, ALL],
  scenarioMonthsMax: [undefined, undefined, undefined, 12, 12, 24],
  bulk: [false, false, false, false, false, true],
  streamsMax: [0, 0, 5, 20, 50, 200],
  webhooksMax: [0, 0, 5, 20, 50, 200],
}

export const SPEC_PLANS = TABLE.name.map((_name, i) =>
  Object.fromEntries(Object.entries(TABLE).map(([field, values]) => [field, values[i]])),
) as unknown as Plan[]
