import * as z from 'zod'
import { ASSETS } from '../../../market/assets.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import { round } from '../../../market/rounding.ts'
import { BAND_DAYS, bandOfForecast, bandOfHistory, type DriverBand } from '../../../market/scenarios/driver-band.ts'
import { monthlyPath, type PathMonth } from '../../../market/scenarios/monthly-path.ts'
import { type DailyValue, monthAfter, monthlyMeans, monthOf } from '../../../market/scenarios/months.ts'
import { type MonthlyMeans, type PassThrough, passThrough } from '../../../market/scenarios/pass-through.ts'
import { DEMAND_GROWTH, projectScenarios, type Scenarios } from '../../../market/scenarios/project-scenarios.ts'
import { seasonalShape } from '../../../market/scenarios/seasonal-shape.ts'
import type { ForecastPoint } from '../../../store/forecasts.ts'
import { tierRequired } from '../../contract/errors.ts'
import {
  SCENARIO_MONTHS_DEFAULT,
  SCENARIO_MONTHS_MAX,
  type ScenarioForecast,
  type ScenarioSlug,
  scenarioForecast,
  scenarioSlug,
} from '../../contract/forecasts.ts'
import { wholeNumber } from '../../contract/parameters.ts'
import { lowestPlan, PLANS, type PlanName, planIncludes } from '../../contract/plans.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { noPriceYet } from '../next-step.ts'
import { creditsOf } from '../source-credits.ts'
import { type CurrentIssue, currentIssue } from './current-issue.ts'
import { exampleIssue, FORECAST_EXAMPLE_URL } from './examples.ts'
import { methodologyUrl, showPrice } from './present.ts'

/** Years of history from which coefficients and shape are estimated. */
const YEARS = 6
/** Minimum days for a month of a series or a path, by pricing frequency. */
const DAYS_OF_MONTH = { daily: 20, traded: 12, auctioned: 4 } as const
const NO_SHAPE: readonly number[] = Array.from({ length: 12 }, () => 0)

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
  cache: '6h',
  formats: ['json', 'csv'],
  pathSchema: z.object({ asset: scenarioSlug }),
  query: z.object({
    months: wholeNumber({
      max: SCENARIO_MONTHS_MAX,
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
    ...creditsOf(sourceIds, baseUrl),
  }
}

function exampleScenarios(): ScenarioForecast {
  const month = { month: '2026-12', price: 113.2, bull: 138.9, bear: 91.7, basis: 'forecast' as const }
  const gas = { base: 31.85, bull: 41.2, bear: 24.6 }
  const co2 = { base: 79.3, bull: 93.1, bear: 67.5 }
  const rules: PassThrough = { gas: 1.9, co2: 0.4, demandElasticity: 1, months: 72 }
  return presentScenarios(exampleIssue(), { months: [month], gas, co2 }, rules, ['gme-mgp'], FORECAST_EXAMPLE_URL)
}

interface ScenarioAnswer {
  issue: CurrentIssue
  scenarios: Scenarios
  passThrough: PassThrough
  sourceIds: string[]
}

/** Loads the inputs of the scenarios: the forecasts of the asset and of TTF, the last CO2 price, and their common history. */
async function scenariosOf(context: HandlerContext, slug: ScenarioSlug, months: number): Promise<ScenarioAnswer> {
  const code = slug === 'pun' ? 'PUN' : 'PSV'
  const issue = await currentIssue(context, code)
  const gas = await currentIssue(context, 'TTF')
  const past = await commonPast(context, code)
  const co2 = past.co2.at(-1)
  if (co2 === undefined) throw await noPriceYet(context, 'CO2', 'The price of CO2')

  const firstMonth = monthAfter(monthOf(context.today.toString()), 1)
  const path = pathOf(issue, seasonalShape(monthlyMeans(past.price, DAYS_OF_MONTH.daily)), firstMonth, months)
  const gasPath = pathOf(gas, NO_SHAPE, firstMonth, months)
  const passThroughRates = passThrough(code, alignedMeans(past))
  const scenarios = projectScenarios({
    path,
    gas: { base: gasPath.map(({ price }) => price), band: bandOfIssue(gas) },
    co2: { base: path.map(() => co2.price), band: bandOfHistory(past.co2) },
    passThrough: passThroughRates,
    infoDate: issue.infoDate,
  })
  const sourceIds = [...new Set([...issue.last.sourceIds, ...gas.last.sourceIds, ...past.co2SourceIds])]
  return { issue, scenarios, passThrough: passThroughRates, sourceIds }
}

interface CommonPast {
  price: DailyValue[]
  gas: DailyValue[]
  co2: DailyValue[]
  co2SourceIds: string[]
}

async function commonPast({ service, today }: HandlerContext, code: 'PUN' | 'PSV'): Promise<CommonPast> {
  const span = { from: today.subtract({ years: YEARS }), to: today }
  const price = await service.prices.series(code, span)
  const gas = await service.prices.series(ASSETS.TTF.code, span)
  const co2 = await service.prices.series(ASSETS.CO2.code, span)
  return { price: price.points, gas: gas.points, co2: co2.points, co2SourceIds: co2.sourceIds }
}

function pathOf(
  { points, asset }: CurrentIssue,
  shape: readonly number[],
  firstMonth: string,
  months: number,
): PathMonth[] {
  const path = points.map(({ targetDate, p50 }) => ({ date: targetDate, price: p50 }))
  const daysNeeded = asset.code === 'TTF' ? DAYS_OF_MONTH.traded : DAYS_OF_MONTH.daily
  return monthlyPath({ path, shape, firstMonth, months, daysNeeded })
}

/** Returns the band of the point whose horizon is nearest to 90 days. */
function bandOfIssue({ points }: CurrentIssue): DriverBand {
  const distance = ({ horizonDays }: ForecastPoint) => Math.abs(horizonDays - BAND_DAYS)
  return bandOfForecast(points.reduce((best, point) => (distance(point) < distance(best) ? point : best)))
}

/** Months with all three prices. */
function alignedMeans({ price, gas, co2 }: CommonPast): MonthlyMeans[] {
  const gasMeans = monthlyMeans(gas, DAYS_OF_MONTH.traded)
  const co2Means = monthlyMeans(co2, DAYS_OF_MONTH.auctioned)
  return [...monthlyMeans(price, DAYS_OF_MONTH.daily)].flatMap(([month, mean]) => {
    const [ofGas, ofCo2] = [gasMeans.get(month), co2Means.get(month)]
    return ofGas === undefined || ofCo2 === undefined ? [] : [{ price: mean, gas: ofGas, co2: ofCo2 }]
  })
}
