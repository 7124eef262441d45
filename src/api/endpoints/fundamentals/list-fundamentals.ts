import { FUNDAMENTAL_SERIES, fundamentalOf } from '../../../market/fundamentals.ts'
import { formatMoment } from '../../../publishers/schedule.ts'
import type { FundamentalExtent } from '../../../store/fundamentals.ts'
import { type FundamentalList, fundamentalList } from '../../contract/fundamentals.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText } from '../source-credits.ts'

/** Coverage of each fundamental. */
export const listFundamentals = endpoint({
  id: 'listFundamentals',
  method: 'get',
  path: '/fundamentals',
  tag: 'Fundamentals',
  summary: 'List fundamentals',
  description:
    'Returns every series of load, generation, their forecasts, prices of neighbouring countries and weather, ' +
    'with its unit, areas and stored days.',
  plan: 'API',
  cache: '1h',
  reply: fundamentalList,
  example: {
    ...presentList(
      [
        {
          series: 'load-forecast',
          area: 'IT',
          firstDay: '2021-01-01',
          lastDay: '2026-11-22',
          resolutionMinutes: 60,
          sourceIds: ['entsoe-load-forecast'],
        },
      ],
      EXAMPLE_BASE_URL,
    ),
    series: presentList([], EXAMPLE_BASE_URL).series.slice(0, 1),
  },
  async handle({ service }) {
    return presentList(await service.fundamentals.list(), service.config.baseUrl)
  },
})

function presentList(extents: readonly FundamentalExtent[], baseUrl: URL): FundamentalList {
  const bySeries = Map.groupBy(extents, ({ series }) => series)
  const sourceIds = [...new Set(extents.flatMap((extent) => extent.sourceIds))]
  return {
    series: FUNDAMENTAL_SERIES.map((series) => {
      const { name, unit, known, simulated } = fundamentalOf(series)
      return {
        series,
        name,
        unit,
        ...(simulated && { simulated }),
        usual_publication: formatMoment(known),
        areas: (bySeries.get(series) ?? []).map(({ area, firstDay, lastDay }) => ({
          area,
          from: firstDay,
          to: lastDay,
        })),
      }
    }),
    attribution: attributionText(sourceIds, baseUrl),
  }
}
