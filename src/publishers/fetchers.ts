/** Every publisher that can be fetched from. */
import type { FetchedSourceId, SourcesConfig } from '../service/config/source-config.ts'
import { makeOffersPortal } from './arera-offers/fetch.ts'
import { makeEexEua } from './eex-eua/fetch.ts'
import { makeEexTtf } from './eex-ttf/fetch.ts'
import { makeEiaBrent } from './eia-brent/fetch.ts'
import { makeEntsoe } from './entsoe/fetch.ts'
import type { Fetcher, MakeFetcher, SourceOff } from './fetcher.ts'
import { makeGmeGas } from './gme-mgas/fetch.ts'
import { makeGmeMgp } from './gme-mgp/fetch.ts'

const MAKERS: Readonly<Record<FetchedSourceId, MakeFetcher>> = {
  'gme-mgp': makeGmeMgp,
  'gme-mgas': makeGmeGas,
  entsoe: makeEntsoe,
  'eex-ttf': makeEexTtf,
  'eia-brent': makeEiaBrent,
  'eex-eua': makeEexEua,
  'arera-offers': makeOffersPortal,
}

/** Those that can be used, and why the others cannot. */
export function makeFetchers(config: SourcesConfig): { enabled: Fetcher[]; off: SourceOff[] } {
  const made = Object.values(MAKERS).map((make) => make(config))
  return {
    enabled: made.filter((one) => 'fetch' in one),
    off: made.filter((one) => 'off' in one),
  }
}
