/** Every publisher, one line each: the site map of provenance. Adding one: README.md. */
import { areraOffers } from './arera-offers/index.ts'
import type { DocumentForm } from './documents.ts'
import { eexEua } from './eex-eua.ts'
import { eexTtf } from './eex-ttf/index.ts'
import { eiaBrent } from './eia-brent.ts'
import { entsoeActuals } from './entsoe/actuals.ts'
import { entsoeLoadForecast } from './entsoe/load-forecast.ts'
import { entsoeNeighbours } from './entsoe/neighbours.ts'
import { entsoe } from './entsoe/prices.ts'
import { entsoeRenewablesForecast } from './entsoe/renewables-forecast.ts'
import { fundamentalsCsv } from './fundamentals-csv/index.ts'
import { gmeMgas } from './gme-mgas/index.ts'
import { gmeMgp } from './gme-mgp/index.ts'
import { openMeteo } from './open-meteo.ts'
import { priceCsv } from './price-csv/index.ts'
import type { Publisher } from './publisher.ts'
import { sampleSource } from './sample/index.ts'
import { simulatedForecasts } from './simulated-forecasts.ts'

export const PUBLISHERS: readonly Publisher[] = [
  gmeMgp,
  gmeMgas,
  entsoe,
  eexTtf,
  eiaBrent,
  eexEua,
  areraOffers,
  entsoeLoadForecast,
  entsoeRenewablesForecast,
  entsoeActuals,
  entsoeNeighbours,
  openMeteo,
  simulatedForecasts,
  sampleSource,
]

/** Forms of no particular publisher: tried for text that no publisher's form matches. */
export const ANYBODYS_DOCUMENTS: readonly DocumentForm[] = [fundamentalsCsv, ...priceCsv]
