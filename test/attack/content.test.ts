/**
 * Attacks through the content of requests: SQL in every parameter and field, bodies that pollute or explode, text that causes catastrophic
 * backtracking, other users' alerts, fields that clients must not set. OWASP API1, API3, API4, API5, API8:2023.
 */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { SQL_PATH } from '../../src/api/contract/analyst-sql.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import type { Transaction } from '../../src/store/database.ts'
import { listMovableTables } from '../../src/store/move/movable-tables.ts'
import { digestTable, setTextFormat } from '../../src/store/move/move-database.ts'
import { REQUIRED } from '../contract/spec/requests.ts'
import { seedWebhook } from '../support/alerts.ts'
import { type Operation, operationsOf, requestOperation } from '../support/operations.ts'
import { validValues } from '../support/parameter-values.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { variants } from '../support/repetitions.ts'
import { type Answer, serviceOfFile } from '../support/service.ts'

const SQL = [
  "'; drop table price_intervals; --",
  "' or '1'='1",
  "\\'; truncate daily_prices; --",
  '1); delete from api_keys; --',
  '$$; drop schema public cascade; $$',
  '%27%20union%20select%20sha256%20from%20api_keys--',
  "' || pg_sleep(3600) || '",
  '{{7*7}}',
]

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z' })
await service.seed([zoneDay('nazionale', '2026-11-21', 60, (hour) => hour), dailyPrice('PSV', '2026-11-20', 30)])
/** Except analysts' SQL, which needs a database server: see test/support/analyst-attacks.ts. */
const operations = operationsOf(
  (await service.ask('/v1/openapi.json')).json() as Parameters<typeof operationsOf>[0],
).filter(({ path }) => path !== SQL_PATH)
const { key } = await service.issueKey('Enterprise')

const sendParameter = (operation: Operation, name: string, value: string): Promise<Answer> =>
  requestOperation(service, operation, [[name, value]], { authorization: `Bearer ${key}` })

const everyParameter = () =>
  operations.flatMap((operation) => operation.parameters.map((parameter) => ({ operation, parameter })))

/** For example `POST /alerts`. */
const WITH_BODY = endpoints
  .filter(({ body, path }) => body !== undefined && path !== SQL_PATH)
  .map(({ method, path }) => `${method.toUpperCase()} ${path}`)

