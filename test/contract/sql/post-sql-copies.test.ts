/** `POST /sql` without a database server: on copies of the embedded database. Behaviour common to all installations: post-sql.test.ts. */
import { describe, expect, it } from 'vitest'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { type Answer, serviceOfFile } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'

const NOW = '2026-11-21T10:00:00Z'
const NUMBERS = 'select n from generate_series(1, 15000) n order by n'
const ENDLESS = 'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b'

const service = await serviceOfFile({ now: NOW, analysts: 'copies' })
await service.seed(['2026-03-29', '2026-10-25'].map((day) => zoneDay('nazionale', day, 60, (hour) => hour)))
const headers = await service.asPlan('Trading')

const runQueryOnce = (sql: string, query: Record<string, string> = {}): Promise<Answer> =>
  sendJson(service, `/v1/sql?${new URLSearchParams(query)}`, { sql }, headers)

/** Retries, since on a busy machine a process of the lowest priority may not get enough CPU within five seconds. */
async function runQuery(sql: string, query?: Record<string, string>): Promise<Answer> {
  const answer = await runQueryOnce(sql, query)
  return /takes longer than/.test(answer.text) ? runQuery(sql, query) : answer
}

describe('POST /sql without a database server', () => {
  it('returns rows and the data version as JSON, CSV, stream and plan', async () => {
    const version = service.service.dataVersion.current()
    const days = 'select market_day, minutes from prices_by_day order by 1'
    const json = await runQuery(days)
    expect(json.json()).toMatchObject({
      data_version: version,
      rows: [
        { market_day: '2026-03-29', minutes: 1380 },
        { market_day: '2026-10-25', minutes: 1500 },
      ],
    })
    const csv = await runQuery(days, { format: 'csv' })
    expect(csv.text).toBe('market_day;minutes\r\n2026-03-29;1380\r\n2026-10-25;1500\r\n')
    const streamed = await runQuery(NUMBERS, { format: 'csv', stream: 'true' })
    expect(streamed.text.split('\r\n')).toHaveLength(15_002)
    const plan = await runQuery(days, { explain: 'true' })
    expect(plan.json().columns).toEqual([{ name: 'QUERY PLAN', type: 'text' }])
    expect((await runQuery('select version from data_version')).json().rows).toEqual([{ version }])
    for (const { headers } of [json, csv, streamed, plan]) expect(headers.get('x-data-version')).toBe(String(version))
  })

  it('pages by cursor through one copy, and refuses the cursor after a newer copy', async () => {
    const first = (await runQuery(NUMBERS)).json() as { next_cursor: string; data_version: number }
    await service.seed([dailyPrice('PSV', '2026-11-20', 31)])
    const second = (await runQuery(NUMBERS, { cursor: first.next_cursor })).json()
    expect(second).toMatchObject({ row_count: 5_000, data_version: first.data_version })
    expect((await runQuery('select * from prices_by_interval where false')).status).toBe(200)
    service.setNow('2026-11-21T10:01:00Z')
    const late = await runQuery(NUMBERS, { cursor: first.next_cursor })
    expect({ status: late.status, message: late.json().message }).toEqual({
      status: 400,
      message: expect.stringMatching(/have changed/),
    })
    expect((await runQuery('select 1 as one')).json().data_version).toBe(service.service.dataVersion.current())
  })

  it('refuses forbidden queries and those over 5 seconds, without blocking other requests', async () => {
    const endless = runQueryOnce(ENDLESS)
    expect((await service.ask('/v1/today')).status).toBe(200)
    const refused = await runQuery('select * from public.api_keys')
    expect({ status: refused.status, param: refused.json().param }).toEqual({ status: 400, param: 'sql' })
    expect((await runQuery('select 1 / 0')).json().message).toMatch(/division by zero/)
    const { status, json } = await endless
    expect({ status, message: json().message }).toEqual({ status: 400, message: 'sql takes longer than 5 seconds.' })
    expect((await runQuery('select 1 as one')).json().rows).toEqual([{ one: 1 }])
  })

  it('is live in the index; the /sql page does not mention a missing server', async () => {
    const { endpoints } = (await service.ask('/v1')).json() as { endpoints: { path: string; status: string }[] }
    expect(endpoints.find(({ path }) => path === '/sql')?.status).toBe('live')
    expect(await (await fetch(`${service.baseUrl}/en/sql`)).text()).not.toContain('ANALYST_DATABASE_URL')
  })
})
