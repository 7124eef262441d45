/** Prices as read by evcc, EMHASS, Home Assistant and calendars, with the configuration that the documentation gives for each. */
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import ICAL from 'ical.js'
import nunjucks from 'nunjucks'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { CalendarFeed, EmhassFeed, EvccFeed, HomeAssistantFeed } from '../../../src/api/contract/feeds.ts'
import { seedHours } from '../../support/hourly-forecasts.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const FRIDAY = '2026-11-20'
const NOW = `${FRIDAY}T11:07:00Z`
const OWN_PRICE = 'multiply=1.1&add=0.03&vat=10'

/** A Python with jinja2, if there is one. */
const jinja = ['python3', '/usr/bin/python3'].find(
  (python) => spawnSync(python, ['-c', 'import jinja2'], { stdio: 'ignore' }).status === 0,
)
const JINJA_PROGRAM = `
import json, sys
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
given = json.load(sys.stdin)
template = ImmutableSandboxedEnvironment(undefined=StrictUndefined).from_string(given["template"])
print(template.render(
    value_json=given.get("value_json"),
    state_attr=lambda entity, name: given["attributes"][name],
    states=lambda entity: given["state"]), end="")`

const service = await serviceOfFile({ now: NOW })
const keys = { Developer: (await service.issueKey('Developer')).key, API: (await service.issueKey('API')).key }
await service.seed([
  ...[FRIDAY, '2026-11-21', '2026-03-29', '2026-10-25'].map((day) => zoneDay('nazionale', day, 15, quarterPrice)),
  zoneDay('nord', FRIDAY, 15, (quarter) => quarter),
  dailyPrice('PUN', '2026-11-21', 90),
])
await seedHours(service.sql, { zone: 'nazionale', infoDate: '2026-11-21', issuedAt: `${FRIDAY}T12:10:00Z` })

interface Caller {
  now?: string
  plan?: keyof typeof keys
}

function request(path: string, { now = NOW, plan = 'Developer' }: Caller = {}) {
  service.setNow(now)
  return service.ask(`/v1/feeds/${path}`, { headers: { authorization: `Bearer ${keys[plan]}` } })
}

async function ask<Body>(path: string, caller?: Caller): Promise<Body> {
  const answer = await request(path, caller)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json() as Body
}

/** A consumer's €/kWh from the market price. */
const own = (eurMwh: number) => expect.closeTo(((eurMwh / 1000) * 1.1 + 0.03) * 1.1, 6)
function quarterPrice(quarter: number) {
  return 50 + ((quarter * 7) % 90)
}
const hourPrice = (hour: number) =>
  [1, 2, 3, 4].reduce((sum, quarter) => sum + quarterPrice((hour - 1) * 4 + quarter), 0) / 4

/** evcc's own checks: start and end in RFC 3339, without gaps. */
function expectRates(rates: EvccFeed): void {
  for (const { start, end, value } of rates) {
    expect(Date.parse(end)).toBeGreaterThan(Date.parse(start))
    expect(value).toBeTypeOf('number')
  }
  expect(rates.slice(1).map(({ start }) => start)).toEqual(rates.slice(0, -1).map(({ end }) => end))
}

describe('GET /v1/feeds/evcc', () => {
  it('200 with start, end and value in €/kWh for today and tomorrow', async () => {
    const rates = await ask<EvccFeed>(`evcc?${OWN_PRICE}`)
    expectRates(rates)
    expect(rates).toHaveLength(48)
    const second = { start: `${FRIDAY}T01:00:00+01:00`, end: `${FRIDAY}T02:00:00+01:00` }
    expect(rates[1]).toEqual({ ...second, value: own(hourPrice(2)) })
    expect((await ask<EvccFeed>('evcc?granularity=quarter'))[5]?.value).toBe(quarterPrice(6) / 1000)
  })

  it('200 with the forecast appended on the API plan, at the consumer’s price', async () => {
    const rates = await ask<EvccFeed>(`evcc?forecast=tail&${OWN_PRICE}`, { plan: 'API' })
    expectRates(rates)
    expect(rates).toHaveLength(48 + 72)
    expect(rates[48]).toMatchObject({ start: '2026-11-22T00:00:00+01:00', value: own(101) })
  })

  it.each(['forecast=tail', 'zone=nord'])('403 for %s on the Developer plan', async (query) => {
    for (const feed of ['evcc', 'emhass', 'home-assistant', 'calendar']) {
      const answer = await request(`${feed}?${query}`)
      expect([answer.status, answer.json().required_tier]).toEqual([403, 'API'])
    }
    expect((await ask<EvccFeed>('evcc?zone=nord', { plan: 'API' }))[0]?.value).toBe(0.0025)
  })

  it('503 before today’s prices are published', async () => {
    const answer = await request('evcc', { now: '2026-11-25T10:00:00Z' })
    expect([answer.status, answer.json().error]).toEqual([503, 'no_data'])
  })

  it.each(['vat=-1', 'vat=1e1'])('400 for %s', async (query) => {
    const answer = await request(`evcc?${query}`)
    expect([answer.status, answer.json().param]).toEqual([400, 'vat'])
  })
})

