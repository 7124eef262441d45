/** Ordered exports over HTTP: validation, content of the file, visibility and deletion. */
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { EXPORT_ORDERS } from '../../../src/api/contract/bulk.ts'
import type { ExportOrderBody } from '../../../src/api/contract/export-orders.ts'
import { fundamentalDay, storeFundamentals } from '../../support/fundamentals.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { type Answer, serviceOfFile } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'

const NOW = '2026-11-21T10:00:00Z'
const BEFORE = '2026-11-21T09:00:00Z'
const EARLY = Temporal.Instant.from('2026-11-21T08:00:00Z')
const LATE = Temporal.Instant.from('2026-11-21T09:30:00Z')

let key: string
let keyId: string

const service = await serviceOfFile({ now: NOW })
await service.sql`update sources set redistributable = true`
const days = ['2025-12-31', '2026-03-29', '2026-10-25']
await service.seed(
  days.flatMap((day) => (['nord', 'sud'] as const).map((zone) => zoneDay(zone, day, 15, (n) => n))),
  { at: EARLY },
)
await service.seed([dailyPrice('PSV', '2026-11-20', 30.5), dailyPrice('TTF', '2026-11-20', 28)], { at: EARLY })
await storeFundamentals(service.sql, [fundamentalDay('load/IT', '2026-10-25', () => 30_000)], {
  source: 'entsoe-actuals',
  at: '2026-11-21T08:00:00Z',
})
beforeEach(async () => {
  service.setNow(NOW)
  const issued = await service.issueKey('Enterprise')
  key = issued.key
  keyId = issued.id
})

const ORDER = { dataset: 'pun-hourly', from: '2026-03-29', to: '2026-03-29', zones: ['nord'], format: 'csv.gz' }
const BY_INDEX = { dataset: 'prices-daily', zones: undefined, assets: ['PSV'] }
const FUNDAMENTALS = { dataset: 'fundamentals', zones: undefined, from: '2026-10-25', to: '2026-10-25' }

const bearer = (of = key) => ({ authorization: `Bearer ${of}` })
const get = (path = '', of = key) => service.ask(`/v1/bulk/exports${path}`, { headers: bearer(of) })
const remove = (id: string, of = key) =>
  service.ask(`/v1/bulk/exports/${id}`, { method: 'DELETE', headers: bearer(of) })
const post = (body: unknown) => sendJson(service, '/v1/bulk/exports', body, bearer())
const orderOf = (answer: Answer) => answer.json() as unknown as ExportOrderBody
/** Orders an export, creates its file and returns its description. */
async function createExport(body: object): Promise<ExportOrderBody> {
  const { id } = orderOf(await post({ ...ORDER, ...body }))
  await service.fillOrder(id)
  return orderOf(await get(`/${id}`))
}
async function linesOf({ download_url: url = '' }: ExportOrderBody): Promise<string[]> {
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  const text = gunzipSync(await answer.arrayBuffer()).toString()
  return text.trimEnd().split('\r\n')
}

describe('POST /v1/bulk/exports', () => {
  it.each([
    ['a dataset that does not exist', { dataset: 'gas-hourly' }, 'dataset'],
    ['a format that does not exist', { format: 'xlsx' }, 'format'],
    ['no interval', { from: undefined }, 'from'],
    ['a day that does not exist', { to: '2026-02-30' }, 'to'],
    ['an inverted interval', { from: '2026-03-30' }, 'from'],
    ['an interval after tomorrow', { from: '2026-11-23', to: '2026-11-24' }, 'from'],
    ['an end after tomorrow', { to: '2026-11-23' }, 'to'],
    ['a zone that does not exist', { zones: ['nord', 'ovest'] }, 'zones.1'],
    ['a zone twice', { zones: ['nord', 'nord'] }, 'zones'],
    ['no zones', { zones: [] }, 'zones'],
    ['indices of a dataset by zone', { assets: ['PUN'] }, 'assets'],
    ['zones of a dataset by index', { dataset: 'prices-daily' }, 'zones'],
    ['an index without forecasts', { ...BY_INDEX, dataset: 'forecast-history', assets: ['PUN', 'CO2'] }, 'assets.1'],
    ['a column that does not exist', { columns: ['zone', 'price'] }, 'columns.1'],
    ['a column twice', { columns: ['zone', 'zone'] }, 'columns.1'],
    ['an instant in the future', { as_of: '2026-11-21T10:00:01Z' }, 'as_of'],
    ['an instant for a dataset without a past', { dataset: 'forecasts-hourly', as_of: BEFORE }, 'as_of'],
    ['an instant without an offset', { as_of: '2026-11-20T10:00:00' }, 'as_of'],
    ['an unknown field', { zone: 'nord' }, 'zone'],
    ['a body that is a list', [ORDER], 'body'],
    ['JSON that ends early', '{"dataset": "pun-hourly"', 'body'],
  ])('400 for %s, naming the parameter', async (_what, change, param) => {
    const body = typeof change === 'string' || Array.isArray(change) ? change : { ...ORDER, ...change }
    const answer = await post(body)
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param }])
    expect((await get()).json()).toEqual({ count: 0, exports: [] })
  })

  it('202 for future days of forecasts, and of weather up to seven days ahead', async () => {
    expect((await post({ dataset: 'forecast-history', from: '2026-11-01', to: '2027-01-31' })).status).toBe(202)
    const weather = { dataset: 'fundamentals', series: ['temperature'], from: '2026-11-21', to: '2026-11-28' }
    expect((await post(weather)).status).toBe(202)
    expect((await post({ ...weather, to: '2026-11-29' })).json()).toMatchObject({ param: 'to' })
  })
})

