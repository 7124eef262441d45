import { ASSET_CODES, type AssetCode } from '../../contract/assets.ts'
import { nextExpectedPublication, PUBLICATION_TIMES } from '../../contract/publications.ts'
import { type ServiceStatus, serviceStatus } from '../../contract/status.ts'
import { MARKET_TIME_ZONE } from '../../domain/market-day.ts'
import { endpoint } from '../../http/endpoint.ts'
import { SOURCES } from '../../sources/index.ts'
import type { SeriesFreshness } from '../../store/source-status.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { sourceUrl } from '../source-credits.ts'

const EXAMPLE_NOW = Temporal.Instant.from('2026-11-21T12:00:00Z')

/** Freshness of each source. Decisions: "Limits". */
export const getStatus = endpoint({
  id: 'getStatus',
  method: 'get',
  path: '/status',
  tag: 'Plans and status',
  summary: 'Freshness of the data',
  description:
    'Per source and series the latest market day, whether it is complete, when it was read, and when the next one is usually published.',
  plan: 'Open',
  status: 'live',
  cache: '1min',
  reply: serviceStatus,
  example: presentStatus(
    [
      {
        series: 'zone:nazionale',
        sourceId: 'gme-mgp',
        marketDay: '2026-11-22',
        complete: true,
        observedAt: Temporal.Instant.from('2026-11-21T11:57:00Z'),
        fetchedAt: Temporal.Instant.from('2026-11-21T11:58:10Z'),
      },
    ],
    EXAMPLE_NOW,
    EXAMPLE_BASE_URL,
  ),
  async handle({ service, now }) {
    return presentStatus(await service.sourceStatus.list(), now, service.config.baseUrl)
  },
})

function presentStatus(freshness: SeriesFreshness[], now: Temporal.Instant, baseUrl: URL): ServiceStatus {
  const bySource = Map.groupBy(freshness, (one) => one.sourceId)
  return {
    generated_at: wholeSeconds(now),
    sources: SOURCES.flatMap(({ id, name, terms, synthetic }) => {
      const series = bySource.get(id)
      if (series === undefined) return []
      return [
        {
          id,
          name,
          url: sourceUrl([id], baseUrl),
          terms,
          synthetic,
          series: series.map((one) => presentSeries(one, now)),
        },
      ]
    }),
  }
}

function presentSeries(
  one: SeriesFreshness,
  now: Temporal.Instant,
): ServiceStatus['sources'][number]['series'][number] {
  const asset = assetOf(one.series)
  const when = asset === 'PUN' ? 'on the day before' : 'on the day'
  return {
    series: one.series,
    latest_market_day: one.marketDay,
    complete: one.complete,
    observed_at: wholeSeconds(one.observedAt),
    fetched_at: wholeSeconds(one.fetchedAt),
    usual_publication: `${PUBLICATION_TIMES[asset]} ${MARKET_TIME_ZONE} ${when}`,
    next_expected_at: wholeSeconds(nextExpectedPublication(asset, now)),
  }
}

/** Zones come out with the PUN. */
function assetOf(series: string): AssetCode {
  return ASSET_CODES.find((code) => code === series) ?? 'PUN'
}

function wholeSeconds(instant: Temporal.Instant): string {
  return instant.round({ smallestUnit: 'second', roundingMode: 'floor' }).toString()
}
