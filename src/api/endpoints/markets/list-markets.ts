import { fundamentalOf } from '../../../market/fundamentals.ts'
import { MARKETS, marketName, seriesOfMarket } from '../../../market/markets.ts'
import { formatMoment } from '../../../publishers/schedule.ts'
import { fundamentalSource } from '../../../publishers/sources.ts'
import type { FundamentalExtent } from '../../../store/fundamentals.ts'
import { type MarketList, marketList } from '../../contract/markets.ts'
import { endpoint } from '../../http/endpoint.ts'
import { sourceNames } from '../source-credits.ts'

/** Markets after the day-ahead auction, each with its coverage. */
export const listMarkets = endpoint({
  id: 'listMarkets',
  method: 'get',
  path: '/markets',
  tag: 'Day-ahead market',
  summary: 'List intraday and imbalance markets',
  description:
    'Returns the intraday auctions, the continuous market and imbalance settlement, each with its zones or ' +
    'macrozones, stored days, usual publication and the terms of its publisher.',
  plan: 'API',
  cache: '1h',
  reply: marketList,
  example: {
    markets: presentList([
      {
        ...{ series: 'imbalance-price', area: 'macro-nord', resolutionMinutes: 15, sourceIds: ['terna-imbalance'] },
        ...{ firstDay: '2025-01-01', lastDay: '2026-11-20' },
      },
    ]).markets.filter(({ market }) => market === 'imbalance'),
  },
  async handle({ service }) {
    return presentList(await service.fundamentals.list())
  },
})

function presentList(extents: readonly FundamentalExtent[]): MarketList {
  return {
    markets: MARKETS.map((market) => {
      const series = seriesOfMarket(market)
      const { name, terms } = fundamentalSource(series)
      const { known, lastDay: end } = fundamentalOf(series)
      const own = extents.filter((extent) => [series, `${series}-preliminary`].includes(extent.series))
      return {
        market,
        name: marketName(market),
        usual_publication: formatMoment(known) + (end === undefined ? '' : `, until ${end}`),
        source: own.length === 0 ? name : sourceNames(own.flatMap(({ sourceIds }) => sourceIds)),
        terms,
        zones: [...Map.groupBy(own, ({ area }) => area)].map(([area, parts]) => ({
          zone: area as MarketList['markets'][number]['zones'][number]['zone'],
          from: parts.map(({ firstDay }) => firstDay).sort()[0] as string,
          to: parts
            .map(({ lastDay }) => lastDay)
            .sort()
            .at(-1) as string,
          resolution_minutes: (parts[0] as FundamentalExtent).resolutionMinutes,
        })),
      }
    }),
  }
}
