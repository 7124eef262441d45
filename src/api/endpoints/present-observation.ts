import { ASSETS, hasConsumerUnit } from '../../market/assets.ts'
import { toUtcIso } from '../../market/market-day.ts'
import { roundNative, toEurKwh } from '../../market/price-units.ts'
import type { DailyObservation } from '../../store/prices.ts'
import type { PriceObservation } from '../contract/observations.ts'
import { attributionText, sourceNames, sourceUrl } from './source-credits.ts'

/** Presents a stored observation in the consumer unit; adds the native unit only if it differs. */
export function presentObservation(observation: DailyObservation, baseUrl: URL): PriceObservation {
  const asset = ASSETS[observation.asset]
  const native = roundNative(observation.price)
  return {
    date: observation.day,
    observed_at: toUtcIso(observation.observedAt),
    ...(hasConsumerUnit(asset)
      ? { value: toEurKwh(observation.price), unit: asset.unit, value_native: native, unit_native: asset.nativeUnit }
      : { value: native, unit: asset.unit }),
    ...(observation.basis && { basis: observation.basis }),
    asset: asset.code,
    asset_name: asset.name,
    source: sourceNames(observation.sourceIds),
    source_url: sourceUrl(observation.sourceIds, baseUrl),
    attribution: attributionText(observation.sourceIds, baseUrl),
    page: new URL(`/prices/${asset.slug}`, baseUrl).href,
  }
}
