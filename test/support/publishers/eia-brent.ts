/** EIA's API v2: prices as texts, newest last, a page at a time. */
import { CREDENTIALS } from './credentials.ts'
import { eachDay } from './gme-api.ts'
import type { Publisher, PublisherAnswer } from './publisher-server.ts'

const PATH = '/v2/petroleum/pri/spt/data/'

export function eiaBrent(pageRows: () => number): Publisher {
  return ({ url }, { truth, at, fault }) => {
    const query = url.searchParams
    const key = query.get('api_key')
    if (key !== CREDENTIALS.eiaKey) {
      return json({ error: { code: 'API_KEY_INVALID', message: `The api_key ${key} is invalid.` } }, 403)
    }
    if (url.pathname !== PATH) return json({ error: 'Not found.', code: 404 }, 404)
    const [start, end] = ['start', 'end'].map((name) => Temporal.PlainDate.from(query.get(name) ?? ''))
    const shift = fault === 'previous-day' ? 1 : 0
    const days = start && end ? [...eachDay(start.subtract({ days: shift }), end.subtract({ days: shift }))] : []
    const all = days.flatMap((day) => {
      const price = truth.price('Brent', day, at)
      return price === undefined ? [] : [row(day, price, fault === 'changed-columns')]
    })
    const offset = Number(query.get('offset'))
    const data = all.slice(offset, offset + Math.min(pageRows(), Number(query.get('length'))))
    return json({
      response: { total: String(all.length), dateFormat: 'YYYY-MM-DD', frequency: 'daily', data },
      request: { command: PATH, params: { api_key: key } },
      apiVersion: '2.1.12',
    })
  }
}

function row(day: Temporal.PlainDate, price: number, isChanged: boolean): object {
  return {
    period: day.toString(),
    duoarea: 'ZEU',
    'area-name': 'NA',
    product: 'EPCBRENT',
    'product-name': 'UK Brent Crude Oil',
    process: 'PF4',
    'process-name': 'Spot Price FOB',
    series: 'RBRTE',
    'series-description': 'Europe Brent Spot Price FOB (Dollars per Barrel)',
    value: String(price),
    [isChanged ? 'unit' : 'units']: '$/BBL',
  }
}

function json(body: object, status = 200): PublisherAnswer {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}
