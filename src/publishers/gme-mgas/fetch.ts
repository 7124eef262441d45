/**
 * PSV from GME's gas market: from the API if credentials are configured, else from the JSON behind the public pages or the download.
 * The price of gas day D is published in the session of D − 1; requests are by session.
 */

import { compactDay } from '../../market/market-day.ts'
import { SourceRefused, SourceUnreachable } from '../../platform/fetch/outcomes.ts'
import { Secret } from '../../platform/secret.ts'
import { type DaySpan, daysIn, type FetchedDocument, type FetchIo, getDocument, joinUrl } from '../fetch-days.ts'
import {
  API_POLITENESS,
  DOWNLOAD_URL,
  type DownloadQuery,
  download,
  type GmeApiSettings,
  gmeApi,
} from '../gme/fetch.ts'
import type { FetchMethod } from '../publisher.ts'

export function connectGmeMgas(
  settings: GmeApiSettings & DownloadQuery['settings'] & { GME_GAS_FORM: 'pages' | 'zip' },
): FetchMethod {
  const api = gmeApi(settings)
  if (api !== undefined) {
    return {
      way: 'API',
      maxDaysPerRequest: 7,
      politeness: API_POLITENESS,
      async *fetch(days, io) {
        const interval = sessionsOf(days)
        yield await api({ segment: 'MGP-GAS', dataName: 'GAS_ContinuousTrading', interval, attributes: {}, days }, io)
      },
    }
  }
  if (settings.GME_GAS_FORM === 'pages') {
    const base = settings.ADDRESS ?? new URL(PAGES_URL)
    return {
      way: 'public pages',
      maxDaysPerRequest: 7,
      fetch: (days, io) => fetchPages(base, sessionsOf(days), io),
    }
  }
  const base = settings.ADDRESS ?? new URL(DOWNLOAD_URL)
  return {
    way: 'ZIP download',
    maxDaysPerRequest: 31,
    async *fetch(days, io) {
      const query = { base, market: 'MGPGAS', sector: 'SintesiScambio', interval: sessionsOf(days), days }
      const document = await download({ ...query, settings }, io)
      if (document) yield document
    },
  }
}

function sessionsOf({ from, to }: DaySpan): DaySpan {
  return { from: from.subtract({ days: 1 }), to: to.subtract({ days: 1 }) }
}

// The JSON behind GME's public pages, which requires a web session: the results page sets cookies and contains a token and two numbers,
// and every call must send all of them. Not documented by GME; one call per trading day.

const PAGES_URL = 'https://www.mercatoelettrico.org'
const PAGE = '/it-it/Home/Esiti/Gas/MGP/Esiti'
const DATA = '/DesktopModules/GmeEsitiMGAS/API/item/GetGasEsitiMGAS'
const PAGE_BYTES_MAX = 8 * 1024 * 1024

interface PageSession {
  referer: string
  cookies: Secret
  token: Secret
  moduleId: string
  tabId: string
}

/** Yields the response for each gas session in the span. */
async function* fetchPages(
  base: URL,
  sessions: DaySpan,
  io: FetchIo,
): AsyncGenerator<FetchedDocument, void, undefined> {
  const page = await openPage(base, io)
  for (const day of daysIn(sessions)) {
    const url = joinUrl(base, DATA, { DataSessione: compactDay(day), Mercato: 'MGP' })
    const gasDay = day.add({ days: 1 })
    const days = { from: gasDay, to: gasDay }
    const rows = await getDocument(url, { name: `${compactDay(day)}GetGasEsitiMGAS.json`, days }, io, {
      headers: { moduleid: page.moduleId, tabid: page.tabId, userid: '-1', referer: page.referer },
      secretHeaders: { cookie: page.cookies, requestverificationtoken: page.token },
      conditional: false,
    })
    if (rows) yield rows
  }
}

/** Opens the results page. Fails with SourceUnreachable if it no longer contains what the calls need. */
async function openPage(base: URL, io: FetchIo): Promise<PageSession> {
  const url = joinUrl(base, PAGE)
  const answer = await io.http.send({
    url,
    headers: { accept: 'text/html' },
    signal: io.signal,
    maxBytes: PAGE_BYTES_MAX,
    meaningOf: (status) => (status === 403 ? new SourceRefused('the public pages refuse the request') : undefined),
  })
  const html = answer?.bytes.toString('utf8') ?? ''
  const token = /name="__RequestVerificationToken"[^>]*\svalue="([^"]+)"/.exec(html)?.[1]
  const moduleId = /"ModuleId":\s*(\d+)/.exec(html)?.[1]
  const tabId = /"TabId":\s*(\d+)/.exec(html)?.[1]
  if (answer === undefined || token === undefined || moduleId === undefined || tabId === undefined) {
    throw new SourceUnreachable(`${url.host}${PAGE} no longer holds the token and numbers that its data need`, {
      retryable: false,
    })
  }
  return {
    referer: url.href,
    cookies: new Secret(answer.cookies.join('; ')),
    token: new Secret(token),
    moduleId,
    tabId,
  }
}