describe.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('the feeds on %s', (day, hours) => {
  const now = `${day}T10:00:00Z`

  it.each([
    ['hour', hours],
    ['quarter', 4 * hours],
  ])('have every %s', async (granularity, count) => {
    const rates = await ask<EvccFeed>(`evcc?granularity=${granularity}`, { now })
    expectRates(rates)
    expect(rates).toHaveLength(count)
    const today = await ask<EmhassFeed>(`emhass?horizon=today&granularity=${granularity}`, { now })
    expect(today.load_cost_forecast).toHaveLength(count)
  })

  it('have calendar events of the requested length', async () => {
    const { events } = await ask<CalendarFeed>('calendar?hours=3&contiguous=false&granularity=quarter', { now })
    const lengths = events.map(({ start, end }) => Date.parse(end) - Date.parse(start))
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(3 * 3_600_000)
    expect((await ask<CalendarFeed>('calendar?hours=23', { now })).events).toHaveLength(1)
  })
})

describe('GET /v1/feeds/emhass', () => {
  it('200 from the current step or for the whole day, with one value per step', async () => {
    const feed = await ask<EmhassFeed>(`emhass?${OWN_PRICE}`)
    const steps = { optimization_time_step: 60, starts_at: `${FRIDAY}T12:00:00+01:00` }
    expect(feed).toMatchObject({ ...steps, prediction_horizon: 12 + 24 })
    expect(feed.load_cost_forecast[0]).toEqual(own(hourPrice(13)))
    expect(feed.prod_price_forecast[0]).toBe(hourPrice(13) / 1000)
    expect(feed.prod_price_forecast).toHaveLength(36)
    const quarters = await ask<EmhassFeed>('emhass?granularity=quarter', { now: `${FRIDAY}T11:20:00Z` })
    expect(quarters).toMatchObject({ prediction_horizon: 47 + 96, starts_at: `${FRIDAY}T12:15:00+01:00` })
    expect((await ask<EmhassFeed>('emhass?horizon=today')).load_cost_forecast).toHaveLength(24)
    const today = await ask<EmhassFeed>('emhass?horizon=today&granularity=quarter')
    expect(today.load_cost_forecast).toHaveLength(96)
  })

  it('503 for tomorrow before it is published', async () => {
    expect((await request('emhass?horizon=tomorrow', { now: '2026-10-25T10:00:00Z' })).status).toBe(503)
  })
})

describe('GET /v1/feeds/home-assistant', () => {
  it('200 has the attributes of the Nord Pool integration', async () => {
    const feed = await ask<HomeAssistantFeed>(`home-assistant?${OWN_PRICE}`)
    const head = { unit: 'kWh', currency: 'EUR', region: 'nazionale' }
    expect(feed).toMatchObject({ ...head, current_price: own(hourPrice(13)), tomorrow_valid: true })
    expect(feed.today).toEqual(feed.raw_today.map(({ value }) => value))
    expect(feed.raw_tomorrow).toHaveLength(24)
    expect([feed.min, feed.max]).toEqual([Math.min(...feed.today), Math.max(...feed.today)])
    expect(feed.average).toBeCloseTo(feed.today.reduce((sum, value) => sum + value, 0) / 24, 5)
    expect(feed).not.toHaveProperty('raw_forecast')
  })

  it('200 without tomorrow before its publication, with the forecast in its own attribute', async () => {
    const feed = await ask<HomeAssistantFeed>('home-assistant?granularity=quarter', { now: '2026-10-25T01:30:00Z' })
    expect(feed).toMatchObject({ tomorrow: [], tomorrow_valid: false, raw_tomorrow: [] })
    expect(feed.current_price).toBe(quarterPrice(15) / 1000) // second occurrence of 02:30
    expect(feed.raw_today).toHaveLength(100)
    const withTail = await ask<HomeAssistantFeed>('home-assistant?forecast=tail', { plan: 'API' })
    expect(withTail.raw_tomorrow).toHaveLength(24)
    expect(withTail.raw_forecast).toHaveLength(72)
  })
})