describe('an export order', () => {
  it('is queued, then ready with a file of the requested rows and columns', async () => {
    const placed = await post({ ...ORDER, columns: ['starts_at', 'eur_mwh'] })
    expect(placed.json()).toEqual({
      id: expect.stringMatching(/^exp_[0-9a-z]{16}$/),
      ...{ ...ORDER, columns: ['starts_at', 'eur_mwh'] },
      ...{ state: 'queued', requested_at: NOW, rows: 0, percent: 0 },
    })
    const { id } = orderOf(placed)
    await service.fillOrder(id)
    const ready = (await get(`/${id}`)).json()
    expect(ready).toMatchObject({
      ...{ state: 'ready', rows: 92, percent: 100, url_expires_at: '2026-11-21T11:00:00Z' },
      ...{ file_expires_at: '2026-11-22T10:00:00Z', attribution: expect.stringContaining('Gestore dei Mercati') },
    })
    const lines = await linesOf(orderOf(await get(`/${id}`)))
    expect(lines.slice(0, 2)).toEqual(['starts_at;eur_mwh', '2026-03-28T23:00:00Z;1'])
    expect(lines).toHaveLength(93)
    expect((await get()).json()).toMatchObject({ count: 1, exports: [{ id, state: 'ready' }] })
  })

  it.each([
    ['a day of 92 quarters', { from: '2026-03-29', to: '2026-03-29' }, 92],
    ['a day of 100 quarters', { from: '2026-10-25', to: '2026-10-25' }, 100],
    ['all zones over a turn of the year', { zones: undefined, from: '2025-12-31', to: '2026-10-24' }, 2 * (96 + 92)],
    ['an index', { ...BY_INDEX, from: '2026-01-01', to: '2026-11-20' }, 1],
    ['a fundamental', { ...FUNDAMENTALS, series: ['load'] }, 25],
  ])('exports %s', async (_what, body, rows) => {
    const order = await createExport(body)
    expect(order).toMatchObject({ state: 'ready', rows })
    expect(await linesOf(order)).toHaveLength(rows + 1)
  })

  it('is identical to the nightly file if it covers the whole dataset', async () => {
    await service.publishFile('pun-hourly', 'csv.gz')
    const night = (await service.ask('/v1/bulk/pun-hourly?format=csv.gz', { headers: bearer() })).json()
    const order = await createExport({ zones: undefined, from: '2025-12-31', to: '2026-10-25' })
    expect([order.rows, order.bytes, order.sha256]).toEqual([night.rows, night.bytes, night.sha256])
  })

  it('contains the values known at as_of', async () => {
    await service.seed([zoneDay('nord', '2026-03-29', 15, () => 500)], { at: LATE })
    await service.seed([dailyPrice('PSV', '2026-11-20', 99)], { at: LATE })
    const columns = ['eur_mwh']
    expect((await linesOf(await createExport({ columns, as_of: BEFORE }))).slice(1, 4)).toEqual(['1', '2', '3'])
    expect((await linesOf(await createExport({ columns, as_of: NOW })))[1]).toBe('500')
    expect((await linesOf(await createExport({ columns })))[1]).toBe('500')
    const daily = { ...BY_INDEX, from: '2026-11-20', to: '2026-11-20' }
    expect((await linesOf(await createExport({ ...daily, columns: ['value_native'], as_of: BEFORE })))[1]).toBe('30,5')
    expect((await linesOf(await createExport({ ...daily, columns: ['value_native'] })))[1]).toBe('99')
    expect(await createExport({ ...FUNDAMENTALS, as_of: BEFORE })).toMatchObject({ state: 'ready', rows: 25 })
    expect(await createExport({ ...FUNDAMENTALS, as_of: '2026-01-01T00:00:00Z' })).toMatchObject({ state: 'failed' })
  })

  it('fails if no rows match or none may be redistributed', async () => {
    expect(await createExport({ from: '2026-05-01', to: '2026-05-02' })).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('no rows'),
    })
    await service.sql`update sources set redistributable = false`
    expect(await createExport({})).toMatchObject({ state: 'failed' })
    await service.sql`update sources set redistributable = true`
  })

  it('appears in the change feed of its owner only', async () => {
    const { id, sha256 } = await createExport({})
    const stranger = (await service.issueKey('Enterprise')).key
    const last = async (of: string) => {
      const { changes } = (await service.ask('/v1/changes?dataset=exports', { headers: bearer(of) })).json() as {
        changes: { kind: string; details: object; url: string }[]
      }
      return changes.filter(({ details }) => 'export' in details).at(-1)
    }
    expect(await last(key)).toMatchObject({
      kind: 'export.ready',
      details: { export: id, dataset: 'pun-hourly', format: 'csv.gz', sha256 },
      url: expect.stringMatching(`/v1/bulk/exports/${id}$`),
    })
    expect(await last(stranger)).toBeUndefined()
  })
})

