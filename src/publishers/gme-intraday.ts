/**
 * Intraday markets of GME: the auctions MI-A1, MI-A2 and MI-A3 (MI1 to MI7 until 21 September 2021) and reference prices of the continuous
 * market (XBID). Auction documents have the day-ahead format with another market name and no PUN. Traps: MI-A3 covers only the second
 * half of its day; `ME_XBIDResults` lists the hourly product as period 0 along with quarter-hours 1 to 100, and single phases along with
 * their total (phase 0); the price is the string "null" if nothing was traded.
 */

import { INTRADAY_SESSIONS, type IntradaySession } from '../market/fundamentals.ts'
import { parseCompactDay } from '../market/market-day.ts'
import { ALL_MARKET_ZONES, type ZoneCode } from '../market/zones.ts'
import { type TextHead, textDocument } from './documents.ts'
import { NothingPublished, UnreadableDocument } from './faults.ts'
import type { DaySpan, FetchedDocument, FetchIo } from './fetch-days.ts'
import {
  API_LOGIN,
  API_POLITENESS,
  API_VARIABLES,
  DOWNLOAD_URL,
  DOWNLOAD_VARIABLES,
  type DownloadQuery,
  download,
  type GmeApiSettings,
  gmeApi,
  SITE_POLITENESS,
} from './gme/fetch.ts'
import { GME, isContinuousJson, isGmeXml, sessionIn } from './gme/gme.ts'
import { parseGmeApi, parseGmeXml, ZONE_BY_TAG } from './gme-mgp/parse.ts'
import type { Items } from './observations.ts'
import { type FetchMethod, publisher } from './publisher.ts'
import { asRecord, readJson, readPrice, scalarText, shown } from './reading/json-document.ts'
import { asFundamental, type FundamentalName, ZoneDays } from './reading/zone-days.ts'

const SESSIONS = (Object.keys(INTRADAY_SESSIONS) as IntradaySession[]).filter((session) => session.startsWith('mi-a'))

export const gmeIntraday = publisher({
  ...GME,
  id: 'gme-intraday',
  delivers: 'intraday auctions by zone, and reference prices of the continuous market',
  // MI-A3 never covers a whole day and the continuous market has gaps, so a day is complete with MI-A1 and MI-A2.
  fundamentals: (['mi-a1-price', 'mi-a2-price'] as const).flatMap((series) =>
    ALL_MARKET_ZONES.map((area) => ({ series, area })),
  ),
  publishes: INTRADAY_SESSIONS['mi-a2'],
  lateAt: { days: 0, time: '01:00' },
  fetching: {
    readFrom: 'the API where it is configured, else the public ZIP download, which has the auctions only',
    earlyAt: { days: -1, time: '15:45' }, // 15 minutes after the usual time of MI-A1
    refetchAt: { days: 0, time: '10:45' }, // 15 minutes after the usual time of MI-A3
    pausesMinutes: [5, 5, 15, 30], // the early request is the first attempt
    historyFrom: '2025-10-01',
    politeness: SITE_POLITENESS,
    variables: { ...API_VARIABLES, ...DOWNLOAD_VARIABLES },
    together: API_LOGIN,
    connect: connectGmeIntraday,
  },
  documents: [
    textDocument({
      kind: 'gme-intraday-xml',
      about: 'XML of an intraday auction: hours and quarter-hours',
      daysAfterName: 0,
      recognise: ({ root, xml = '' }) => isGmeXml(root) && sessionIn(xml),
      parse: (text, session, head) => asAuctionSeries(session, head, parseGmeXml(text, session)),
    }),
    textDocument({
      kind: 'gme-intraday-json',
      about: 'JSON of its API for an intraday auction (`ME_ZonalPrices`)',
      recognise: ({ json = '' }) => /"FlowDate"\s*:/.test(json) && sessionIn(json),
      parse: (text, session, head) => asAuctionSeries(session, head, parseGmeApi(text, session)),
    }),
    textDocument({
      kind: 'gme-xbid-json',
      about:
        'JSON of its API for the continuous market (`ME_XBIDResults`): reference prices of hours and quarter-hours',
      recognise: ({ json = '' }) => isContinuousJson(json),
      parse: parseContinuous,
    }),
  ],
})

