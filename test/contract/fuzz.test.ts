import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ISSUE_KINDS } from '../../src/market/forecast-scope.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { seedIssue } from '../support/forecasts.ts'
import { exampleOffers, octoberPrices, publishOffers } from '../support/offers.ts'
import {
  addressOf,
  type Operation,
  operationsOf,
  type Parameter,
  type ParameterValues,
  requestOperation,
} from '../support/operations.ts'
import { edgeValues, hostileValues, validValues } from '../support/parameter-values.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { repetitions } from '../support/repetitions.ts'
import { type Answer, serviceOfFile } from '../support/service.ts'

const RUNS = repetitions(100, 400)
/** Concurrent requests. */
const CONCURRENCY = 8
/** Node rejects a longer request head before it reaches the service. */
const ADDRESS_LENGTH_MAX = 15_000
/** The parameter in the error for documented examples that are invalid alone: the other parameter, prices or the zone are missing. */
const REFUSED_ALONE: Record<string, string> = {
  'get /v1/pun/hourly?from=2026-11-21': 'to',
  'get /v1/pun/hourly?to=2026-11-21': 'from',
  'get /v1/markets/mi-a1/prices?from=2026-11-21': 'to',
  'get /v1/markets/mi-a1/prices?to=2026-11-21': 'from',
  'get /v1/markets/mi-a1/prices?zone=macro-nord': 'zone',
  'get /v1/markets/mi-a1/prices?zone=macro-sud': 'zone',
  'post /v1/trading/backtest': 'from',
  // JSON cannot be streamed; a cursor is valid for its own query only.
  'post /v1/sql?stream=true': 'stream',
  'post /v1/sql?cursor=10000-9f2c01ab31f1ca07-184': 'cursor',
  // For hours only: they require granularity=hour.
  ...refusedOfTrackRecord('zone', STORED_ZONES),
  ...refusedOfTrackRecord('issue', ISSUE_KINDS),
}
function refusedOfTrackRecord(parameter: string, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value) => [`get /v1/forecast/track-record?${parameter}=${value}`, parameter]))
}

/** Characters of all planes; fast-check's own arbitrary takes seconds to build. */
const CHARACTER = fc
  .nat(0x10ffff)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
/** Latin-1 without control characters. */
const HEADER_CHARACTERS = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => !/\p{Cc}/u.test(character),
)

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z', analysts: true })
await service.seed([
  zoneDay('nazionale', '2026-10-25', 15, (quarter) => quarter),
  zoneDay('nazionale', '2026-11-20', 60, () => 90),
  ...(['nazionale', 'nord', 'cnor', 'csud', 'sud', 'sici', 'sard'] as const).map((zone, i) =>
    zoneDay(zone, '2026-11-21', 60, (hour) => 100 + i + hour),
  ),
  dailyPrice('PSV', '2026-11-20', 30.5),
  dailyPrice('Brent', '2026-11-20', 68.91),
])
await service.seed(octoberPrices({ PUN: 100, PSV: 30 }))
await publishOffers(service, exampleOffers('luce'), { day: '2026-11-21' })
await seedIssue(service.sql, { asset: 'PSV', infoDate: '2026-11-20', issuedAt: '2026-11-20T18:00:00Z' })
await seedIssue(service.sql, { asset: 'PUN', infoDate: '2026-11-21', issuedAt: '2026-11-20T18:00:00Z' })
const operations: Operation[] = operationsOf(
  (await service.ask('/v1/openapi.json')).json() as Parameters<typeof operationsOf>[0],
)
const { key } = await service.issueKey('Enterprise')

/** `service.ask` validates the response against the document. */
const sendOperation = (
  operation: Operation,
  given: ParameterValues,
  headers: Record<string, string> = {},
): Promise<Answer> => requestOperation(service, operation, given, { authorization: `Bearer ${key}`, ...headers })

async function forEachConcurrently<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const item of rest) await work(item)
    }),
  )
}

const everyParameter = () => operations.flatMap((operation) => operation.parameters.map((of) => ({ operation, of })))

