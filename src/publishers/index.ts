/** Every publisher that can be named as the source of a value: the site map of provenance. */
import type { AssetCode } from '../market/assets.ts'
import { MARKET_ZONES, STORED_ZONES } from '../market/zones.ts'
import { offersPortal } from './arera-offers/index.ts'
import { sampleSource } from './sample/index.ts'
import type { SourceDefinition } from './source.ts'

const GME_NAME = 'Gestore dei Mercati Energetici S.p.A. (GME)'
const GME_URL = 'https://www.mercatoelettrico.org'
const GME_TERMS =
  'For information and private use, quoted as "Fonte: Gestore dei Mercati Energetici S.p.A."; redistribution and commercial use need the consent of GME.'
const EEX_NAME = 'European Energy Exchange AG (EEX)'
const EEX_URL = 'https://www.eex.com'

export const SOURCES: readonly SourceDefinition[] = [
  {
    id: 'gme-mgp', // results of the day-ahead market (MGP)
    name: GME_NAME,
    url: GME_URL,
    terms: GME_TERMS,
    redistributable: false,
    delayDays: -1,
    assets: ['PUN'],
    zones: STORED_ZONES,
    synthetic: false,
    priority: 10,
  },
  {
    id: 'gme-mgas', // results of the gas market (MGP-GAS)
    name: GME_NAME,
    url: GME_URL,
    terms: GME_TERMS,
    redistributable: false,
    delayDays: -1,
    assets: ['PSV'],
    zones: [],
    synthetic: false,
    priority: 10,
  },
  {
    id: 'entsoe', // day-ahead prices of the bidding zones; it has no PUN
    name: 'ENTSO-E Transparency Platform',
    url: 'https://transparency.entsoe.eu',
    terms: 'Free to use when ENTSO-E is cited as the source; rights of the original data owners stay in force.',
    redistributable: true,
    delayDays: -1,
    assets: [],
    zones: [...MARKET_ZONES, 'cala'],
    synthetic: false,
    priority: 20,
  },
  {
    id: 'eex-ttf', // settlement of the TTF day-ahead product
    name: EEX_NAME,
    url: EEX_URL,
    terms: 'No open licence: shown for information only, not to be redistributed without the consent of EEX.',
    redistributable: false,
    delayDays: -1,
    assets: ['TTF'],
    zones: [],
    synthetic: false,
    priority: 10,
  },
  {
    id: 'eia-brent', // Europe Brent spot price FOB, series RBRTE
    name: 'U.S. Energy Information Administration (EIA)',
    url: 'https://www.eia.gov',
    terms: 'Public domain; EIA asks to be named as the source.',
    redistributable: true,
    delayDays: 3, // weekdays; the agency lists a trading day some days later
    assets: ['Brent'],
    zones: [],
    synthetic: false,
    priority: 10,
  },
  {
    id: 'eex-eua', // primary auctions of EU emission allowances, contract T3PA
    name: EEX_NAME,
    url: EEX_URL,
    terms: 'Auction reports are public but carry no open licence: shown for information only.',
    redistributable: false,
    delayDays: 0,
    assets: ['CO2'],
    zones: [],
    synthetic: false,
    priority: 10,
  },
  offersPortal,
  sampleSource,
]

/** The source with that id, undefined where there is none. */
export function sourceById(id: string): SourceDefinition | undefined {
  return SOURCES.find((source) => source.id === id)
}

/** Whether any of the values is synthetic. */
export function areSynthetic(sourceIds: readonly string[]): boolean {
  return sourceIds.some((id) => sourceById(id)?.synthetic)
}

/** The publisher assumed for an imported file of an asset that names none: `defaultSourceFor('PUN').id` is `gme-mgp`. */
export function defaultSourceFor(asset: AssetCode): SourceDefinition {
  const [best] = SOURCES.filter((source) => !source.synthetic && source.assets.includes(asset)).sort(
    (a, b) => a.priority - b.priority,
  )
  if (!best) throw new Error(`no source of ${asset} is listed in src/publishers/index.ts`)
  return best
}