describe('GET /v1/feeds/calendar', () => {
  const eventsOf = (text: string) =>
    new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))

  async function calendar(query: string, now = NOW) {
    service.setNow(now)
    const answer = await service.ask(`/v1/feeds/calendar?format=ics&key=${keys.Developer}${query}`)
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    return answer
  }

  it('200 as iCalendar with the key in the URL, with the same cheapest hours as in JSON', async () => {
    const { events } = await ask<CalendarFeed>(`calendar?hours=2&${OWN_PRICE}`)
    expect(events.map(({ date }) => date)).toEqual([FRIDAY, '2026-11-21'])
    const { text } = await calendar(`&hours=2&${OWN_PRICE}`)
    const found = eventsOf(text)
    expect(found.map((event) => [event.startDate.toJSDate(), event.endDate.toJSDate()])).toEqual(
      events.map(({ start, end }) => [new Date(start), new Date(end)]),
    )
    expect(found.map(({ summary }) => summary)).toEqual(events.map(({ mean }) => `${mean.toFixed(3)} €/kWh`))
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  })

  it('200 with unique event ids and an identical body for repeated requests', async () => {
    const [first, second] = [await calendar(''), await calendar('', `${FRIDAY}T13:50:00Z`)]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
    const ids = eventsOf(first.text).map(({ uid }) => uid)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('200 without a key from localhost; 401 via a proxy or another host name, 403 for a zone', async () => {
    // `fetch` cannot set another Host.
    const statusOf = async (query: string, headers: Record<string, string> = {}) => {
      const [answer] = await once(get(`${service.baseUrl}/v1/feeds/evcc${query}`, { headers }), 'response')
      return answer.resume().statusCode
    }
    service.setNow(NOW)
    const others: Record<string, string>[] = [
      { 'x-forwarded-for': '192.0.2.7' },
      { via: '1.1 proxy' },
      { host: 'prices.example' },
    ]
    expect(await statusOf('')).toBe(200)
    for (const headers of others) expect([headers, await statusOf('', headers)]).toEqual([headers, 401])
    expect(await statusOf('')).toBe(200)
    expect(await statusOf('?zone=nord')).toBe(403)
  })
})

/** The variables of a template: the response of a REST sensor, or the state of the only entity. */
interface TemplateContext {
  value_json?: object
  attributes?: object
  state?: string
}

/** Renders a template with nunjucks and, if available, with Jinja in a sandbox like Home Assistant's. */
function renderings(template: string, context: TemplateContext): string[] {
  const { value_json, attributes, state } = context
  const own = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: true })
  own.addFilter('tojson', (value: unknown) => JSON.stringify(value))
  const text = own.renderString(template, {
    value_json,
    state_attr: (_entity: string, name: string) => (attributes as Record<string, unknown>)[name],
    states: () => state,
  })
  if (jinja === undefined) return [text]
  const input = JSON.stringify({ template, value_json, attributes, state })
  return [text, execFileSync(jinja, ['-c', JINJA_PROGRAM], { input }).toString()]
}

describe('the documented configuration', () => {
  const text = readFileSync(new URL('../../../src/web/docs/integrations.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    parseAllDocuments(block).map((document) => document.toJS()),
  )
  it(`is rendered by Jinja itself${jinja ? '' : ' (not here: there is no Python with jinja2)'}`, () => {
    expect(renderings('{{ value_json.price + 1 }}', { value_json: { price: 1 } })).toEqual(jinja ? ['2', '2'] : ['2'])
  })

  /** Requests the URL exactly as documented. */
  async function fetched(resource: string, header: string) {
    service.setNow(NOW)
    const headers = { authorization: header.replace('<API_KEY>', keys.Developer) }
    const answer = await service.ask(resource.replace('https://energy.example', ''), { headers })
    expect([resource, answer.status]).toEqual([resource, 200])
    return answer.json()
  }

  it('for evcc fetches a valid tariff', async () => {
    const { tariffs } = blocks.find((block) => 'tariffs' in block)
    const { type, forecast } = tariffs.grid
    expect([type, forecast.source]).toEqual(['custom', 'http'])
    expectRates((await fetched(forecast.uri, forecast.headers[0].Authorization)) as unknown as EvccFeed)
  })

  it('for Home Assistant defines sensors whose templates and attributes resolve', async () => {
    const sensors = blocks.filter((block) => 'rest' in block).flatMap(({ rest }) => rest)
    expect(sensors).toHaveLength(2)
    for (const { resource, headers, sensor } of sensors) {
      const value_json = await fetched(resource, headers.Authorization)
      for (const { value_template, json_attributes } of sensor) {
        for (const text of renderings(value_template, { value_json })) expect(Number(text)).toBeGreaterThan(0)
        expect(Object.keys(value_json)).toEqual(expect.arrayContaining(json_attributes))
      }
    }
  })

  it('has templates for tomorrow’s cheapest hour and a valid EMHASS payload', async () => {
    const feed = await ask<HomeAssistantFeed>('home-assistant')
    const emhass = await ask<EmhassFeed>('emhass')
    const context = { attributes: { ...feed, ...emhass }, state: String(emhass.prediction_horizon) }
    const { template } = blocks.find((block) => 'template' in block)
    const cheapest = feed.raw_tomorrow.toSorted((a, b) => a.value - b.value)[0]
    const [{ availability, state }] = template[0].sensor
    for (const text of renderings(state, context)) expect(text.trim()).toBe(cheapest?.start)
    for (const text of renderings(availability, context)) expect(text.toLowerCase()).toBe('true')
    const { rest_command } = blocks.find((block) => 'rest_command' in block)
    const { prediction_horizon, load_cost_forecast, prod_price_forecast } = emhass
    for (const text of renderings(rest_command.emhass_mpc.payload, context))
      expect(JSON.parse(text)).toEqual({ prediction_horizon, load_cost_forecast, prod_price_forecast })
  })
})
