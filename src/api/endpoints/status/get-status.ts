import { ASSET_CODES } from '../../../market/assets.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import { PUBLISHERS } from '../../../publishers/index.ts'
import { nextPublication } from '../../../publishers/publications.ts'
import type { Publisher } from '../../../publishers/publisher.ts'
import { formatMoment } from '../../../publishers/schedule.ts'
import { defaultSourceFor, offersSource } from '../../../publishers/sources.ts'
import type { SampleDataEnd } from '../../../store/sample-data.ts'
import type { SourceFetching } from '../../../store/source-fetching.ts'
import type { SeriesFreshness } from '../../../store/source-status.ts'
import { type ServiceStatus, serviceStatus } from '../../contract/status.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { sourceUrl } from '../source-credits.ts'
import { forecastStates, trainingProgress } from './forecast-states.ts'

/** `offers:free-power` */
const OFFERS_PREFIX = 'offers:'
const EXAMPLE_NOW = Temporal.Instant.from('2026-11-21T12:00:00Z')

/** Freshness of each source. Decisions: "Limits". */
export const getStatus = endpoint({
  id: 'getStatus',
  method: 'get',
  path: '/status',
  tag: 'Plans and status',
  summary: 'Get the freshness of the data',
  description:
    'Returns per source whether it is fetched, the outcome of the last attempt, late days and what its terms ' +
    'allow. Per series the latest market day, whether it is complete, when it was fetched, and when the next ' +
    'one is usually published. Per forecast whether it is up to date, and the progress of running trainings.',
  plan: 'Open',
  cache: '1min',
  reply: serviceStatus,
  example: presentStatus(
    {
      freshness: [
        {
          series: 'zone:nazionale',
          sourceId: 'gme-mgp',
          marketDay: '2026-11-22',
          complete: true,
          observedAt: Temporal.Instant.from('2026-11-21T11:57:00Z'),
          fetchedAt: Temporal.Instant.from('2026-11-21T11:58:10Z'),
        },
      ],
      fetching: [
        {
          source: 'gme-mgp',
          redistributable: false,
          state: 'on',
          way: 'API',
          reason: null,
          attemptedAt: Temporal.Instant.from('2026-11-21T11:58:09Z'),
          outcome: 'complete',
          detail: null,
          completedAt: Temporal.Instant.from('2026-11-21T11:58:09Z'),
        },
      ],
      end: { at: Temporal.Instant.from('2026-11-20T09:30:00Z'), removedPrices: 1 },
      late: [{ source: 'gme-mgp', day: '2026-11-19' }],
      forecasts: [
        {
          ...{ subject: 'PUN', state: 'current', issued_at: '2026-11-21T12:02:11Z', info_date: '2026-11-22' },
          latest_price_day: '2026-11-22',
        },
      ],
    },
    EXAMPLE_NOW,
    EXAMPLE_BASE_URL,
  ),
  async handle({ service, now, today }) {
    const [freshness, fetching, end, late] = await Promise.all([
      service.sourceStatus.list(),
      service.sourceStatus.listFetching(),
      service.sampleData.end(),
      service.sourceStatus.lateDays(),
    ])
    const forecasts = await forecastStates({ service, now, today }, freshness)
    return presentStatus({ freshness, fetching, end, late, forecasts }, now, service.config.baseUrl)
  },
})

interface StatusFound {
  freshness: SeriesFreshness[]
  fetching: SourceFetching[]
  /** End of the sample data. */
  end: SampleDataEnd | undefined
  /** Days that are late, newest first. */
  late: { source: string; day: string }[]
  forecasts: ServiceStatus['forecasts']
}

function presentStatus(found: StatusFound, now: Temporal.Instant, baseUrl: URL): ServiceStatus {
  const { freshness, fetching, end, late, forecasts } = found
  const training = trainingProgress(forecasts)
  const bySource = Map.groupBy(freshness, (one) => one.sourceId)
  return {
    generated_at: toUtcIso(now),
    sample_data_ended_at: end === undefined ? null : toUtcIso(end.at),
    sources: PUBLISHERS.flatMap((source) => {
      const known = fetching.find((one) => one.source === source.id)
      if (known === undefined) return []
      const series = bySource.get(source.id) ?? []
      return [
        {
          id: source.id,
          name: source.name,
          url: sourceUrl([source.id], baseUrl),
          terms: source.terms,
          synthetic: source.synthetic,
          redistributable: known.redistributable,
          fetching: presentFetching(known),
          usual_delay_days: source.publishes.days,
          usual_publication: source.synthetic ? null : formatMoment(source.publishes),
          late_days: late.filter((one) => one.source === source.id).map(({ day }) => day),
          series: series.map((one) => presentSeries(one, source, now)),
        },
      ]
    }),
    forecasts,
    ...(training && { training }),
  }
}

/** Omits the details of an outcome, which are for operators: they may quote the publisher. */
function presentFetching({
  state,
  way,
  reason,
  attemptedAt,
  outcome,
  completedAt,
}: SourceFetching): SourceOfStatus['fetching'] {
  if (state === null) return null
  return {
    state,
    way,
    reason,
    last_attempt: attemptedAt === null || outcome === null ? null : { at: toUtcIso(attemptedAt), outcome },
    completed_at: completedAt === null ? null : toUtcIso(completedAt),
  }
}

type SourceOfStatus = ServiceStatus['sources'][number]

function presentSeries(
  one: SeriesFreshness,
  source: Publisher,
  now: Temporal.Instant,
): SourceOfStatus['series'][number] {
  const publisher = source.synthetic ? officialScheduleOf(one.series) : source
  return {
    series: one.series,
    latest_market_day: one.marketDay,
    complete: one.complete,
    observed_at: toUtcIso(one.observedAt),
    fetched_at: toUtcIso(one.fetchedAt),
    usual_publication: formatMoment(publisher.publishes),
    next_expected_at: toUtcIso(nextPublication(publisher, now)),
  }
}

/** The synthetic publisher publishes each series at the hour of the official one, and daily prices on their own day. */
function officialScheduleOf(series: string): Pick<Publisher, 'publishes' | 'publishesOn'> {
  if (series.startsWith(OFFERS_PREFIX)) return offersSource()
  const asset = ASSET_CODES.find((code) => code === series)
  if (asset === undefined || asset === 'PUN') return defaultSourceFor('PUN') // zones are published with the PUN
  const { publishes, publishesOn } = defaultSourceFor(asset)
  return { publishes: { ...publishes, days: 0 }, publishesOn }
}
