import { z } from 'zod'
import { compactDay } from '../../market/market-day.ts'
import type { HttpResponse } from '../../platform/fetch/http-client.ts'
import { NotYetPublished, SourceRefused, SourceUnreachable } from '../../platform/fetch/outcomes.ts'
import { Secret } from '../../platform/secret.ts'
import {
  type DaySpan,
  documentOf,
  type FetchedDocument,
  type FetchIo,
  getDocument,
  joinUrl,
  type Politeness,
} from '../fetch-days.ts'
import { isRecord } from '../reading/json-document.ts'
import { address, type CommonSettings, credential } from '../settings.ts'

// GME's API: log in for a token and send it with each request; 401 means that it has expired. Traps: over a quota the response is HTTP
// 500 or 200 with text in place of data, or 429; reports differ on the casing of field names. Manual of 2025-10-15.

const API_URL = 'https://api.mercatoelettrico.org/request'
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' }
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600

/** An account may make 10 calls a minute and 100 an hour; logins count. */
export const API_POLITENESS: Politeness = {
  minIntervalMs: 7_000,
  requestsPerHour: 100,
  requestsPerDay: 400,
  account: 'gme-api',
}

export const API_VARIABLES = {
  GME_API_LOGIN: credential("login of GME's API, for all of its markets"),
  GME_API_PASSWORD: credential('its password'),
  GME_API_ADDRESS: address('its address, in place of those of its markets'),
}

export const API_LOGIN = ['GME_API_LOGIN', 'GME_API_PASSWORD'] as const

export type GmeApiSettings = CommonSettings & z.output<z.ZodObject<typeof API_VARIABLES>>

interface GmeQuery {
  segment: string
  dataName: string
  /** Days of the requested interval: market days for electricity, sessions for gas. */
  interval: DaySpan
  attributes: Record<string, string>
  /** Days that the response may contain. */
  days: DaySpan
}

export type GmeApi = (query: GmeQuery, io: FetchIo) => Promise<FetchedDocument>

/** Returns undefined if no credentials are configured. The token is kept for the lifetime of the returned function. */
export function gmeApi(settings: GmeApiSettings): GmeApi | undefined {
  const { GME_API_LOGIN: login, GME_API_PASSWORD: password } = settings
  if (login === undefined || password === undefined) return undefined
  const base = settings.GME_API_ADDRESS ?? settings.ADDRESS ?? new URL(API_URL)
  let token: Secret | undefined

  return async (query, io) => {
    token ??= await logIn(base, login, password, io)
    try {
      return await requestData(base, token, query, io)
    } catch (err) {
      if (!(err instanceof SourceRefused)) throw err
      token = await logIn(base, login, password, io)
      return requestData(base, token, query, io)
    }
  }
}

async function logIn(base: URL, login: Secret, password: Secret, io: FetchIo): Promise<Secret> {
  const answer = await io.http.send({
    url: joinUrl(base, '/api/v1/Auth'),
    method: 'POST',
    headers: JSON_HEADERS,
    body: new Secret(JSON.stringify({ Login: login.reveal(), Password: password.reveal() })),
    secrets: [login, password],
    signal: io.signal,
    meaningOf: quotaError,
  })
  const reply = fieldsOf(answer)
  const token = reply.get('token')
  if (reply.get('success') === true && typeof token === 'string' && token !== '') return new Secret(token)
  throw new SourceRefused(io.http.scrub(`GME's API refuses the login (${String(reply.get('reason') ?? 'no reason')})`))
}