function connectGmeIntraday(settings: GmeApiSettings & DownloadQuery['settings']): FetchMethod {
  const api = gmeApi(settings)
  if (api !== undefined) {
    return {
      way: 'API',
      maxDaysPerRequest: 3,
      politeness: API_POLITENESS,
      async *fetch(days, io) {
        const query = { interval: days, days }
        for (const session of SESSIONS) {
          const segment = session.toUpperCase()
          yield await api({ ...query, segment, dataName: 'ME_ZonalPrices', attributes: {} }, io)
        }
        yield await api({ ...query, segment: 'XBID', dataName: 'ME_XBIDResults', attributes: {} }, io)
      },
    }
  }
  const base = settings.ADDRESS ?? new URL(DOWNLOAD_URL)
  return {
    way: 'ZIP download',
    maxDaysPerRequest: 10,
    fetch: (days, io) => fetchDownloads({ base, sector: 'Prezzi', interval: days, days, settings }, io),
  }
}

async function* fetchDownloads(
  query: Omit<DownloadQuery, 'market'> & { days: DaySpan },
  io: FetchIo,
): AsyncGenerator<FetchedDocument, void, undefined> {
  for (const session of SESSIONS) {
    const document = await download({ ...query, market: session.toUpperCase() }, io)
    if (document) yield document
  }
}

/** Yields the prices of a session as a separate series; refuses a file if its name states another session. */
async function* asAuctionSeries(session: string, { fileName }: TextHead, items: Items): Items {
  const [, named] = /\d{8}_?(MI-?A?\d)|_(MI-A\d)_\d{8}/.exec(fileName) ?? []
  if (named !== undefined && named !== session) {
    throw new UnreadableDocument('document', `holds prices of ${session}, and its name says ${named}: not imported`)
  }
  const series = `${session.toLowerCase() as IntradaySession}-price` as const
  for await (const item of items) {
    if (item.kind !== 'zone-day') yield item
    else if (isMarketZone(item.zone)) {
      const { zone: area, day, resolutionMinutes, prices: values, faults } = item
      yield { kind: 'fundamental-day', series, area, day, resolutionMinutes, values, faults }
    }
  }
}

function isMarketZone(zone: ZoneCode | undefined): zone is (typeof ALL_MARKET_ZONES)[number] {
  return zone !== undefined && zone !== 'nazionale'
}

/** Yields the days of both products, €/MWh. Fails with UnreadableDocument. */
async function* parseContinuous(text: AsyncIterable<string>): Items {
  const rows = await readJson(text)
  if (!Array.isArray(rows)) throw new UnreadableDocument('document', 'is no list of rows')
  const days = new ZoneDays<FundamentalName>()
  for (const [index, value] of rows.entries()) {
    const place = `row ${index + 1}`
    const { FlowDate, Hour, Period, Phase, Zone, ReferencePrice } = asRecord(value, place)
    const zone = ZONE_BY_TAG.get(scalarText(Zone) ?? '')
    if (!isMarketZone(zone) || !['', '0'].includes(scalarText(Phase) ?? '?') || ReferencePrice === 'null') continue
    const period = scalarText(Period) || '0'
    const day = days.open(String(parseCompactDay(scalarText(FlowDate) ?? '')), period === '0' ? 60 : 15)
    if (day === undefined) days.reportImpossibleDate(place, `${shown(FlowDate)} is not a day of the calendar`)
    else {
      const name: FundamentalName = period === '0' ? `xbid-hour-price/${zone}` : `xbid-price/${zone}`
      const price = readPrice(ReferencePrice)
      const trouble = typeof price === 'number' ? day.put(name, Number(period === '0' ? Hour : period), price) : price
      if (trouble) day.report(name, `${place}, ${Zone}`, trouble)
    }
  }
  for (const item of days.takeAll()) yield asFundamental(item)
  if (rows.length === 0) throw new NothingPublished('document', 'holds no rows')
}
