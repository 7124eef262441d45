import { ASSETS } from '../../../market/assets.ts'
import { type AssetList, assetList } from '../../contract/series.ts'
import { endpoint } from '../../http/endpoint.ts'
import { FIRST_DAY } from '../current-price.ts'

/** The indices, each with its first and last stored day. */
export const listAssets = endpoint({
  id: 'listAssets',
  method: 'get',
  path: '/prices',
  tag: 'History',
  summary: 'List indices',
  description:
    'Returns every index with its units and its first and last stored day. `/plans` states how much history ' +
    'each plan can read.',
  plan: 'Open',
  cache: '1h',
  reply: assetList,
  example: present([{ from: '2004-04-01', to: '2026-11-21' }]),
  async handle({ service, today }) {
    const range = { notBefore: FIRST_DAY, notAfter: today.add({ days: 1 }) }
    return present(await Promise.all(Object.values(ASSETS).map(({ code }) => service.prices.span(code, range))))
  },
})

/** `spans` is in the order of the indices; an index without prices has no days. */
function present(spans: readonly ({ from: string; to: string } | undefined)[]): AssetList {
  const assets = Object.values(ASSETS).slice(0, spans.length)
  return {
    count: assets.length,
    assets: assets.map(({ code, slug, name, unit, nativeUnit }, i) => ({
      ...{ asset: code, asset_name: name, unit, unit_native: nativeUnit, ...spans[i] },
      series: `/v1/prices/${slug}/series`,
      latest: `/v1/prices/${slug}/latest`,
    })),
  }
}
