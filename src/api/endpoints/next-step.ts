/** What to do where prices have ended, or there are none: the end of the messages of errors. */
import type { AssetCode } from '../../market/assets.ts'
import { defaultSourceFor, offersSource, sourceById } from '../../publishers/sources.ts'
import type { SourceFetching } from '../../store/source-fetching.ts'
import type { HandlerContext } from '../http/endpoint.ts'
import { isStale, latestStored } from './current-price.ts'

/** Whether any publisher of the index is fetched from. */
export function isFetched(asset: AssetCode, fetching: readonly SourceFetching[]): boolean {
  return fetching.some(({ source, state }) => state === 'on' && sourceById(source)?.assets.includes(asset))
}

/** ` Prices of PUN end on 2024-12-31. Start …`; empty while they are current, or newer ones are being fetched or made. `said`: the sentence before it, whose day is not repeated. */
export async function nextStep(
  { service, today }: HandlerContext,
  of: AssetCode | 'offers',
  said = '',
): Promise<string> {
  const { prices, sampleData, sourceStatus } = service
  const last = of === 'offers' ? undefined : await latestStored(prices, of, today)
  if (of !== 'offers' && last !== undefined && !isStale(of, last.day, today)) return ''
  if (await sampleData.enabled()) return ''
  const fetching = await sourceStatus.listFetching()
  const { id } = of === 'offers' ? offersSource() : defaultSourceFor(of)
  const isOn =
    of === 'offers' ? fetching.some(({ source, state }) => source === id && state === 'on') : isFetched(of, fetching)
  if (isOn) return ''
  const end = last && !said.includes(last.day) ? ` Prices of ${of} end on ${last.day}.` : ''
  return `${end} Start the service with SOURCES=${id}, or import newer files with npm run import.`
}
