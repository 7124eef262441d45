import { type PlanList, planList } from '../../contract/plan-list.ts'
import { PAGES, PLAN_NAMES, PLANS, type PlanName } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'

/** The plan table, the same that is enforced. Decisions: "Limits". */
export const getPlans = endpoint({
  id: 'getPlans',
  method: 'get',
  path: '/plans',
  tag: 'Plans and status',
  summary: 'List plans',
  description:
    'Returns prices and limits of the plans, and what each includes. Open and Developer are free; keys of the ' +
    'other plans are issued by the operator.',
  plan: 'Open',
  cache: '6h',
  reply: planList,
  example: examplePlans(),
  /** An operator may change the rates per address; the response shows what is enforced. */
  async handle({ service: { access } }) {
    return presentPlans(access.openRequestsPerMinute, access.pageRequestsPerMinute)
  },
})

/** The first and the last plan. */
function examplePlans(): PlanList {
  const { plans, pages } = presentPlans(PLANS.Open.requestsPerMinute, PAGES.requestsPerMinute)
  return { plans: [plans.at(0), plans.at(-1)].filter((plan) => plan !== undefined), pages }
}

function presentPlans(openRequestsPerMinute: number, pageRequestsPerMinute: number): PlanList {
  return {
    plans: PLAN_NAMES.map((name) => ({
      ...presentPlan(name),
      ...(name === 'Open' && { requests_per_minute: openRequestsPerMinute }),
    })),
    pages: {
      requests_per_minute: pageRequestsPerMinute,
      history_days: PAGES.historyDepthDays,
      streams_max: PAGES.streamsMax,
    },
  }
}

function presentPlan(name: PlanName): PlanList['plans'][number] {
  const {
    priceEurMonth,
    requestsPerMinute,
    requestsPerMonth,
    historyDepthDays,
    formats,
    scenarioMonthsMax,
    bulk,
    streamsMax,
    webhooksMax,
  } = PLANS[name]
  return {
    name,
    ...(priceEurMonth !== undefined && { price_eur_month: priceEurMonth }),
    requests_per_minute: requestsPerMinute,
    ...(requestsPerMonth !== undefined && { requests_per_month: requestsPerMonth }),
    ...(historyDepthDays !== 'complete' && { history_days: historyDepthDays }),
    series_formats: [...formats],
    ...(scenarioMonthsMax !== undefined && { scenario_months_max: scenarioMonthsMax }),
    bulk,
    ...(streamsMax > 0 && { streams_max: streamsMax }),
    ...(webhooksMax > 0 && { webhooks_max: webhooksMax }),
  }
}
