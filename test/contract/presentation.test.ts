/** Presentation options of every endpoint: UTC next to local time, CSV dialects, errors in RFC 9457 format. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const NOW = '2026-10-24T12:10:00Z'

const service = await serviceOfFile({ now: NOW })
const headers = await service.asPlan('API')
await service.seed([
  ...['2026-10-24', '2026-10-25', '2026-03-29'].map((day) =>
    zoneDay('nazionale', day, 15, (quarter) => quarter + 0.25),
  ),
  dailyPrice('PUN', '2026-10-25', 50),
])
await seedHours(service.sql, { zone: 'nazionale', infoDate: '2026-10-25', issuedAt: '2026-10-24T12:00:00Z' })
const load = fundamentalDay('load/IT', '2026-10-24', () => 30_000)
await storeFundamentals(service.sql, [load], { source: 'entsoe-actuals', at: NOW })

const ask = (path: string, more: Record<string, string> = {}) =>
  service.ask(`/v1${path}`, { headers: { ...headers, ...more } })

interface Times {
  starts_at: string
  starts_at_utc?: string
  ends_at?: string
  ends_at_utc?: string
}

/** Every object with a start, at any depth. */
function timesIn(value: unknown): Times[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'starts_at' in value ? [value as Times] : []
  return [...own, ...Object.values(value).flatMap(timesIn)]
}

describe('times=utc', () => {
  const ADDRESSES = [
    '/pun/hourly?date=2026-10-25&granularity=quarter',
    '/pun/hourly?from=2026-10-24&to=2026-10-25',
    '/pun/hourly?date=2026-03-29',
    '/pun/now-and-next?granularity=quarter',
    '/forecast/pun/hourly?days=2',
    '/fundamentals/load?from=2026-10-24&to=2026-10-24',
    '/tools/cheapest-window?hours=6&contiguous=false',
  ]

  it.each(ADDRESSES)('adds the UTC time of every start and end of %s to the local time', async (address) => {
    const answer = await ask(`${address}&times=utc`)
    const withoutUtc = JSON.parse(answer.text, (name, value) => (name.endsWith('_utc') ? undefined : value))
    expect(withoutUtc).toEqual((await ask(address)).json())
    const both = timesIn(answer.json())
    expect(both.length).toBeGreaterThan(1)
    for (const { starts_at, starts_at_utc, ends_at, ends_at_utc } of both) {
      expect([starts_at_utc, ends_at_utc]).toEqual(
        [starts_at, ends_at].map((local) => local && Temporal.Instant.from(local).toString()),
      )
      expect(starts_at).toMatch(/[+-]\d\d:00$/)
    }
  })

  it('tells the two hours of October apart, and adds columns to CSV', async () => {
    const { text } = await ask('/pun/hourly?date=2026-10-25&format=csv&times=utc')
    const [header, ...lines] = text.split('\r\n')
    expect(header).toBe('zone;unit;date;hour;starts_at;starts_at_utc;value;band;ends_at;ends_at_utc')
    expect(lines.slice(2, 4).map((line) => [4, 5, 8, 9].map((column) => line.split(';')[column]))).toEqual([
      ['2026-10-25T02:00:00+02:00', '2026-10-25T00:00:00Z', '2026-10-25T02:00:00+01:00', '2026-10-25T01:00:00Z'],
      ['2026-10-25T02:00:00+01:00', '2026-10-25T01:00:00Z', '2026-10-25T03:00:00+01:00', '2026-10-25T02:00:00Z'],
    ])
  })

  /** Feeds have the format of the tool that reads them. */
  it('is supported by every endpoint that returns local start times, except feeds', () => {
    const isLocal = ({ starts_at }: Times) => !starts_at.endsWith('Z')
    const having = endpoints.filter(({ example, tag }) => tag !== 'Feeds' && timesIn(example).some(isLocal))
    expect(having.length).toBeGreaterThanOrEqual(5)
    for (const { id, query } of having) expect(Object.keys(query.shape), id).toContain('times')
  })
})

