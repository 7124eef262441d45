/** All publishers, one line each. To add one, see README.md. */
import { areraOffers } from './arera-offers/index.ts'
import type { DocumentForm } from './documents.ts'
import { eexEua } from './eex-eua.ts'
import { eexTtf } from './eex-ttf.ts'
import { eiaBrent } from './eia-brent.ts'
import {
  entsoe,
  entsoeActuals,
  entsoeImbalance,
  entsoeLoadForecast,
  entsoeNeighbours,
  entsoeRenewablesForecast,
} from './entsoe/index.ts'
import { fundamentalsCsv, simulatedForecasts } from './fundamentals-csv/index.ts'
import { gmeIntraday } from './gme-intraday.ts'
import { gmeMgas } from './gme-mgas/index.ts'
import { gmeMgp } from './gme-mgp/index.ts'
import { openMeteo } from './open-meteo.ts'
import { priceCsv } from './price-csv/index.ts'
import type { Publisher } from './publisher.ts'
import { sampleSource } from './sample/index.ts'
import { ternaImbalance, ternaImbalancePreliminary } from './terna-imbalance.ts'

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
  gmeIntraday,
  ternaImbalance,
  ternaImbalancePreliminary,
  entsoeImbalance,
  simulatedForecasts,
  sampleSource,
]

/** Forms of no particular publisher, tried on text that no publisher's form matches. */
export const GENERIC_DOCUMENTS: readonly DocumentForm[] = [fundamentalsCsv, ...priceCsv]
