/** Public status of the forecasts: whether they are up to date with the prices. */
import { FORECAST_ASSETS, hoursOf, INFO_AGE_DAYS_MAX } from '../../../market/forecast-scope.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import { STORED_ZONES } from '../../../market/zones.ts'
import { anySynthetic } from '../../../publishers/sources.ts'
import type { SeriesFreshness } from '../../../store/source-status.ts'
import type { ForecastChain } from '../../contract/forecasts.ts'
import type { ServiceStatus } from '../../contract/status.ts'
import type { HandlerContext } from '../../http/endpoint.ts'

/** Models take minutes; a forecast that is still missing after this many hours needs intervention. */
const HOURS_TO_ISSUE = 6

type ForecastStatus = ServiceStatus['forecasts'][number]

/** Daily and hourly models are trained concurrently, each kind in order: the subjects after the last running one are waiting. */
export function trainingProgress(forecasts: readonly ForecastStatus[]): ServiceStatus['training'] {
  const withPrices = forecasts.filter((one) => one.latest_price_day !== undefined)
  const isRunning = ({ training }: ForecastStatus) => training?.state === 'running'
  const running = withPrices.filter(isRunning)
  const since = running.map(({ training }) => training?.since ?? '').sort()[0]
  if (since === undefined) return undefined
  const isOfHours = ({ subject }: ForecastStatus) => subject.startsWith('hours:')
  const kinds = Map.groupBy(withPrices, isOfHours).values()
  const done = [...kinds].flatMap((ofKind) => {
    const last = ofKind.findLastIndex(isRunning)
    const started = last < 0 ? ofKind : ofKind.slice(0, last)
    return started.filter(({ training }) => training?.state === 'done')
  })
  return { subjects: running.map(({ subject }) => subject), since, done: done.length, of: withPrices.length }
}

interface Issue {
  infoDate: string
  issuedAt: Temporal.Instant
}

interface Subject {
  name: string
  /** Series of `/status` that contain its prices. */
  series: readonly string[]
  latest(chain: ForecastChain): Promise<Issue | undefined>
  /** The replay from prices that ended on that day. */
  replayed(day: string): Promise<Pick<Issue, 'infoDate'> | undefined>
  missing(): Promise<string | undefined>
}

export async function forecastStates(
  context: HandlerContext,
  freshness: readonly SeriesFreshness[],
): Promise<ForecastStatus[]> {
  const trainings = await context.service.forecasts.trainings()
  return Promise.all(
    subjectsOf(context).map(async (subject) => {
      const training = trainings.find((one) => one.subject === subject.name)
      return { ...(await stateOf(subject, context, freshness)), ...(training && presentTraining(training)) }
    }),
  )
}

function presentTraining({ begunAt, endedAt }: { begunAt: Temporal.Instant; endedAt: Temporal.Instant | null }) {
  const state = endedAt === null ? ('running' as const) : ('done' as const)
  return { training: { state, since: toUtcIso(endedAt ?? begunAt) } }
}

function subjectsOf({ service: { forecasts, hourlyForecasts } }: HandlerContext): Subject[] {
  return [
    ...FORECAST_ASSETS.map((asset) => ({
      name: asset,
      series: asset === 'PUN' ? ['PUN', 'zone:nazionale'] : [asset],
      latest: (chain: ForecastChain) => forecasts.latestIssue(chain, asset),
      replayed: (day: string) => forecasts.replayedIssue('issued', asset, day),
      missing: () => forecasts.missing(asset),
    })),
    ...STORED_ZONES.map((zone) => ({
      name: hoursOf(zone),
      series: [`zone:${zone}`],
      latest: (chain: ForecastChain) => hourlyForecasts.latestIssue(chain, zone),
      replayed: (day: string) => hourlyForecasts.replayedIssue('issued', zone, day),
      missing: () => hourlyForecasts.missing(zone),
    })),
  ]
}

async function stateOf(
  { name, series, latest, replayed, missing }: Subject,
  { now, today }: HandlerContext,
  freshness: readonly SeriesFreshness[],
): Promise<ForecastStatus> {
  const [prices] = freshness
    .filter((one) => series.includes(one.series) && one.complete)
    .sort((a, b) => b.marketDay.localeCompare(a.marketDay))
  const issue = await latest(prices !== undefined && anySynthetic([prices.sourceId]) ? 'sample' : 'issued')
  const known = prices && { latest_price_day: prices.marketDay }
  if (issue === undefined) {
    const replay = prices && (await replayed(prices.marketDay))
    if (replay !== undefined) {
      const reason = `Prices end on ${replay.infoDate}. The days after it are replayed, not issued.`
      return { subject: name, state: 'none', info_date: replay.infoDate, ...known, reason }
    }
    const reason = await missing()
    return { subject: name, state: 'none', ...known, ...(reason !== undefined && { reason }) }
  }
  const oldest = today.subtract({ days: INFO_AGE_DAYS_MAX }).toString()
  const isBehind =
    prices !== undefined &&
    issue.infoDate < prices.marketDay &&
    Temporal.Instant.compare(prices.fetchedAt.add({ hours: HOURS_TO_ISSUE }), now) < 0
  return {
    subject: name,
    state: isBehind || issue.infoDate < oldest ? 'stale' : 'current',
    issued_at: toUtcIso(issue.issuedAt),
    info_date: issue.infoDate,
    ...known,
  }
}
