/** Gathers what the scenarios are made of: the asset's and TTF's forecasts, the last CO2 price, and their common past. */
import { ASSETS } from '../../../market/assets.ts'
import { BAND_DAYS, bandOfForecast, bandOfHistory, type DriverBand } from '../../../market/scenarios/driver-band.ts'
import { monthlyPath, type PathMonth } from '../../../market/scenarios/monthly-path.ts'
import { type DailyValue, monthAfter, monthlyMeans, monthOf } from '../../../market/scenarios/months.ts'
import { type MonthlyMeans, type PassThrough, passThrough } from '../../../market/scenarios/pass-through.ts'
import { projectScenarios, type Scenarios } from '../../../market/scenarios/project-scenarios.ts'
import { seasonalShape } from '../../../market/scenarios/seasonal-shape.ts'
import { secondsToNextPublication } from '../../../publishers/publications.ts'
import type { ForecastPoint } from '../../../store/forecasts.ts'
import { noData } from '../../contract/errors.ts'
import type { ScenarioSlug } from '../../contract/forecasts.ts'
import type { HandlerContext } from '../../http/endpoint.ts'
import { nextStep } from '../next-step.ts'
import { type CurrentIssue, currentIssue } from './current-issue.ts'

/** Of the past that coefficients and shape are estimated on. */
const YEARS = 6
/** Days that make a month of a series or a path, by how often it is priced. */
const DAYS_OF_MONTH = { daily: 20, traded: 12, auctioned: 4 } as const
const NO_SHAPE: readonly number[] = Array.from({ length: 12 }, () => 0)

interface ScenarioAnswer {
  issue: CurrentIssue
  scenarios: Scenarios
  passThrough: PassThrough
  sourceIds: string[]
}

export async function scenariosOf(
  context: HandlerContext,
  slug: ScenarioSlug,
  months: number,
): Promise<ScenarioAnswer> {
  const code = slug === 'pun' ? 'PUN' : 'PSV'
  const issue = await currentIssue(context, code)
  const gas = await currentIssue(context, 'TTF')
  const past = await commonPast(context, code)
  const co2 = past.co2.at(-1)
  if (co2 === undefined)
    throw noData('The price of CO2', secondsToNextPublication(['CO2'], context.now), await nextStep(context, 'CO2'))

  const firstMonth = monthAfter(monthOf(context.today.toString()), 1)
  const path = pathOf(issue, seasonalShape(monthlyMeans(past.price, DAYS_OF_MONTH.daily)), firstMonth, months)
  const gasPath = pathOf(gas, NO_SHAPE, firstMonth, months)
  const follows = passThrough(code, alignedMeans(past))
  const scenarios = projectScenarios({
    path,
    gas: { base: gasPath.map(({ price }) => price), band: bandOfIssue(gas) },
    co2: { base: path.map(() => co2.price), band: bandOfHistory(past.co2) },
    passThrough: follows,
    infoDate: issue.infoDate,
  })
  const sourceIds = [...new Set([...issue.last.sourceIds, ...gas.last.sourceIds, ...past.co2SourceIds])]
  return { issue, scenarios, passThrough: follows, sourceIds }
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

/** The band of the forecast that is nearest to 90 days. */
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
