/** Every publisher, one line each: the site map of provenance. Adding one: README.md. */
import { areraOffers } from './arera-offers/index.ts'
import type { DocumentForm } from './documents.ts'
import { eexEua } from './eex-eua/index.ts'
import { eexTtf } from './eex-ttf/index.ts'
import { eiaBrent } from './eia-brent/index.ts'
import { entsoe } from './entsoe/index.ts'
import { entsoeActuals } from './entsoe-actuals/index.ts'
import { entsoeLoadForecast } from './entsoe-load-forecast/index.ts'
import { entsoeNeighbours } from './entsoe-neighbours/index.ts'
import { entsoeRenewablesForecast } from './entsoe-renewables-forecast/index.ts'
import { fundamentalsCsv } from './fundamentals-csv/index.ts'
import { gmeMgas } from './gme-mgas/index.ts'
import { gmeMgp } from './gme-mgp/index.ts'
import { openMeteo } from './open-meteo/index.ts'
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
