/** EEX's table of TTF settlements, and the neutral gas price's CSV. */
import { marketDayOf } from '../../../src/market/market-day.ts'
import { eachDay } from './gme-api.ts'
import type { Publisher, PublisherAnswer, PublisherState } from './publisher-server.ts'

const COLUMNS = ['tradeDate', 'settlPx', 'totVolTrdd', 'grossOpenInt', 'netOpenInt', 'deliveryDay', 'currency', 'uOM']

export function eexTtf(): Publisher {
  return ({ url }, stand) => {
    if (url.pathname.startsWith('/Gas/NGP/')) return neutralGasPrice(url.pathname.includes('60_Days') ? 60 : 3, stand)
    if (url.pathname !== '/pub/market-data/table-data') return { status: 404, type: 'text/plain', body: 'not found' }
    const [from, to] = ['startDate', 'endDate'].map((name) => Temporal.PlainDate.from(url.searchParams.get(name) ?? ''))
    const header = stand.fault === 'changed-columns' ? COLUMNS.with(1, 'price') : COLUMNS
    const data = from && to ? [...eachDay(from, to)].flatMap((day) => rowOf(day, stand)) : []
    return { type: 'application/json', body: JSON.stringify({ header, data }) }
  }
}

/** One row per trading day, with the delivery after it. */
function rowOf(tradeDay: Temporal.PlainDate, stand: PublisherState): unknown[][] {
  const delivery = tradeDay.add({ days: 1 })
  const price = publishedPrice(delivery, stand)
  return price === undefined ? [] : [[tradeDay.toString(), price, 120, null, null, delivery.toString(), 'EUR', 'MWh']]
}

/** With the fault `previous-day`, the newest price is missing. */
function publishedPrice(delivery: Temporal.PlainDate, { truth, at, fault }: PublisherState): number | undefined {
  return truth.price('TTF', delivery, fault === 'previous-day' ? at.subtract({ hours: 72 }) : at)
}

function neutralGasPrice(days: number, stand: PublisherState): PublisherAnswer {
  const today = marketDayOf(stand.at)
  const header =
    stand.fault === 'changed-columns'
      ? 'Gasday;Value (€/MWh);IndexVolume (MWh);Status;Timestamp Let'
      : 'Gasday;IndexValue (€/MWh);IndexVolume (MWh);Status;Timestamp Let'
  const rows = [...eachDay(today.subtract({ days }), today)].map((day) => {
    const price = Temporal.PlainDate.compare(day, today) < 0 ? publishedPrice(day, stand) : undefined
    const [date, status] = [day.toLocaleString('en-GB'), price === undefined ? 'Temporary NGP' : 'Final NGP']
    return `${date};${(price ?? 0).toFixed(3)};${price === undefined ? 0 : 512000};${status};${date} 13:45`
  })
  return { type: 'text/csv', body: `${[header, ...rows].join('\n')}\n` }
}
