import { fundamental } from '../../../market/fundamentals.ts'
import { MARKETS, marketName, seriesOfMarket } from '../../../market/markets.ts'
import { fundamentalSource } from '../../../publishers/sources.ts'
import type { FundamentalExtent } from '../../../store/fundamentals.ts'
import { type MarketList, marketList } from '../../contract/markets.ts'
import { endpoint } from '../../http/endpoint.ts'
import { usualPublication } from '../usual-publication.ts'

/** Markets after the day-ahead auction, and what there is of each. */
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
  status: 'live',
  cache: '1h',
  reply: marketList,
  example: {
    markets: presentList([
      { series: 'imbalance-price', area: 'macro-nord', firstDay: '2025-01-01', lastDay: '2026-11-20', sourceIds: [] },
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
      const { name: source, terms } = fundamentalSource(series)
      return {
        market,
        name: marketName(market),
        usual_publication: usualPublication(fundamental(series).known),
        source,
        terms,
        zones: extents
          .filter((extent) => extent.series === series)
          .map(({ area, firstDay, lastDay }) => ({
            zone: area as MarketList['markets'][number]['zones'][number]['zone'],
            from: firstDay,
            to: lastDay,
          })),
      }
    }),
  }
}
