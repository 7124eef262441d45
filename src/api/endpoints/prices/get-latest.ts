import * as z from 'zod'
import { requireAssetBySlug } from '../../../market/assets.ts'
import { priceObservation } from '../../contract/observations.ts'
import { assetSlug } from '../../contract/parameters.ts'
import { endpoint } from '../../http/endpoint.ts'
import { latestStored } from '../current-price.ts'
import { exampleObservation } from '../examples.ts'
import { noPriceYet } from '../next-step.ts'
import { presentObservation } from '../present-observation.ts'

/** The latest observation of an index, however old. Unlike today's observations, it means the same for every index. */
export const getLatestPrice = endpoint({
  id: 'getLatestPrice',
  method: 'get',
  path: '/prices/{asset}/latest',
  tag: 'Current prices',
  summary: 'Get the latest price',
  description:
    'Returns the latest published price of an index, however old, with its age in `age_days`. From midday on ' +
    'the latest PUN is that of tomorrow, and its age is -1.',
  plan: 'Open',
  cache: '15min',
  pathSchema: z.object({ asset: assetSlug }),
  reply: priceObservation,
  example: { ...exampleObservation('TTF'), age_days: 1 },
  fails: ['no_data'],
  async handle({ path, service, now, today }) {
    const { code } = requireAssetBySlug(path.asset)
    const found = await latestStored(service.prices, code, today)
    if (!found) throw await noPriceYet({ service, now, today }, code, `A price of ${code}`)
    const { days } = today.since(found.day)
    return { ...presentObservation(found, service.config.baseUrl), age_days: days }
  },
})