it('export.ready is queued only for webhooks of the owner', async () => {
  const stranger = (await service.issueKey('Enterprise')).key
  const request = { url: 'https://hooks.example.com/energy', events: ['export.ready'] }
  const hook = async (of: string) => (await sendJson(service, '/v1/webhooks', request, bearer(of))).json().id
  const [own, other] = [await hook(key), await hook(stranger)]
  const { id } = await createExport({})
  await service.sql`select queue_changes(${NOW}::timestamptz, ${NOW}::timestamptz, 1000)`
  const events = await service.sql<{ export: string; webhook: string }[]>`
    select change -> 'details' ->> 'export' as export, webhook_id as webhook
    from webhook_events where webhook_id in (${own as string}, ${other as string})`
  expect([...events]).toEqual([{ export: id, webhook: own }])
})

describe('access to an export', () => {
  it('is denied to other keys: not listed, and 404 to read or delete', async () => {
    const { id } = await createExport({})
    const other = (await service.issueKey('Enterprise')).key
    expect((await get('', other)).json()).toMatchObject({ count: 0 })
    expect((await get(`/${id}`, other)).status).toBe(404)
    expect((await remove(id, other)).status).toBe(404)
    expect((await get(`/${id}`)).status).toBe(200)
  })

  it('continues with the rotated key', async () => {
    const { id } = await createExport({})
    const rotated = await service.rotateKey(keyId, '2026-11-22T10:00:00Z')
    expect((await get(`/${id}`, rotated.key)).json()).toMatchObject({ id, state: 'ready' })
  })

  it.each(['exp_0000000000000000', 'exp_', 'x', '..%2F..', "exp_'; drop table"])('is 404 for the id %s', async (id) => {
    expect((await get(`/${encodeURIComponent(id)}`)).status).toBe(404)
    expect((await remove(encodeURIComponent(id))).status).toBe(404)
  })
})

describe('the limit on export orders', () => {
  it('returns 429 beyond the maximum of open orders; deleting one frees a slot', async () => {
    const ids: string[] = []
    for (let i = 0; i < EXPORT_ORDERS.openMax; i++) ids.push(orderOf(await post(ORDER)).id)
    const answer = await post(ORDER)
    expect([answer.status, answer.json().error]).toEqual([429, 'rate_limited'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await remove(ids[0] ?? '')).status).toBe(204)
    expect((await post(ORDER)).status).toBe(202)
  })

  it('is exact under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 2 * EXPORT_ORDERS.openMax }, () => post(ORDER)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(EXPORT_ORDERS.openMax)
  })

  it('counts deleted orders towards the daily maximum', async () => {
    for (let i = 0; i < EXPORT_ORDERS.perDay; i++) await remove(orderOf(await post(ORDER)).id)
    const answer = await post(ORDER)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_600)
  })
})

describe('the removal of an export', () => {
  it('deletes the file; its download URL and the order return 404', async () => {
    const { id, download_url: url = '' } = await createExport({})
    expect((await fetch(url)).status).toBe(200)
    expect((await remove(id)).status).toBe(204)
    expect((await fetch(url)).status).toBe(404)
    expect((await get(`/${id}`)).status).toBe(404)
    expect((await remove(id)).status).toBe(404)
  })

  it('drops an export that is being created', async () => {
    const { id } = orderOf(await post(ORDER))
    const filled = await service.fillOrder(id, { onStart: () => void remove(id) })
    expect(filled).toMatchObject({ outcome: 'dropped' })
    expect(await service.sql`select from export_orders where id = ${id}`).toHaveLength(0)
  })

  it('does not precede the expiry of its download URL', async () => {
    const { id } = await createExport({})
    service.setNow('2026-11-22T09:30:00Z')
    expect((await get(`/${id}`)).json()).toMatchObject({ url_expires_at: '2026-11-22T10:00:00Z' })
    service.setNow('2026-11-22T10:00:00Z')
    expect((await get(`/${id}`)).json()).not.toHaveProperty('download_url')
  })
})
