/** The remedy at the end of error messages when prices have ended or are missing. */
import type { AssetCode } from '../../market/assets.ts'
import { secondsToNextPublication } from '../../publishers/publications.ts'
import type { Publisher } from '../../publishers/publisher.ts'
import { defaultSourceFor, sourceById } from '../../publishers/sources.ts'
import type { SourceFetching } from '../../store/source-fetching.ts'
import { type ApiError, noData } from '../contract/errors.ts'
import type { HandlerContext } from '../http/endpoint.ts'
import { isStale, latestStored } from './current-price.ts'

/** Whether any publisher of the index is being fetched. */
export function isFetched(asset: AssetCode, fetching: readonly SourceFetching[]): boolean {
  return fetching.some(({ source, state }) => state === 'on' && sourceById(source)?.assets.includes(asset))
}

/**
 * Returns ` Prices of PUN end on 2024-12-31. Start …`; empty while they are current, or newer ones are being fetched or generated.
 * For data other than prices, `of` is the publisher. `said` is the preceding sentence; a day that it states is not repeated.
 */
export async function nextStep(
  { service, today }: HandlerContext,
  of: AssetCode | Publisher,
  precedingText = '',
): Promise<string> {
  const { prices, sampleData, sourceStatus } = service
  const asset = typeof of === 'string' ? of : undefined
  const last = asset && (await latestStored(prices, asset, today))
  if (asset && last !== undefined && !isStale(asset, last.day, today)) return ''
  if (await sampleData.enabled()) return ''
  const { id, fetching } = typeof of === 'string' ? defaultSourceFor(of) : of
  const states = await sourceStatus.listFetching()
  if (asset ? isFetched(asset, states) : states.some(({ source, state }) => source === id && state === 'on')) return ''
  const end = last && !precedingText.includes(last.day) ? ` Prices of ${asset} end on ${last.day}.` : ''
  const start = fetching === undefined ? 'Import' : `Start the service with SOURCES=${id}, or import`
  return `${end} ${start} newer files with npm run import.`
}

/** `noPriceYet(context, 'TTF', 'A price of TTF')`: not published yet, when the index is published next, and the next step. */
export async function noPriceYet(context: HandlerContext, code: AssetCode, subject: string): Promise<ApiError> {
  return noData(subject, secondsToNextPublication([code], context.now), await nextStep(context, code))
}
