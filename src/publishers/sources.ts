/** Publishers by the id that is stored with their values, and their names for display. */
import type { AssetCode } from '../market/assets.ts'
import type { FundamentalSeries } from '../market/fundamentals.ts'
import { entsoeActuals, entsoeLoadForecast, entsoeNeighbours, entsoeRenewablesForecast } from './entsoe/index.ts'
import { simulatedForecasts } from './fundamentals-csv/index.ts'
import { gmeIntraday } from './gme-intraday.ts'
import { PUBLISHERS } from './index.ts'
import { openMeteo } from './open-meteo.ts'
import type { Publisher } from './publisher.ts'
import { ternaImbalance } from './terna-imbalance.ts'

/** Publishers that are fetched from if `SOURCES` names them. */
export const FETCHED_PUBLISHERS = PUBLISHERS.filter(({ fetching }) => fetching !== undefined)

/** Returns undefined if no publisher has that id. */
export function sourceById(id: string): Publisher | undefined {
  return PUBLISHERS.find((publisher) => publisher.id === id)
}

/** Throws if no publisher has that id. */
export function sourceDefinition(id: string): Publisher {
  const publisher = sourceById(id)
  if (!publisher) throw new Error(`a value names the source "${id}", which src/publishers/index.ts does not list`)
  return publisher
}

/** Names of the sources, each once, in the order given: `A; B`. */
export function sourceNames(ids: readonly string[]): string {
  return [...new Set(ids.map((id) => sourceDefinition(id).name))].join('; ')
}

/** Returns the publishers in a list made by `sourceNames`, one for each name. */
export function sourcesNamed(names: string): Publisher[] {
  return names.split('; ').flatMap((name) => PUBLISHERS.find((publisher) => publisher.name === name) ?? [])
}

/** Whether any of the sources is synthetic. */
export function anySynthetic(sourceIds: readonly string[]): boolean {
  return sourceIds.some((id) => sourceById(id)?.synthetic)
}

/** Returns the official publisher of an index, `gme-mgp` for the PUN; also assumed for an imported file that names none. */
export function defaultSourceFor(asset: AssetCode): Publisher {
  return preferredSource(asset, (publisher) => publisher.assets.includes(asset))
}

/** Returns the publisher of a fundamental; also assumed for an imported file that names none. */
export function fundamentalSource(series: FundamentalSeries): Publisher {
  return sourceDefinition(
    FUNDAMENTAL_SOURCES[series] ??
      MARKET_SOURCES.find(([begins]) => series.startsWith(begins))?.[1] ??
      entsoeActuals.id,
  )
}

const MARKET_SOURCES: readonly (readonly [begins: string, id: string])[] = [
  ['mi', gmeIntraday.id],
  ['xbid', gmeIntraday.id],
  ['imbalance', ternaImbalance.id],
]

/** Sources of series other than actual load and generation. */
const FUNDAMENTAL_SOURCES: Partial<Record<FundamentalSeries, string>> = {
  'load-forecast': entsoeLoadForecast.id,
  'wind-forecast': entsoeRenewablesForecast.id,
  'wind-offshore-forecast': entsoeRenewablesForecast.id,
  'solar-forecast': entsoeRenewablesForecast.id,
  'wind-forecast-simulated': simulatedForecasts.id,
  'solar-forecast-simulated': simulatedForecasts.id,
  'day-ahead-price': entsoeNeighbours.id,
  'early-auction-price': entsoeNeighbours.id,
  'wind-speed': openMeteo.id,
  'solar-radiation': openMeteo.id,
  temperature: openMeteo.id,
}

/** The publisher of the retail offers. */
export function offersSource(): Publisher {
  return preferredSource('offers', ({ offerLists }) => offerLists.length > 0)
}

function preferredSource(what: string, delivers: (publisher: Publisher) => boolean): Publisher {
  const [first] = PUBLISHERS.filter((publisher) => !publisher.synthetic && delivers(publisher)).sort(
    (a, b) => a.priority - b.priority,
  )
  if (!first) throw new Error(`no source of ${what} is listed in src/publishers/index.ts`)
  return first
}
