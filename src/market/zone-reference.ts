/**
 * Regions of the market zones, and former zones. The regions changed on 1 January 2021: Umbria moved to the Centre-South, Calabria
 * became a zone, and the production pole of Rossano was abolished (Terna, review of the market zones). Two years earlier the poles of
 * Brindisi and Foggia had merged into the South, that of Priolo into Sicily (Wattsight, updated Italian bidding zone configuration, 6 March 2019).
 */
import type { ZoneCode } from './zones.ts'

/** Regions of the zones by ISO 3166-2. */
export const REGIONS = {
  'IT-21': 'Piemonte',
  'IT-23': "Valle d'Aosta",
  'IT-25': 'Lombardia',
  'IT-32': 'Trentino-Alto Adige',
  'IT-34': 'Veneto',
  'IT-36': 'Friuli-Venezia Giulia',
  'IT-42': 'Liguria',
  'IT-45': 'Emilia-Romagna',
  'IT-52': 'Toscana',
  'IT-55': 'Umbria',
  'IT-57': 'Marche',
  'IT-62': 'Lazio',
  'IT-65': 'Abruzzo',
  'IT-67': 'Molise',
  'IT-72': 'Campania',
  'IT-75': 'Puglia',
  'IT-77': 'Basilicata',
  'IT-78': 'Calabria',
  'IT-82': 'Sicilia',
  'IT-88': 'Sardegna',
} as const
type RegionCode = keyof typeof REGIONS

/** The regions of a zone during a period, which is open on the side where a date is missing. */
interface Extent {
  from?: string
  to?: string
  regions: readonly RegionCode[]
}

const REVIEW = '2021-01-01'
const BEFORE_REVIEW = '2020-12-31'
const POLES_TO = '2018-12-31'

export const ZONE_EXTENTS: Readonly<Record<Exclude<ZoneCode, 'nazionale'>, readonly Extent[]>> = {
  nord: [{ regions: ['IT-21', 'IT-23', 'IT-25', 'IT-32', 'IT-34', 'IT-36', 'IT-42', 'IT-45'] }],
  cnor: [
    { to: BEFORE_REVIEW, regions: ['IT-52', 'IT-55', 'IT-57'] },
    { from: REVIEW, regions: ['IT-52', 'IT-57'] },
  ],
  csud: [
    { to: BEFORE_REVIEW, regions: ['IT-62', 'IT-65', 'IT-72'] },
    { from: REVIEW, regions: ['IT-55', 'IT-62', 'IT-65', 'IT-72'] },
  ],
  sud: [
    { to: BEFORE_REVIEW, regions: ['IT-67', 'IT-75', 'IT-77', 'IT-78'] },
    { from: REVIEW, regions: ['IT-67', 'IT-75', 'IT-77'] },
  ],
  cala: [{ from: REVIEW, regions: ['IT-78'] }],
  sici: [{ regions: ['IT-82'] }],
  sard: [{ regions: ['IT-88'] }],
}

/** Abolished zones: poles of limited production, without stored prices. An end date that no source states is left out. */
export const FORMER_ZONES = [
  { code: 'rosn', name: 'Rossano', eic: '10Y1001A1001A77A', validTo: BEFORE_REVIEW },
  { code: 'brnn', name: 'Brindisi', eic: '10Y1001A1001A699', validTo: POLES_TO },
  { code: 'fogn', name: 'Foggia', eic: '10Y1001A1001A72K', validTo: POLES_TO },
  { code: 'prgp', name: 'Priolo Gargallo', eic: '10Y1001A1001A76C', validTo: POLES_TO },
  { code: 'mftv', name: 'Monfalcone' },
] as const satisfies readonly { code: string; name: string; eic?: string; validTo?: string }[]
