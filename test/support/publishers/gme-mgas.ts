/** GME's gas market: the API, the JSON behind the public pages, and the download. */
import { zipArchive } from '../zip-archive.ts'
import { compact, dayOf, eachDay, gmeApi } from './gme-api.ts'
import type { Publisher, PublisherAnswer, PublisherRequest, PublisherState } from './publisher-server.ts'

const PAGE = '/it-it/Home/Esiti/Gas/MGP/Esiti'
const DATA = '/DesktopModules/GmeEsitiMGAS/API/item/GetGasEsitiMGAS'
const DOWNLOAD = '/DesktopModules/GmeDownload/API/ExcelDownload/downloadzipfile'
const TOKEN = 'example-page-token-44e1'
const COOKIE = 'session=example-cookie-20bb'

interface Trade {
  session: Temporal.PlainDate
  product: string
  /** Undefined if nothing was traded. */
  price: number | undefined
}

export function gmeMgas(tokenLife: () => number): Publisher {
  let stand: PublisherState | undefined
  const api = gmeApi(tokenLife, ({ dataName, segment, from, to }) => {
    if (dataName !== 'GAS_ContinuousTrading' || segment !== 'MGP-GAS') return []
    return [...eachDay(from, to)]
      .flatMap((session) => tradesOf(session, stand as PublisherState))
      .map((trade) => apiRow(trade, stand as PublisherState))
  })
  return (request, now) => {
    stand = now
    return api(request) ?? pages(request, now) ?? download(request, now) ?? notFound()
  }
}

/** A session's products: the day-ahead one, one traded two days ahead, and a strip without trades. */
function tradesOf(requestedDay: Temporal.PlainDate, { truth, at, fault }: PublisherState): Trade[] {
  const session = fault === 'previous-day' ? requestedDay.subtract({ days: 1 }) : requestedDay
  const next = session.add({ days: 1 })
  const price = truth.price('PSV', next, at)
  if (price === undefined) return []
  return [
    { session, product: `MGP-${next}`, price },
    { session, product: `MGP-${session.add({ days: 2 })}`, price: price + 0.5 },
    { session, product: 'WE-2026-05', price: undefined },
  ]
}

function apiRow({ session, product, price }: Trade, { fault }: PublisherState): object {
  return {
    FlowDate: compact(session),
    Market: 'MGP-GAS',
    Product: product,
    [fault === 'changed-columns' ? 'MeanPrice' : 'AveragePrice']: price === undefined ? null : String(price),
    MWhVolumes: price === undefined ? null : '2400',
  }
}

function pages(request: PublisherRequest, stand: PublisherState): PublisherAnswer | undefined {
  if (request.url.pathname === PAGE) {
    const body = `<html><input name="__RequestVerificationToken" type="hidden" value="${TOKEN}" /><script>{"ModuleId":10234,"PortalId":0,"TabId":1822}</script></html>`
    return { type: 'text/html', body, cookies: [`${COOKIE}; path=/; HttpOnly`], isLoginOrToken: true }
  }
  if (request.url.pathname !== DATA) return undefined
  const { cookie, requestverificationtoken, moduleid, tabid } = request.headers
  if (cookie !== COOKIE || requestverificationtoken !== TOKEN || moduleid !== '10234' || tabid !== '1822') {
    return { status: 401, type: 'application/json', body: '{"Message":"Authorization has been denied"}' }
  }
  const session = dayOf(request.url.searchParams.get('DataSessione') ?? '')
  const rows = tradesOf(session, stand).map(({ session: day, product, price = null }) => ({
    data: Number(compact(day)),
    prodotto: product,
    firstPrice: price,
    lastPrice: price,
    [stand.fault === 'changed-columns' ? 'prezzoMedio' : 'prezzoRiferimento']: price,
    prezzoControllo: 31.2,
    volumiMW: price === null ? null : 100,
    volumiMWh: price === null ? null : 2400,
    posizioniAperte: 0,
  }))
  return { type: 'application/json', body: JSON.stringify(rows) }
}

function download(request: PublisherRequest, stand: PublisherState): PublisherAnswer | undefined {
  if (request.url.pathname !== DOWNLOAD) return undefined
  const query = request.url.searchParams
  const sessions = [...eachDay(dayOf(query.get('DataInizio') ?? ''), dayOf(query.get('DataFine') ?? ''))]
  const files = sessions.flatMap((session) => {
    const trades = tradesOf(session, stand)
    const rows = trades.map((trade) => xmlRow(trade, stand)).join('')
    const content = `<?xml version="1.0" standalone="yes"?>\r\n<NewDataSet>\r\n${rows}</NewDataSet>`
    return trades.length === 0 ? [] : [{ name: `${compact(session)}MGPGASSintesiScambio.xml`, content }]
  })
  return { type: 'application/zip', body: zipArchive(files) }
}

function xmlRow({ session, product, price }: Trade, { fault }: PublisherState): string {
  const mean = fault === 'changed-columns' ? 'PrezzoPonderato' : 'PrezzoMedio'
  const traded = price === undefined ? '' : `<${mean}>${price.toFixed(6)}</${mean}><Volumi>2400.00000</Volumi>`
  return `  <negoziazione_continua><DataSessione>${compact(session)}</DataSessione><NomeProdotto>${product}</NomeProdotto>${traded}<PrezzoControllo>31.2</PrezzoControllo></negoziazione_continua>\r\n`
}

function notFound(): PublisherAnswer {
  return { status: 404, type: 'text/plain', body: 'not found' }
}