async function requestData(base: URL, token: Secret, query: GmeQuery, io: FetchIo): Promise<FetchedDocument> {
  const { segment, dataName, interval, attributes, days } = query
  const [first, last] = [compactDay(interval.from), compactDay(interval.to)]
  const address = joinUrl(base, '/api/v1/RequestData')
  const answer = await io.http.send({
    url: address,
    method: 'POST',
    headers: JSON_HEADERS,
    secretHeaders: { authorization: new Secret(`Bearer ${token.reveal()}`) },
    secrets: [token],
    body: JSON.stringify({
      Platform: 'PublicMarketResults',
      Segment: segment,
      DataName: dataName,
      IntervalStart: first,
      IntervalEnd: last,
      Attributes: attributes,
    }),
    signal: io.signal,
    meaningOf: quotaError,
  })
  const result = fieldsOf(answer).get('resultrequest')
  const refusal = typeof result === 'string' ? quotaError(200, io.http.scrub(result)) : undefined
  if (refusal) throw refusal
  if (answer === undefined) throw new NotYetPublished(`${dataName} has not changed`)
  // The parameters go into the fragment, since the URL itself is the same for all requests.
  address.hash = `${dataName}/${segment}/${first}-${last}`
  return documentOf(answer, { name: `${dataName}_${segment}_${first}_${last}.json`, address, days })
}

/** Detects an exhausted quota, regardless of the status; returns undefined for anything else. */
function quotaError(status: number, text: string): Error | undefined {
  if (!/quota/i.test(text)) return undefined
  const retryAfterSeconds = /hour/i.test(text) ? HOUR_SECONDS : MINUTE_SECONDS
  return new SourceUnreachable(`answers ${status}: ${text.slice(0, 200)}`, { retryable: true, retryAfterSeconds })
}

/** Returns the fields by lower-case name; none if the response is not a JSON object, which the parsers will report. */
function fieldsOf(answer: HttpResponse | undefined): ReadonlyMap<string, unknown> {
  try {
    const body: unknown = JSON.parse(answer?.bytes.toString('utf8') ?? '')
    const fields = isRecord(body) ? Object.entries(body) : []
    return new Map(fields.map(([name, value]) => [name.toLowerCase(), value]))
  } catch (err) {
    if (err instanceof SyntaxError) return new Map()
    throw err
  }
}

// GME's public download: one ZIP with a file per day and data set. Also serves the gas market.

export const DOWNLOAD_URL = 'https://gme.mercatoelettrico.org'
const PATH = '/DesktopModules/GmeDownload/API/ExcelDownload/downloadzipfile'
const NOT_FOUND = 404

export const SITE_POLITENESS: Politeness = { minIntervalMs: 2_000, requestsPerDay: 500 }

const siteNumber = z.string().regex(/^\d{1,9}$/, 'must be a number')

export const DOWNLOAD_VARIABLES = {
  GME_DOWNLOAD_MODULE_ID: siteNumber
    .default('12103')
    .describe("number of GME's download page, which may change with a release of the site"),
  GME_DOWNLOAD_TAB_ID: siteNumber.default('1749').describe('number of its tab'),
}

export interface DownloadQuery {
  base: URL
  /** `MGP` and `Prezzi` are parts of the file names: `20260114MGPPrezzi.xml`. */
  market: string
  sector: string
  /** Days in the names of the files. */
  interval: DaySpan
  days: DaySpan
  settings: z.output<z.ZodObject<typeof DOWNLOAD_VARIABLES>>
}

/** Returns undefined if the file has not changed since it was last accepted. */
export function download(query: DownloadQuery, io: FetchIo): Promise<FetchedDocument | undefined> {
  const { base, market, sector, interval, days, settings } = query
  const [first, last] = [compactDay(interval.from), compactDay(interval.to)]
  const address = joinUrl(base, PATH, {
    DataInizio: first,
    DataFine: last,
    Date: last,
    Mercato: market,
    Settore: sector,
    FiltroDate: 'InizioFine',
  })
  return getDocument(address, { name: `${market}${sector}_${first}_${last}.zip`, days }, io, {
    headers: {
      moduleid: settings.GME_DOWNLOAD_MODULE_ID,
      tabid: settings.GME_DOWNLOAD_TAB_ID,
      userid: '-1',
      referer: joinUrl(base, '/en-us/Home/Results/Electricity/MGP/Download', { valore: sector }).href,
    },
    meaningOf: (status) => (status === NOT_FOUND ? new NotYetPublished('GME has no such file yet') : undefined),
  })
}
