/**
 * Terna's imbalance prices by quarter-hour and macrozone, preliminary and final, from the daily workbook and the public API. Traps: times
 * are clock times in Rome, so the repeated October hour appears twice, first in summer time; API responses have numbers as strings, and
 * hours (`Orario`) among the quarter-hours; over the rate limit the API answers 403. Based on the published description and working
 * clients, not on a captured response of the API.
 */
import { type ImbalancePart, MACROZONES } from '../market/fundamentals.ts'
import { MARKET_TIME_ZONE, type MarketDay } from '../market/market-day.ts'
import { isBefore } from '../market/time-order.ts'
import { SourceRefused, SourceUnreachable } from '../platform/fetch/outcomes.ts'
import { Secret } from '../platform/secret.ts'
import { textDocument, workbookDocument } from './documents.ts'
import { NothingPublished, UnreadableDocument } from './faults.ts'
import { documentOf, type FetchIo, joinUrl } from './fetch-days.ts'
import type { Items } from './observations.ts'
import { type FetchMethod, publisher } from './publisher.ts'
import { asRecord, isRecord, readJson, readPrice, shown } from './reading/json-document.ts'
import type { Sheet } from './reading/workbook.ts'
import { asFundamental, type FundamentalName, ZoneDays } from './reading/zone-days.ts'
import { type CommonSettings, credential } from './settings.ts'

type Macrozone = (typeof MACROZONES)[number]
type Status = 'final' | 'preliminary'

const MACROZONE_BY_NAME: Readonly<Record<string, Macrozone>> = { NORD: 'macro-nord', SUD: 'macro-sud' }

/** A column: its header in the workbook, in lower case, and its field in the API's rows. */
interface Column {
  header: string
  field: string
}
const DATE: Column = { header: 'data riferimento', field: 'reference_date' }
const MACROZONE: Column = { header: 'macrozona', field: 'macrozone' }
const PARTS: Record<ImbalancePart, Column> = {
  'imbalance-price': { header: 'prezzo di sbilanciamento', field: 'unbalance_price_EURxMWh' },
  'imbalance-base-price': { header: 'prezzo base', field: 'base_price_EURxMWh' },
  'imbalance-incentive': { header: 'componente incentivante', field: 'incentive_component_EURxMWh' },
  'imbalance-volume': { header: 'sbilanciamento aggregato zonale', field: 'zonal_aggregate_unbalance_MWh' },
}

/** Paths below `fees/v1.0`; with underscores, also the response field that holds the rows. */
const DATASETS: Record<Status, readonly string[]> = {
  final: ['daily-prices', 'daily-macrozonal-imbalance'],
  preliminary: ['preliminary-prices', 'preliminary-macrozonal-imbalance'],
}

export const ternaImbalance = imbalancePublisher('terna-imbalance', 'final', '17:00', '20:00')
/** Preliminary prices, published in the night after the day; final prices replace them in every response. */
export const ternaImbalancePreliminary = imbalancePublisher(
  'terna-imbalance-preliminary',
  'preliminary',
  '02:00',
  '12:00',
)