function send(operation: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  const [method = '', path = ''] = operation.split(' ')
  return service.ask(`/v1${path.replace('{id}', `${path.startsWith('/alerts') ? 'alr' : 'whk'}_0000000000000003`)}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
}
const exampleOf = (operation: string) => REQUIRED[operation]?.body as Record<string, unknown>

/** The whole database except the request counters. */
async function contents(): Promise<Record<string, unknown>> {
  return service.sql.begin(async (tx: Transaction) => {
    await setTextFormat(tx)
    const digests: [string, unknown][] = []
    for (const table of await listMovableTables(tx))
      if (!['api_key_usage', 'webhooks'].includes(table.name)) digests.push([table.name, await digestTable(tx, table)])
    return Object.fromEntries(digests)
  })
}

/** Copies of the body, each with one field replaced, at any depth. */
function withEachField(body: unknown, value: unknown): { field: string; body: unknown }[] {
  if (typeof body !== 'object' || body === null) return [{ field: '', body: value }]
  return Object.entries(body).flatMap(([name, inner]) =>
    withEachField(inner, value).map((one) => ({
      field: one.field === '' ? name : `${name}.${one.field}`,
      body: { ...body, [name]: one.body },
    })),
  )
}

describe('SQL', () => {
  it('in any parameter of any operation is refused or only text, and changes nothing', async () => {
    const before = await contents()
    for (const [round, { operation, parameter }] of everyParameter().entries())
      for (const text of variants(SQL, round)) {
        const { status } = await sendParameter(operation, parameter.name, text)
        const allowed = parameter.in === 'path' ? [400, 404] : [400]
        expect(allowed, `${operation.path} ${parameter.name}=${text}`).toContain(status)
      }
    expect(await contents()).toEqual(before)
  })

  it.each(WITH_BODY)('in any field of the body of %s is refused with 400, and changes nothing', async (operation) => {
    const before = await contents()
    const bodies = SQL.flatMap((text) => withEachField(exampleOf(operation), text))
    expect(bodies.length).toBeGreaterThanOrEqual(SQL.length)
    for (const { field, body } of bodies) {
      const { status } = await send(operation, JSON.stringify(body))
      expect(status, `${operation} ${field}`).toBe(400)
    }
    expect(await contents()).toEqual(before)
  })

  it.each(['authorization', 'if-none-match', 'x-request-id', 'accept', 'origin', 'x-forwarded-for', 'user-agent'])(
    'in the header %s is treated as text, and changes nothing',
    async (name) => {
      const before = await contents()
      for (const text of SQL) {
        const value = name === 'authorization' ? `Bearer ${text}` : text
        const { status } = await service.ask('/v1/today', { headers: { [name]: value } })
        expect(status).toBe(name === 'authorization' ? 401 : 200)
      }
      expect(await contents()).toEqual(before)
    },
  )
})

describe('a request body', () => {
  const POLLUTION = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

  it.each(WITH_BODY)('cannot pollute object prototypes: %s', async (operation) => {
    for (const name of POLLUTION) {
      const example = JSON.stringify(exampleOf(operation)).slice(1, -1)
      const body = `{${example},"${name}":{"polluted":true,"prototype":{"polluted":true}}}`
      const { status, json } = await send(operation, body)
      expect({ status, param: json().param }).toEqual({ status: 400, param: name })
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Object.prototype.toString.call([])).toBe('[object Array]')
  })

  const BOMBS: Record<string, string | Buffer> = {
    'nested 16,000 deep': `${'['.repeat(16_000)}${']'.repeat(16_000)}`,
    'objects nested 5,000 deep': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    'with 5,000 fields': `{${Array.from({ length: 5_000 }, (_, i) => `"${i}":1`).join()}}`,
    'with a number beyond all': '{"threshold":1e999}',
    'with a number of 30,000 digits': `{"threshold":${'9'.repeat(30_000)}}`,
    'with half a surrogate': '{"asset":"\\ud800"}',
    'with a zero byte': '{"asset":"pun\\u0000"}',
    'a list': '[]',
    'a string': '"x"',
    null: 'null',
    nothing: '',
    'of 33 kB': `{"a":"${'x'.repeat(33 * 1024)}"}`,
    'in UTF-16': Buffer.from('{"asset":"pun"}', 'utf16le'),
  }

  /** All their fields are optional. */
  const WITHOUT_BODY = ['POST /keys/rotate', 'PATCH /alerts/{id}', 'PATCH /webhooks/{id}']

  it.each(Object.entries(BOMBS))('%s is refused with 400', async (_name, body) => {
    for (const operation of WITH_BODY) {
      if (body === '' && WITHOUT_BODY.includes(operation)) continue
      const { status, text } = await send(operation, body)
      expect({ operation, status }).toEqual({ operation, status: 400 })
      expect(text.length).toBeLessThan(2_000)
    }
  })

  it('that decompresses to 100 MB is refused with 400', async () => {
    const body = gzipSync(Buffer.alloc(100 * 1024 * 1024, 0x20))
    for (const operation of WITH_BODY) {
      const { status, json } = await send(operation, body, { 'content-encoding': 'gzip' })
      expect({ status, param: json().param }).toEqual({ status: 400, param: 'body' })
    }
  })

  it('cannot set fields that clients may not set', async () => {
    const before = await service.sql`select count(*) as count from webhooks`
    for (const operation of ['POST /alerts', 'POST /webhooks', 'PATCH /alerts/{id}', 'PATCH /webhooks/{id}'])
      for (const field of [
        'id',
        'key_root',
        'status',
        'secret',
        'signing_secret',
        'created_at',
        'first_day',
        'starts_after',
        'plan',
      ]) {
        const { status, json } = await send(operation, JSON.stringify({ ...exampleOf(operation), [field]: 'x' }))
        expect({ status, param: json().param }).toEqual({ status: 400, param: field })
      }
    expect(await service.sql`select count(*) as count from webhooks`).toEqual(before)
  })
})

/** Text that causes catastrophic backtracking: long runs that fail to match at their end. A hang fails the test. */
const RUNS = [...'a 0-.,;="\t', 'a,', 'a=', '0.', ' ,', 'q=0;', '"a",', 'aA1-', '::', '10.0.0.1, ']
const longRuns = (length: number) => RUNS.map((run) => `${run.repeat(length / run.length)}\u00a1`)

describe('long runs of characters', () => {
  it.each([
    'authorization',
    'accept',
    'if-none-match',
    'x-request-id',
    'content-type',
    'origin',
    'x-forwarded-for',
    'x-forwarded-host',
    'access-control-request-headers',
    'user-agent',
    'cookie',
    'range',
  ])('in the header %s are answered with 200, 400 or 401', async (name) => {
    for (const run of longRuns(14_000)) {
      const prefix = name === 'authorization' ? 'Bearer ' : ''
      const answer = await service.ask('/v1/prices/pun/series?from=2026-11-20', {
        headers: { [name]: `${prefix}x${run}` },
      })
      expect([200, 400, 401]).toContain(answer.status)
    }
  })

  it('in any parameter are refused', async () => {
    for (const [round, { operation, parameter }] of everyParameter().entries())
      for (const run of variants(longRuns(2_000), round)) {
        const { status } = await sendParameter(operation, parameter.name, `${validValues(parameter)[0]}${run}`)
        expect([400, 404], `${operation.path} ${parameter.name}`).toContain(status)
      }
  })

  it.each(WITH_BODY)('in any field of %s are refused', async (operation) => {
    for (const run of longRuns(30_000))
      for (const { body } of withEachField(exampleOf(operation), `https://a.example/${run}`)) {
        expect((await send(operation, JSON.stringify(body))).status).toBe(400)
      }
  })
})

