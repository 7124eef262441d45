import * as z from 'zod'
import { toUtcIso } from '../../../market/market-day.ts'
import { round } from '../../../market/rounding.ts'
import type { PassThrough } from '../../../market/scenarios/pass-through.ts'
import { DEMAND_GROWTH, type Scenarios } from '../../../market/scenarios/project-scenarios.ts'
import { tierRequired } from '../../contract/errors.ts'
import {
  countParameter,
  SCENARIO_MONTHS_DEFAULT,
  SCENARIO_MONTHS_MAX,
  type ScenarioForecast,
  scenarioForecast,
  scenarioSlug,
} from '../../contract/forecasts.ts'
import { lowestPlan, PLANS, type PlanName, planIncludes } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'
import { attributionText, sourceNames } from '../source-credits.ts'
import type { CurrentIssue } from './current-issue.ts'
import { exampleIssue, FORECAST_EXAMPLE_URL } from './examples.ts'
import { methodologyUrl, showPrice } from './present.ts'
import { scenariosOf } from './scenarios.ts'

const COEFFICIENT_DECIMALS = 4

/** Monthly projection in three scenarios. Spec: "Scenario forecast"; decisions: "Scenario assumptions". */
export const getForecastScenarios = endpoint({
  id: 'getForecastScenarios',
  method: 'get',
  path: '/forecast/{asset}/scenarios',
  tag: 'Forecasts',
  summary: 'Get monthly scenarios',
  description:
    'Returns the mean price of each coming month in three scenarios with their assumptions: base, bull (gas, CO2 and demand push prices up) and ' +
    `bear (they push prices down). Up to ${PLANS.Pro.scenarioMonthsMax} months, ${PLANS.Enterprise.scenarioMonthsMax} on Enterprise. CSV has one row per month.`,
  plan: lowestPlan(({ scenarioMonthsMax }) => scenarioMonthsMax !== undefined),
  status: 'live',
  cache: '6h',
  formats: ['json', 'csv'],
  pathSchema: z.object({ asset: scenarioSlug }),
  query: z.object({
    months: countParameter(SCENARIO_MONTHS_MAX, {
      description: `Months to project. Default: ${SCENARIO_MONTHS_DEFAULT}. More than ${PLANS.Pro.scenarioMonthsMax} need the Enterprise plan.`,
      example: String(SCENARIO_MONTHS_DEFAULT),
    }).optional(),
  }),
  reply: scenarioForecast,
  example: exampleScenarios(),
  fails: ['tier_required', 'no_data'],
  async handle({ path, query, service, caller, today, now }) {
    const months = query.months ?? SCENARIO_MONTHS_DEFAULT
    refuseBeyondPlan(months, caller.plan)
    const { issue, scenarios, passThrough, sourceIds } = await scenariosOf({ service, today, now }, path.asset, months)
    return presentScenarios(issue, scenarios, passThrough, sourceIds, service.config.baseUrl)
  },
  table: ({ asset, unit, months }) => ({
    filename: `scenarios_${asset.toLowerCase()}_${months[0]?.month}_${months.length}m`,
    columns: ['asset', 'unit', 'month', 'base', 'bull', 'bear', 'basis'],
    rows: months.map((month) => ({ asset, unit, ...month })),
  }),
})

function refuseBeyondPlan(months: number, held: PlanName): void {
  const needed = lowestPlan(({ scenarioMonthsMax = 0 }) => scenarioMonthsMax >= months)
  if (planIncludes(held, needed)) return
  throw tierRequired(needed, `A projection of more than ${PLANS[held].scenarioMonthsMax ?? 0} months`)
}

function presentScenarios(
  issue: CurrentIssue,
  { months, gas, co2 }: Scenarios,
  passThrough: PassThrough,
  sourceIds: string[],
  baseUrl: URL,
): ScenarioForecast {
  const coefficient = (value: number) => round(value, COEFFICIENT_DECIMALS)
  return {
    asset: issue.asset.code as ScenarioForecast['asset'],
    unit: '€/MWh',
    generated_at: toUtcIso(issue.issuedAt),
    model: issue.model,
    info_date: issue.infoDate,
    months: months.map(({ month, price, bull, bear, basis }) => ({
      month,
      base: showPrice(price),
      bull: showPrice(bull),
      bear: showPrice(bear),
      basis,
    })),
    assumptions: {
      ttf_base: showPrice(gas.base),
      ttf_bull: showPrice(gas.bull),
      ttf_bear: showPrice(gas.bear),
      co2_base: showPrice(co2.base),
      co2_bull: showPrice(co2.bull),
      co2_bear: showPrice(co2.bear),
      demand_growth_base: DEMAND_GROWTH.base,
      demand_growth_bull: DEMAND_GROWTH.bull,
      demand_growth_bear: DEMAND_GROWTH.bear,
      gas_pass_through: coefficient(passThrough.gas),
      co2_pass_through: coefficient(passThrough.co2),
      demand_elasticity: passThrough.demandElasticity,
      estimated_on_months: passThrough.months,
    },
    methodology: methodologyUrl(baseUrl),
    source: sourceNames(sourceIds),
    attribution: attributionText(sourceIds, baseUrl),
  }
}

function exampleScenarios(): ScenarioForecast {
  const month = { month: '2026-12', price: 113.2, bull: 138.9, bear: 91.7, basis: 'forecast' as const }
  const gas = { base: 31.85, bull: 41.2, bear: 24.6 }
  const co2 = { base: 79.3, bull: 93.1, bear: 67.5 }
  const rules: PassThrough = { gas: 1.9, co2: 0.4, demandElasticity: 1, months: 72 }
  return presentScenarios(exampleIssue(), { months: [month], gas, co2 }, rules, ['gme-mgp'], FORECAST_EXAMPLE_URL)
}
