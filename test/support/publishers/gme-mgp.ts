/** GME's day-ahead market: the API and the public download. */
import type { ZoneCode } from '../../../src/market/zones.ts'
import { ZONE_BY_TAG } from '../../../src/publishers/gme-mgp/parse.ts'
import { commaDecimal, type GmeTag, gmeXml } from '../gme-documents.ts'
import { zipArchive } from '../zip-archive.ts'
import { compact, dayOf, eachDay, gmeApi } from './gme-api.ts'
import type { Publisher, PublisherState } from './publisher-server.ts'
import { hoursOf, mtuMinutes } from './truth.ts'

const TAG_BY_ZONE = new Map([...ZONE_BY_TAG].map(([tag, zone]) => [zone, tag]))
const DOWNLOAD = '/DesktopModules/GmeDownload/API/ExcelDownload/downloadzipfile'

export function gmeMgp(tokenLife: () => number): Publisher {
  let stand: PublisherState | undefined
  const api = gmeApi(tokenLife, ({ dataName, segment, from, to, granularity }) => {
    if (dataName !== 'ME_ZonalPrices' || segment !== 'MGP') return []
    return [...eachDay(from, to)].flatMap((day) =>
      apiRows(day, from, granularity === 'PT15' ? 15 : 60, stand as PublisherState),
    )
  })
  return (request, now) => {
    stand = now
    const answer = api(request)
    if (answer) return answer
    const query = request.url.searchParams
    if (request.url.pathname !== DOWNLOAD || request.headers.moduleid !== '12103') {
      return { status: 404, type: 'text/plain', body: 'not found' }
    }
    const days = [...eachDay(dayOf(query.get('DataInizio') ?? ''), dayOf(query.get('DataFine') ?? ''))]
    const content = zipArchive(days.flatMap((day) => filesOf(day, now)))
    return { type: 'application/zip', body: content }
  }
}

/** The prices that the publisher reports for the day; with the fault `previous-day`, those of the day before. */
function reportedDay(day: Temporal.PlainDate, first: Temporal.PlainDate, { truth, at, fault }: PublisherState) {
  const stated = fault === 'previous-day' ? day.subtract({ days: 1 }) : day
  const zones = truth.zones(stated, at, Temporal.PlainDate.compare(stated, first) >= 0)
  return zones && { stated, zones }
}

function apiRows(day: Temporal.PlainDate, from: Temporal.PlainDate, minutes: 15 | 60, stand: PublisherState): object[] {
  const found = reportedDay(day, from, stand)
  if (found === undefined || (minutes === 15 && mtuMinutes(found.stated) === 60)) return []
  const { stated, zones } = found
  const price = stand.fault === 'changed-columns' ? 'Prezzo' : 'Price'
  return [...zones].flatMap(([zone, prices]) =>
    (minutes === 15 ? prices : hoursOf(stated, prices)).map((value, index) => ({
      FlowDate: compact(stated),
      Hour: String(minutes === 15 ? Math.ceil((index + 1) / 4) : index + 1),
      Market: 'MGP',
      Zone: TAG_BY_ZONE.get(zone),
      Period: minutes === 15 ? String(index + 1) : '0',
      [price]: String(value),
    })),
  )
}

function filesOf(day: Temporal.PlainDate, stand: PublisherState): { name: string; content: string }[] {
  const found = reportedDay(day, day, stand)
  if (found === undefined) return []
  const { stated, zones } = found
  const files = [{ name: `${compact(day)}MGPPrezzi.xml`, content: xmlOf(stated, 60, zones, stand) }]
  if (mtuMinutes(stated) === 15) {
    files.push({ name: `${compact(day)}MGPPrezzi15.xml`, content: xmlOf(stated, 15, zones, stand) })
  }
  return files
}

function xmlOf(
  day: Temporal.PlainDate,
  resolution: 15 | 60,
  zones: ReadonlyMap<ZoneCode, readonly number[]>,
  { fault }: PublisherState,
): string {
  const lists = new Map(
    [...zones].map(([zone, prices]) => [zone, resolution === 15 ? prices : hoursOf(day, prices)] as const),
  )
  const prices = (tag: GmeTag, ordinal: number) => {
    const zone = ZONE_BY_TAG.get(tag)
    const price = zone && lists.get(zone)?.[ordinal - 1]
    return price === undefined ? undefined : commaDecimal(price)
  }
  const xml = gmeXml({ day, resolution, prices })
  return fault === 'changed-columns' ? xml.replace(/<(\/?)(Ora|Periodo)>/g, '<$1Intervallo>') : xml
}