describe('a resource of another key', () => {
  it.each([
    ['/alerts', 'alr_'],
    ['/webhooks', 'whk_'],
  ])('under %s returns 404 for every operation, and remains unchanged', async (base, prefix) => {
    const owned = endpoints.filter(({ path }) => path.startsWith(`${base}/`))
    const owner = await service.issueKey('Trading')
    const ids = { id: `${prefix}0000000000000001`, delivery: 'dlv_00000000000000000000000000000001' }
    const none = `${prefix}0000000000000002`
    await seedWebhook(service.sql, owner.id, ids)
    const before = await service.sql`select * from webhooks where id = ${ids.id}`
    expect(owned.length).toBeGreaterThan(5)
    for (const { method, path } of owned) {
      const asOther = (id: string) =>
        service.ask(`/v1${path.replace(/[:{]id\}?/, id).replace(/[:{]delivery_id\}?/, ids.delivery)}`, {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(method === 'patch' && { body: JSON.stringify(exampleOf(`PATCH ${path}`)) }),
        })
      const [others, missing] = [await asOther(ids.id), await asOther(none)]
      expect(others.status, `${method} ${path}`).toBe(404)
      expect(others.text.replaceAll(ids.id, ''), path).toBe(missing.text.replaceAll(none, ''))
    }
    expect(await service.sql`select * from webhooks where id = ${ids.id}`).toEqual(before)
    const own = await service.ask(`/v1${base}/${ids.id}`, { headers: { authorization: `Bearer ${owner.key}` } })
    expect(own.status).toBe(200)
  })
})
