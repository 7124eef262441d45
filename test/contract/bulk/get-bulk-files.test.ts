/** The list of a dataset's files by year, and their downloads. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { BulkFiles } from '../../../src/api/contract/bulk.ts'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const NIGHT = '2026-11-21T03:40:00Z'

const service = await serviceOfFile({ now: NIGHT })
const enterprise = { headers: await service.asPlan('Enterprise') }

const ask = (query = '') => service.ask(`/v1/bulk/pun-hourly/files${query}`, enterprise)
const list = async (query = '') => (await ask(query)).json() as unknown as BulkFiles
const periods = ({ files }: BulkFiles) => files.map(({ part, period }) => `${part} ${period}`)
const publishAt = async (now: string) => {
  service.setNow(now)
  await service.publishIcebergTable('pun-hourly')
}

it('GET /v1/bulk/{dataset}/files returns 503 without files and requests them once there is data', async () => {
  expect((await ask()).status).toBe(503)
  expect(service.fileRequestCount()).toBe(0)
  await service.seed([zoneDay('nord', '2026-11-20', 60, (hour) => hour)])
  const answer = await ask()
  expect([answer.status, answer.json().error]).toEqual([503, 'no_data'])
  expect(service.fileRequestCount()).toBe(1)
})

describe('GET /v1/bulk/{dataset}/files', () => {
  let first: BulkFiles
  beforeAll(async () => {
    await service.sql`update sources set redistributable = true`
    const days = ['2025-06-01', '2026-03-29', '2026-10-25']
    await service.seed(
      days.flatMap((day) => (['nord', 'sud'] as const).map((zone) => zoneDay(zone, day, 15, (n) => n))),
    )
    await publishAt(NIGHT)
    first = await list()
  })

  it('200 in order of part and period, with working download URLs', async () => {
    expect(periods(first)).toEqual([
      ...['nord 2025', 'nord 2026-03', 'nord 2026-09', 'nord 2026-11'],
      ...['sud 2025', 'sud 2026-03', 'sud 2026-09'],
    ])
    expect(first).toMatchObject({ taken_at: NIGHT, removed: [], documentation: expect.stringMatching(/\/docs\/lake$/) })
    expect(first).not.toHaveProperty('iceberg_metadata') // paths on the server are not exposed
    const [file] = first.files
    const part = await fetch(file?.download_url ?? '', { headers: { range: 'bytes=0-3' } })
    expect([part.status, await part.text(), part.headers.get('etag')]).toEqual([206, 'PAR1', `"${file?.sha256}"`])
    expect(part.headers.get('content-disposition')).toBe(`attachment; filename="${file?.name}"`)
  })

  it('200 filtered by part and by interval', async () => {
    expect(periods(await list('?part=sud&from=2026-01-01'))).toEqual(['sud 2026-03', 'sud 2026-09'])
    expect(periods(await list('?to=2025-12-31'))).toEqual(['nord 2025', 'sud 2025'])
  })

  it.each([
    ['an unknown part, naming the valid ones', 'part=nobody', 'part', /nord/],
    ['days the wrong way round', 'from=2026-10-25&to=2026-10-24', 'from', /./],
    ['what is no instant', 'changed_since=yesterday', 'changed_since', /./],
    ['an instant in the future', 'changed_since=2036-01-01T00:00:00Z', 'changed_since', /./],
    ['an instant before removals were recorded', 'changed_since=2026-10-01T00:00:00Z', 'changed_since', /./],
  ])('400 for %s', async (_name, query, param, message) => {
    const answer = await ask(`?${query}`)
    const refusal = { error: 'invalid_parameter', param, message: expect.stringMatching(message) }
    expect([answer.status, answer.json()]).toMatchObject([400, refusal])
  })

  it('200 with files changed and removed since an instant; old URLs work until they expire', async () => {
    expect(await list(`?changed_since=${first.taken_at}`)).toMatchObject({ files: [], removed: [] })
    await service.seed([zoneDay('nord', '2026-03-29', 15, () => 42)])
    await publishAt('2026-11-22T03:40:00Z')
    const changed = await list(`?changed_since=${first.taken_at}`)
    expect(periods(changed)).toEqual(['nord 2026-03'])
    const before = first.files.find(({ part, period }) => `${part} ${period}` === 'nord 2026-03')
    expect(changed.removed).toEqual([before?.name])
    expect((await list()).removed).toEqual([])
    service.setNow('2026-11-21T04:00:00Z')
    expect((await fetch(before?.download_url ?? '')).status).toBe(200)
    service.setNow('2026-11-22T03:40:00Z')
    expect((await fetch(before?.download_url ?? '')).status).toBe(403)
  })
})
