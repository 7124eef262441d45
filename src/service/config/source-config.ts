/**
 * The publishers that can be fetched from, as the environment configures them. All are off until `SOURCES` names them: a service that
 * was just started calls nobody. `<ID>` below is the id in capitals with `_` for `-`: `GME_MGP_ADDRESS`.
 */
import { z } from 'zod'
import { Secret } from '../../platform/secret.ts'
import { wholeNumber } from '../../platform/whole-number.ts'

/** Ids of the publishers that have a fetcher, as `SOURCES` spells them; a test compares them with `src/publishers/fetchers.ts`. */
export const FETCHED_SOURCES = [
  'gme-mgp',
  'gme-mgas',
  'entsoe',
  'eex-ttf',
  'eia-brent',
  'eex-eua',
  'arera-offers',
] as const
export type FetchedSourceId = (typeof FETCHED_SOURCES)[number]

export interface SourcesConfig {
  /** Named in `SOURCES`. */
  wanted: ReadonlySet<FetchedSourceId>
  bySource: Readonly<Record<FetchedSourceId, SourceConfig>>
  /** Credentials of GME's API, which serves both of its markets. */
  gmeApi: { login: Secret | undefined; password: Secret | undefined; address: URL | undefined }
  /** Numbers by which GME's site knows its download page; they may change with a release of the site. */
  gmeDownload: { moduleId: string; tabId: string }
  /** Where the gas market is read from when the API is not configured: the JSON behind the public pages, or the download. */
  gmeGasForm: 'pages' | 'zip'
  entsoeToken: Secret | undefined
  eiaKey: Secret | undefined
  /** Which of EEX's two public forms the TTF is read from. */
  eexTtfForm: 'table' | 'ngp'
}

export interface SourceConfig {
  /** `<ID>_ADDRESS`: in place of the publisher's own, for a mirror or a test. */
  address: URL | undefined
  /** `<ID>_HISTORY_FROM`: the first market day that is to be fetched, YYYY-MM-DD; undefined leaves it to the source. */
  historyFrom: string | undefined
  /** `<ID>_REDISTRIBUTABLE`: in place of what the publisher's licence says by default. */
  redistributable: boolean | undefined
  /** `<ID>_REQUESTS_PER_DAY`: in place of the source's own budget. */
  requestsPerDay: number | undefined
  /** `<ID>_INTERVAL_MS`: least time between two requests, in place of the source's own. */
  minIntervalMs: number | undefined
}

const address = z.url({ protocol: /^https?$/ }).optional()
const credential = z.string().min(1).optional()
const siteNumber = z.string().regex(/^\d{1,9}$/, 'must be a number')

/** What each source has of its own. */
const OWN_VARIABLES = {
  GME_API_LOGIN: credential,
  GME_API_PASSWORD: credential,
  GME_API_ADDRESS: address,
  GME_DOWNLOAD_MODULE_ID: siteNumber.default('12103'),
  GME_DOWNLOAD_TAB_ID: siteNumber.default('1749'),
  GME_GAS_FORM: z.enum(['pages', 'zip']).default('pages'),
  ENTSOE_TOKEN: credential,
  EIA_API_KEY: credential,
  EEX_TTF_FORM: z.enum(['table', 'ngp']).default('table'),
}

/** What all have alike, behind the source's prefix. */
const COMMON_VARIABLES = {
  ADDRESS: address,
  HISTORY_FROM: z.iso.date('must be a day such as 2025-10-01').optional(),
  REDISTRIBUTABLE: z.enum(['true', 'false']).optional(),
  REQUESTS_PER_DAY: wholeNumber(1, 1_000_000).optional(),
  INTERVAL_MS: wholeNumber(0, 3_600_000).optional(),
}
const commonVariables = z.object(COMMON_VARIABLES)

/** `GME_MGP_` */
function prefixOf(id: FetchedSourceId): string {
  return `${id.toUpperCase().replaceAll('-', '_')}_`
}

/** Shapes of all variables of sources, for env.ts. */
export const SOURCE_VARIABLES = {
  SOURCES: z.string().default(''),
  ...OWN_VARIABLES,
  ...(Object.fromEntries(
    FETCHED_SOURCES.flatMap((id) =>
      Object.entries(COMMON_VARIABLES).map(([name, shape]) => [`${prefixOf(id)}${name}`, shape]),
    ),
  ) as Record<never, never>),
}
const variables = z.object(SOURCE_VARIABLES)

/** What the variables mean; they have passed `SOURCE_VARIABLES`. */
export function readSourcesConfig(env: Readonly<Record<string, unknown>>): SourcesConfig {
  const own = variables.parse(env)
  const secret = (text: string | undefined) => (text === undefined ? undefined : new Secret(text))
  return {
    wanted: new Set(namesIn(own.SOURCES).filter(isFetched)),
    bySource: Object.fromEntries(FETCHED_SOURCES.map((id) => [id, readSource(id, env)])) as SourcesConfig['bySource'],
    gmeApi: {
      login: secret(own.GME_API_LOGIN),
      password: secret(own.GME_API_PASSWORD),
      address: urlOf(own.GME_API_ADDRESS),
    },
    gmeDownload: { moduleId: own.GME_DOWNLOAD_MODULE_ID, tabId: own.GME_DOWNLOAD_TAB_ID },
    gmeGasForm: own.GME_GAS_FORM,
    entsoeToken: secret(own.ENTSOE_TOKEN),
    eiaKey: secret(own.EIA_API_KEY),
    eexTtfForm: own.EEX_TTF_FORM,
  }
}

/** What no single variable can show. */
export function contradictionsOfSources(stated: Partial<Record<string, string>>): string[] {
  const unknown = namesIn(stated.SOURCES ?? '').filter((name) => !isFetched(name))
  const problems = unknown.map((name) => `SOURCES: there is no "${name}", only ${FETCHED_SOURCES.join(', ')}`)
  if ((stated.GME_API_LOGIN === undefined) !== (stated.GME_API_PASSWORD === undefined)) {
    problems.push('GME_API_LOGIN: needs GME_API_PASSWORD, and the other way round')
  }
  return problems
}

function readSource(id: FetchedSourceId, env: Readonly<Record<string, unknown>>): SourceConfig {
  const names = Object.keys(COMMON_VARIABLES)
  const own = commonVariables.parse(Object.fromEntries(names.map((name) => [name, env[`${prefixOf(id)}${name}`]])))
  return {
    address: urlOf(own.ADDRESS),
    historyFrom: own.HISTORY_FROM,
    redistributable: own.REDISTRIBUTABLE === undefined ? undefined : own.REDISTRIBUTABLE === 'true',
    requestsPerDay: own.REQUESTS_PER_DAY,
    minIntervalMs: own.INTERVAL_MS,
  }
}

function namesIn(list: string): string[] {
  return list.split(/[\s,]+/).filter((name) => name !== '')
}

function isFetched(name: string): name is FetchedSourceId {
  return (FETCHED_SOURCES as readonly string[]).includes(name)
}

function urlOf(text: string | undefined): URL | undefined {
  return text === undefined ? undefined : new URL(text)
}
