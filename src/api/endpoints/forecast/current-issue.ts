/** The current forecast: the latest issue, without the days that have passed or been published since. */
import { ASSETS, type Asset, type AssetCode } from '../../../market/assets.ts'
import { DAYS_AHEAD_MAX, HORIZON_DAYS_MAX, INFO_AGE_DAYS_MAX } from '../../../market/forecast-scope.ts'
import { secondsToNextPublication } from '../../../publishers/publications.ts'
import { anySynthetic } from '../../../publishers/sources.ts'
import type { ForecastIssue, ForecastPoint, RecordOrigin } from '../../../store/forecasts.ts'
import type { DailyObservation } from '../../../store/prices.ts'
import { noDataBecause } from '../../contract/errors.ts'
import type { ForecastChain } from '../../contract/forecasts.ts'
import type { HandlerContext } from '../../http/endpoint.ts'
import { nextStep } from '../next-step.ts'

const FIRST_DAY = Temporal.PlainDate.from('1900-01-01')

export interface CurrentIssue extends ForecastIssue {
  asset: Asset
  chain: ForecastChain
  /** `replay`: computed afterwards, because prices ended too long ago for a forecast to be issued. */
  basis: RecordOrigin['basis']
  /** The last observed price; its sources are those of the forecast. */
  last: DailyObservation
}

export async function currentIssue(context: HandlerContext, code: AssetCode): Promise<CurrentIssue> {
  const { service, today } = context
  const last = await lastPrice(context, code)
  const chain = last && chainOf(last)
  const issue = chain && (await service.forecasts.latestIssue(chain, code))
  if (last === undefined || chain === undefined || issue === undefined) throw await missing(context, code)
  const oldest = today.subtract({ days: INFO_AGE_DAYS_MAX }).toString()
  const ahead = issue.points.filter(({ targetDate }) => isAhead(targetDate, last, today.toString()))
  const points = withinHorizon(ahead, HORIZON_DAYS_MAX)
  if (issue.infoDate < oldest || points.length === 0) throw await missing(context, code)
  return { ...issue, points, asset: ASSETS[code], chain, last, basis: 'live' }
}

/** Returns the current forecast or, if prices have ended, the replay of the days after the last price. */
export async function latestForecast(context: HandlerContext, code: AssetCode): Promise<CurrentIssue> {
  const { service, today } = context
  if ((await lastPrice(context, code)) !== undefined) return currentIssue(context, code)
  const last = await service.prices.latest(code, { notBefore: FIRST_DAY, notAfter: today })
  const chain = last && chainOf(last)
  const issue = chain && (await service.forecasts.replayedIssue(chain, code, last.day))
  const points = withinHorizon(issue?.points ?? [], HORIZON_DAYS_MAX)
  if (last === undefined || chain === undefined || issue === undefined || points.length === 0)
    throw await missing(context, code)
  return { ...issue, points, asset: ASSETS[code], chain, last, basis: 'replay' }
}

/** Returns the points within `horizonDays` calendar days, counted from the first point. */
export function withinHorizon(points: readonly ForecastPoint[], horizonDays: number): ForecastPoint[] {
  const [first] = points
  if (first === undefined) return []
  const end = Temporal.PlainDate.from(first.targetDate).add({ days: horizonDays }).toString()
  return points.filter(({ targetDate }) => targetDate < end)
}

/** Returns the chain of the current prices: publishers' or synthetic. */
export async function currentChain(context: HandlerContext, code: AssetCode): Promise<ForecastChain> {
  const last = await lastPrice(context, code)
  return last === undefined ? 'issued' : chainOf(last)
}

function lastPrice({ service, today }: HandlerContext, code: AssetCode): Promise<DailyObservation | undefined> {
  return service.prices.latest(code, {
    notBefore: today.subtract({ days: INFO_AGE_DAYS_MAX }),
    notAfter: today.add({ days: DAYS_AHEAD_MAX }),
  })
}

function chainOf({ sourceIds }: DailyObservation): ForecastChain {
  return anySynthetic(sourceIds) ? 'sample' : 'issued'
}

function isAhead(targetDate: ForecastPoint['targetDate'], last: DailyObservation, today: string): boolean {
  return targetDate >= today && targetDate > last.day
}

async function missing(context: HandlerContext, code: AssetCode) {
  const { service, now } = context
  const why = (await service.forecasts.missing(code)) ?? `No forecast of ${code} has been issued yet.`
  return noDataBecause(`${why}${await nextStep(context, code, why)}`, secondsToNextPublication([code], now))
}
