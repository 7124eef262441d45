/** Attribution of values to their sources. Spec: "Attribution". The source name of synthetic data states that it is synthetic. */

import { sourceDefinition, sourceNames } from '../../publishers/sources.ts'
import { SERVICE_NAME } from '../contract/identity.ts'

export { sourceNames } from '../../publishers/sources.ts'

/** URL of the first source; pages of this service are resolved against the base URL. */
export function sourceUrl(ids: readonly string[], baseUrl: URL): string {
  const [first] = ids
  if (first === undefined) throw new Error('a value without a source')
  const { url } = sourceDefinition(first)
  return url.startsWith('/') ? new URL(url, baseUrl).href : url
}

/** The fields of a response that name its sources. */
export function creditsOf(ids: readonly string[], baseUrl: URL): { source: string; attribution: string } {
  return { source: sourceNames(ids), attribution: attributionText(ids, baseUrl) }
}

/** `Source: …, via Italian Energy Prices, https://energy.example/`; without sources, only the service is named. */
export function attributionText(ids: readonly string[], baseUrl: URL): string {
  const service = `${SERVICE_NAME}, ${baseUrl.origin}/`
  return ids.length === 0 ? service : `Source: ${sourceNames(ids)}, via ${service}`
}