describe('every operation of the OpenAPI document', () => {
  it('serves each documented value, except those that need another parameter', async () => {
    const asked = everyParameter().flatMap(({ operation, of }) =>
      validValues(of).map((value) => ({ operation, given: [[of.name, value]] as ParameterValues })),
    )
    const refused: Record<string, unknown> = {}
    await forEachConcurrently(
      [...asked, ...operations.map((operation) => ({ operation, given: [] as ParameterValues }))],
      async ({ operation, given }) => {
        const { status, json } = await sendOperation(operation, given)
        const address = `${operation.method} ${addressOf(operation, given)}`
        if (status === 400) refused[address] = json().param
        else expect([200, 201, 202, 404, 503], address).toContain(status)
      },
    )
    expect(refused).toEqual(REFUSED_ALONE)
  })

  it('accepts edge values or names the invalid parameter', async () => {
    const asked = everyParameter().flatMap(({ operation, of }) =>
      edgeValues(of).map((value) => ({ operation, of, value })),
    )
    await forEachConcurrently(asked, async ({ operation, of, value }) => {
      const given: ParameterValues = [[of.name, value]]
      const { status, json } = await sendOperation(operation, given)
      expect([200, 400, 404, 503], addressOf(operation, given)).toContain(status)
      if (status === 400) expect(operation.parameters.map(({ name }) => name)).toContain(json().param)
    })
  })

  it('refuses each value that no parameter may have, and names the parameter', async () => {
    const asked = everyParameter().flatMap(({ operation, of }) =>
      Object.entries(hostileValues(of))
        .filter(([, value]) => of.in !== 'path' || value !== '')
        .map(([what, value]) => ({ operation, of, what, value })),
    )
    expect(asked.length).toBeGreaterThan(100)
    const wrong: string[] = []
    await forEachConcurrently(asked, async ({ operation, of, what, value }) => {
      const { status, text, json } = await sendOperation(operation, [[of.name, value]])
      const isRefused = (status === 400 && json().param === of.name) || (of.in === 'path' && status === 404)
      if (!isRefused || text.length > 1_000) wrong.push(`${operation.path} ${of.name} ${what}: ${status} ${text}`)
    })
    expect(wrong).toEqual([])
  })

  it('refuses a parameter that is given twice or does not exist', async () => {
    const twice = everyParameter()
      .filter(({ of }) => of.in === 'query')
      .map(({ operation, of }) => {
        const [value = ''] = validValues(of)
        const given: ParameterValues = [
          [of.name, value],
          [of.name, value],
        ]
        return { operation, name: of.name, given }
      })
    const unknown = operations.flatMap((operation) =>
      ['form', 'FORMAT', 'from[]', '__proto__', 'constructor', "';--", 'ｆｒｏｍ'].map((name) => ({
        operation,
        name,
        given: [[name, '1']] as ParameterValues,
      })),
    )
    await forEachConcurrently([...twice, ...unknown], async ({ operation, name, given }) => {
      const { status, json } = await sendOperation(operation, given)
      expect({ status, param: json().param }, addressOf(operation, given)).toEqual({ status: 400, param: name })
    })
  })

  it('keeps its contract for any request', async () => {
    await fc.assert(
      fc.asyncProperty(request(), async ({ operation, given, headers }) => {
        const address = addressOf(operation, given)
        fc.pre(address.length <= ADDRESS_LENGTH_MAX)
        const { status } = await sendOperation(operation, given, headers)
        expect(status, address).not.toBe(500)
      }),
      { numRuns: RUNS },
    )
  })

  it('keeps its contract for any key', async () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...HEADER_CHARACTERS), maxLength: 300 }),
      fc.constantFrom(
        '',
        'Bearer',
        'Bearer ',
        'Basic dTpw',
        'Bearer x'.repeat(1_000),
        `Bearer ${key}`,
        `bearer  ${key} `,
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...operations), text, async (operation, authorization) => {
        expect((await sendOperation(operation, [], { authorization })).status).not.toBe(500)
      }),
      { numRuns: RUNS / 4 },
    )
  })
})

/** Any operation, each parameter absent, valid, an edge case or hostile, sometimes with an unknown parameter. */
function request() {
  return fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      given: fc
        .tuple(...operation.parameters.map(someValues), fc.oneof({ weight: 9, arbitrary: NONE }, unknownParameter()))
        .map((each) => each.flat() as ParameterValues),
      headers: fc.record({ accept: fc.constantFrom('*/*', 'text/csv', 'application/json', 'text/csv;q=0', ';;,') }),
    }),
  )
}

const NONE = fc.constant<ParameterValues>([])

function someValues(parameter: Parameter): fc.Arbitrary<ParameterValues> {
  const values = (from: string[]) => fc.constantFrom(...from).map((value): ParameterValues => [[parameter.name, value]])
  const edges = edgeValues(parameter)
  const hostile = Object.values(hostileValues(parameter)).filter((value) => parameter.in !== 'path' || value !== '')
  return fc.oneof(
    { weight: 4, arbitrary: NONE },
    { weight: 8, arbitrary: values(validValues(parameter)) },
    { weight: edges.length === 0 ? 0 : 4, arbitrary: values(edges.length === 0 ? [''] : edges) },
    { weight: 1, arbitrary: values(hostile) },
    {
      weight: 1,
      arbitrary: fc
        .string({ unit: CHARACTER, minLength: 1, maxLength: 40 })
        .map((value): ParameterValues => [[parameter.name, value]]),
    },
  )
}

function unknownParameter(): fc.Arbitrary<ParameterValues> {
  return fc.tuple(fc.string({ minLength: 1 }), fc.string()).map((pair) => [pair])
}