function imbalancePublisher(id: string, status: Status, publishedAt: string, lateAt: string) {
  return publisher({
    id,
    name: 'Terna S.p.A.',
    url: 'https://www.terna.it',
    terms:
      'Free to consult when Terna is named as the source; the terms of its portal do not license redistribution, which needs the consent of Terna.',
    redistributable: false,
    priority: 10,
    delivers: `imbalance prices by macrozone, ${status}`,
    fundamentals: MACROZONES.map((area) => ({ series: seriesOf('imbalance-price', status), area })),
    publishes: { days: 1, time: publishedAt },
    lateAt: { days: 1, time: lateAt },
    fetching: {
      readFrom: 'the public API',
      pausesMinutes: [20, 40, 60],
      historyFrom: '2025-01-01',
      politeness: { minIntervalMs: 1_100, requestsPerDay: 140 }, // 300 a day are allowed, for final and preliminary values together
      needs: {
        TERNA_CLIENT_ID: credential("client id of Terna's API"),
        TERNA_CLIENT_SECRET: credential('its client secret'),
      },
      connect: (settings: TernaSettings) => connectTerna(settings, status),
    },
    documents: [
      workbookDocument({
        kind: `${id}-workbook`,
        about: `workbook of ${status} prices by quarter-hour`,
        recognise: (sheets) => findTable(sheets, status),
        parse: (rows) => parseRows(rows, status),
      }),
      textDocument({
        kind: `${id}-json`,
        about: `JSON of its API: ${DATASETS[status].map((name) => `\`${name}\``).join(', ')}`,
        recognise: ({ json = '' }) => DATASETS[status].map(fieldOf).find((name) => json.includes(`"${name}"`)),
        parse: (text, name) => parseResponse(text, name, status),
      }),
    ],
  })
}

function seriesOf(part: ImbalancePart, status: Status): ImbalancePart | `${ImbalancePart}-preliminary` {
  return status === 'final' ? part : `${part}-preliminary`
}

function fieldOf(dataset: string): string {
  return dataset.replaceAll('-', '_')
}

/** A row of the workbook or of an API response. */
interface Row {
  place: string
  get(column: Column): unknown
}

/** Returns the rows below the header if the title above it states that status; undefined for any other workbook. */
function findTable(sheets: readonly Sheet[], status: Status): Row[] | undefined {
  for (const { rows } of sheets) {
    const at = rows.findIndex(({ cells }) => [...cells.values()].some((cell) => plain(cell) === DATE.header))
    if (at < 0) continue
    const title = rows.slice(0, at).flatMap(({ cells }) => [...cells.values()].map(plain))
    if (title.some((text) => text.includes('preliminar')) !== (status === 'preliminary')) continue
    const columns = new Map([...(rows[at]?.cells ?? [])].map(([column, cell]) => [plain(cell), column]))
    for (const { header } of [MACROZONE, PARTS['imbalance-price']]) {
      if (!columns.has(header))
        throw new UnreadableDocument(
          `row ${at + 1}`,
          `has no column ${header}; it has ${[...columns.keys()].join(', ')}`,
        )
    }
    return rows.slice(at + 1).map(({ number, cells }) => ({
      place: `row ${number}`,
      get: ({ header }) => cells.get(columns.get(header) ?? -1),
    }))
  }
  return undefined
}

function plain(cell: string | number): string {
  return String(cell).trim().toLowerCase()
}

async function* parseResponse(text: AsyncIterable<string>, name: string, status: Status): Items {
  const body = await readJson(text)
  const list = isRecord(body) ? body[name] : undefined
  if (!Array.isArray(list)) throw new UnreadableDocument('document', `holds no list ${name}`)
  const rows = list.map((value, index) => ({ place: `row ${index + 1}`, row: asRecord(value, `row ${index + 1}`) }))
  const quarters = rows.filter(({ row }) => (row.data_type ?? 'Quarto Orario') === 'Quarto Orario')
  yield* parseRows(
    quarters.map(({ place, row }) => ({ place, get: ({ field }) => row[field] })),
    status,
  )
}

/** Yields the days of each price part in the rows. Fails with UnreadableDocument if there are no rows. */
async function* parseRows(rows: readonly Row[], status: Status): Items {
  const days = new ZoneDays<FundamentalName>()
  /** How often each clock time of a macrozone has occurred. */
  const seen = new Map<string, number>()
  for (const { place, get } of rows) {
    const zone = MACROZONE_BY_NAME[String(get(MACROZONE))]
    if (zone === undefined)
      throw new UnreadableDocument(place, `the macrozone is ${shown(get(MACROZONE))}, not NORD or SUD`)
    if (get(DATE) === undefined) throw new UnreadableDocument(place, `has no ${DATE.field}`)
    const key = `${zone} ${get(DATE)}`
    seen.set(key, (seen.get(key) ?? 0) + 1)
    const startsAt = instantOf(String(get(DATE)), seen.get(key) as number)
    if (startsAt === undefined) {
      days.reportImpossibleDate(place, `${shown(get(DATE))} is not a quarter-hour of the calendar in Rome`)
      continue
    }
    const day = days.open(startsAt.day.toString(), 15)
    for (const [part, column] of Object.entries(PARTS) as [ImbalancePart, Column][]) {
      const value = readPrice(get(column))
      if (value === undefined || day === undefined) continue
      const name: FundamentalName = `${seriesOf(part, status)}/${zone}`
      const ordinal = (startsAt.milliseconds - day.startMilliseconds) / 900_000 + 1
      const trouble = typeof value === 'number' ? day.put(name, ordinal, value) : value
      if (trouble) day.report(name, `${place}, ${column.header}`, trouble)
    }
    yield* days.takeOverdue().map(asFundamental)
  }
  yield* days.takeAll().map(asFundamental)
  if (rows.length === 0) throw new NothingPublished('document', 'holds no quarter-hours')
}

const CLOCK_TIME = /^(?:(\d{2})\/(\d{2})\/(\d{4})|(\d{4})-(\d{2})-(\d{2}))[ T](\d{2}:(?:00|15|30|45))(?::00)?$/

/** Resolves the first or second (`time`) `26/10/2025 02:15:00`; undefined if the clock time does not exist or occurs a third time. */
function instantOf(text: string, occurrence: number): { day: MarketDay; milliseconds: number } | undefined {
  const [, day, month, year, isoYear, isoMonth, isoDay, clock] = CLOCK_TIME.exec(text) ?? []
  if (clock === undefined) return undefined
  try {
    const date = Temporal.PlainDate.from(`${year ?? isoYear}-${month ?? isoMonth}-${day ?? isoDay}`)
    const local = date.toPlainDateTime(clock)
    const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
      local.toZonedDateTime(MARKET_TIME_ZONE, { disambiguation }),
    ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime]
    const isRepeated = !first.equals(second)
    if (isRepeated && (occurrence > 2 || !first.toPlainDateTime().equals(local))) return undefined
    const chosen = isRepeated && occurrence === 2 ? second : first
    return { day: date, milliseconds: chosen.epochMilliseconds }
  } catch (err) {
    if (err instanceof RangeError) return undefined
    throw err
  }
}

// The API: OAuth client credentials give a token valid for five minutes; a request may span 60 days.

const API_URL = 'https://api.terna.it'
const TOKEN_SECONDS = 240
const FORBIDDEN = 403

type TernaSettings = CommonSettings & { TERNA_CLIENT_ID: Secret; TERNA_CLIENT_SECRET: Secret }

function connectTerna(settings: TernaSettings, status: Status): FetchMethod {
  const base = settings.ADDRESS ?? new URL(API_URL)
  let token: { secret: Secret; until: Temporal.Instant } | undefined

  async function authorization(io: FetchIo): Promise<Secret> {
    if (token === undefined || !isBefore(io.clock.now(), token.until)) {
      token = { secret: await logIn(base, settings, io), until: io.clock.now().add({ seconds: TOKEN_SECONDS }) }
    }
    return token.secret
  }

  return {
    way: 'API',
    maxDaysPerRequest: 60,
    async *fetch(days, io) {
      for (const dataset of DATASETS[status]) {
        const url = joinUrl(base, `/fees/v1.0/${dataset}`, {
          dateFrom: italianDay(days.from),
          dateTo: italianDay(days.to),
          dataType: 'Quarto Orario',
        })
        const secretHeaders = { authorization: await authorization(io) }
        const answer = await io.http.send({ url, secretHeaders, signal: io.signal, meaningOf: rateLimitError })
        if (answer) yield documentOf(answer, { name: `${dataset}_${days.from}.json`, address: url, days })
      }
    },
  }
}

async function logIn(base: URL, { TERNA_CLIENT_ID, TERNA_CLIENT_SECRET }: TernaSettings, io: FetchIo): Promise<Secret> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: TERNA_CLIENT_ID.reveal(),
    client_secret: TERNA_CLIENT_SECRET.reveal(),
  })
  const answer = await io.http.send({
    url: joinUrl(base, '/transparency/oauth/accessToken'),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new Secret(form.toString()),
    secrets: [TERNA_CLIENT_ID, TERNA_CLIENT_SECRET],
    signal: io.signal,
    meaningOf: rateLimitError,
  })
  const [, token] = /"access_token"\s*:\s*"([^"]+)"/.exec(answer?.bytes.toString('utf8') ?? '') ?? []
  if (token === undefined) throw new SourceRefused("Terna's API gives no token for these credentials")
  return new Secret(`Bearer ${token}`)
}

/** The API gives the same response above its per-second limit and above its daily quota. */
function rateLimitError(status: number, text: string, retryAfterSeconds = 60): Error | undefined {
  if (status !== FORBIDDEN || !/over (?:rate|quota|qps)/i.test(text)) return undefined
  return new SourceUnreachable('answers 403: too many requests', { retryable: true, retryAfterSeconds })
}

function italianDay(day: MarketDay): string {
  return day.toString().split('-').reverse().join('/')
}
