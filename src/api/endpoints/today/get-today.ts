import { ASSET_CODES } from '../../../market/assets.ts'
import { secondsToNextPublication } from '../../../publishers/publications.ts'
import type { DailyObservation } from '../../../store/prices.ts'
import { noData } from '../../contract/errors.ts'
import { type Snapshot, snapshot } from '../../contract/observations.ts'
import { endpoint } from '../../http/endpoint.ts'
import { latestPrice } from '../current-price.ts'
import { EXAMPLE_BASE_URL, exampleObservation } from '../examples.ts'
import { nextStep } from '../next-step.ts'
import { presentObservation } from '../present-observation.ts'
import { attributionText } from '../source-credits.ts'

/** All indices at once; an index without data is omitted. Spec: "Snapshot". */
export const getToday = endpoint({
  id: 'getToday',
  method: 'get',
  path: '/today',
  tag: 'Current prices',
  summary: 'Get the latest prices',
  description:
    'Returns the latest price of PUN, PSV, TTF, Brent and CO2, each with its own market day. At weekends gas, ' +
    'oil and allowances keep the price of their last trading day. The PUN is that of the last stored day, which ' +
    '`date` states; another index without a price of the last seven days is left out.',
  plan: 'Open',
  cache: '15min',
  reply: snapshot,
  example: exampleSnapshot(),
  fails: ['no_data'],
  async handle({ service, now, today }) {
    const found = await Promise.all(ASSET_CODES.map((code) => latestPrice(service.prices, code, today)))
    const observations = found.filter((observation) => observation !== undefined)
    if (observations.length === 0) {
      const next = await nextStep({ service, now, today }, 'PUN')
      throw noData('A current price of any index', secondsToNextPublication(ASSET_CODES, now), next)
    }
    return presentSnapshot(observations, service.config.baseUrl)
  },
})

function presentSnapshot(observations: DailyObservation[], baseUrl: URL): Snapshot {
  const sourceIds = observations.flatMap((observation) => observation.sourceIds)
  return {
    date: snapshotDate(observations),
    values: Object.fromEntries(observations.map((one) => [one.asset, presentObservation(one, baseUrl)])),
    attribution: attributionText(sourceIds, baseUrl),
    source_page: `${baseUrl.origin}/`,
    docs: `${baseUrl.origin}/v1`,
  }
}

/** The PUN's day; while there is no PUN, the latest day of the others. */
function snapshotDate(observations: DailyObservation[]): string {
  const pun = observations.find((observation) => observation.asset === 'PUN')
  const days = observations.map((observation) => observation.day).sort()
  const day = pun?.day ?? days.at(-1)
  if (day === undefined) throw new Error('a snapshot without observations')
  return day
}

function exampleSnapshot(): Snapshot {
  const values = Object.fromEntries((['PUN'] as const).map((code) => [code, exampleObservation(code)]))
  return {
    date: '2026-11-21',
    values,
    attribution: exampleObservation('PUN').attribution,
    source_page: EXAMPLE_BASE_URL.href,
    docs: `${EXAMPLE_BASE_URL.origin}/v1`,
  }
}