describe('CSV', () => {
  const SERIES = '/prices/pun/series?from=2026-10-24&to=2026-10-24&format=csv'

  it.each([
    ['', 'PUN;€/MWh;2026-10-24;48,75'],
    ['&sep=semicolon&decimal=point', 'PUN;€/MWh;2026-10-24;48.75'],
    ['&sep=comma', 'PUN,€/MWh,2026-10-24,48.75'],
    ['&sep=comma&decimal=comma', 'PUN,€/MWh,2026-10-24,48.75'],
    ['&sep=tab', 'PUN\t€/MWh\t2026-10-24\t48,75'],
    ['&sep=tab&decimal=point', 'PUN\t€/MWh\t2026-10-24\t48.75'],
  ])('with %s', async (query, line) => {
    expect((await ask(SERIES + query)).text.split('\r\n')[1]).toBe(line)
  })

  it('has the parameters sep and decimal on exactly the endpoints that offer it', () => {
    const having = endpoints.filter(({ query }) => 'sep' in query.shape && 'decimal' in query.shape)
    expect(having).toEqual(endpoints.filter(({ formats }) => formats.includes('csv')))
  })
})

describe('the error format', () => {
  it.each([
    'application/problem+json',
    'application/json, application/problem+json',
    'Application/Problem+JSON;q=0.5, */*',
  ])('is RFC 9457 for Accept: %s', async (accept) => {
    const answer = await ask('/pun/hourly?zone=ovest', { accept })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(JSON.parse(answer.text)).toEqual({
      type: `${service.baseUrl}/docs/errors#invalid_parameter`,
      title: 'Invalid parameter',
      status: 400,
      detail: expect.stringContaining('ovest'),
      error: 'invalid_parameter',
      param: 'zone',
    })
  })

  it.each([undefined, '*/*', 'application/json', 'application/*', 'application/problem+json;q=0'])(
    'is that of the contract for Accept: %s',
    async (accept) => {
      const answer = await ask('/pun/hourly?zone=ovest', accept === undefined ? {} : { accept })
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(Object.keys(answer.json()).sort()).toEqual(['docs', 'error', 'message', 'param'])
    },
  )

  it('includes the required plan in RFC 9457, and the wait in Retry-After', async () => {
    const problem = { accept: 'application/problem+json' }
    expect(JSON.parse((await ask('/trading/vitals', problem)).text)).toMatchObject({
      ...{ status: 403, error: 'tier_required', required_tier: 'Trading', title: 'Tier required' },
    })
    const missing = await ask('/pun/zones?date=2026-11-30', problem)
    expect([missing.status, Number(missing.headers.get('retry-after')) > 60]).toEqual([503, true])
  })

  it('does not apply to successful responses', async () => {
    const answer = await ask('/pun/today', { accept: 'application/problem+json' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  })
})

describe('assets and zones in upper or lower case', () => {
  it.each([
    ['/PUN/hourly?zone=NAZIONALE&date=2026-10-24', '/pun/hourly?zone=nazionale&date=2026-10-24'],
    ['/prices/Pun/series?from=2026-10-01', '/prices/pun/series?from=2026-10-01'],
    ['/forecast/PUN/hourly?zone=Nazionale&days=2', '/forecast/pun/hourly?zone=nazionale&days=2'],
    ['/fundamentals/load?area=it&from=2026-10-24&to=2026-10-24', '/fundamentals/load?from=2026-10-24&to=2026-10-24'],
    ['/changes?dataset=PUN,Zones', '/changes?dataset=pun,zones'],
  ])('%s returns the same as %s, on the first and second request', async (given, canonical) => {
    const expected = await ask(canonical)
    expect(expected.status).toBe(200)
    for (const _ of [1, 2]) {
      const answer = await fetch(`${service.baseUrl}/v1${given}`, { headers })
      expect(await answer.text()).toBe(expected.text)
      expect(answer.headers.get('etag')).toBe(expected.headers.get('etag'))
    }
  })

  it('are accepted by every parameter and body field that names one', () => {
    const schemas = endpoints.flatMap(({ id, pathSchema, query, body }) => [
      ...Object.entries({ ...pathSchema.shape, ...query.shape }).map(([name, schema]) => ({ id, name, schema })),
      ...(body instanceof z.ZodObject ? Object.entries(body.shape) : []).map(([name, schema]) => ({
        id,
        name,
        schema,
      })),
    ])
    const named = schemas.flatMap((one) => {
      const values = JSON.stringify(z.toJSONSchema(one.schema, { io: 'input', unrepresentable: 'any' }))
      const [, value] = /"enum":\[[^\]]*"(pun|nord|IT)"/i.exec(values) ?? []
      return value === undefined || one.name === 'language'
        ? []
        : [{ ...one, value, isList: values.includes('"type":"array"') }]
    })
    expect(named.length).toBeGreaterThan(15)
    for (const { id, name, schema, value, isList } of named) {
      const read = (text: string) => (schema as z.ZodType).parse(isList ? [text] : text)
      const swapped = value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase()
      expect(read(swapped), `${id} ${name}`).toEqual(read(value))
    }
  })
})
