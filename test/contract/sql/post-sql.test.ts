import { type Table, tableFromIPC } from 'apache-arrow'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OVERRUNS_MAX, overrunsOf } from '../../../src/api/access/rate-limiter.ts'
import { ANALYST_ATTACKS, STATEMENT_ATTACKS } from '../../support/analyst-attacks.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile, startTestService } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'

/** Nine megabytes, generated quickly. */
const LARGE = `select format('%1000s', n) from generate_series(1, 9000) n`

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z', analysts: true })
await service.seed([
  zoneDay('nazionale', '2026-03-29', 60, (hour) => hour),
  zoneDay('nazionale', '2026-10-25', 60, (hour) => -hour),
  dailyPrice('PSV', '2026-11-20', 30.5),
])
const headers = await service.asPlan('Trading')

const postSql = (sql: string, query: Record<string, string> = {}, more = {}) =>
  sendJson(service, `/v1/sql?${new URLSearchParams(query)}`, { sql }, { ...headers, ...more })
/** The body of an Arrow stream, which `ask` would read as text. */
async function arrowOf(sql: string, query = '?format=arrow', more = {}) {
  const answer = await fetch(`${service.baseUrl}/v1/sql${query}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...more },
    body: JSON.stringify({ sql }),
  })
  expect(answer.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream')
  return tableFromIPC(new Uint8Array(await answer.arrayBuffer()))
}
const fieldsOf = ({ schema }: Table) => schema.fields.map(({ name, type }) => `${name} ${type}`)

const TYPES = `select 1 as i, 9007199254740993 as big, 1.5::float8 as f, 2.25 as n, 'NaN'::float8 as nan, true as b, date '2026-03-29' as d,
  timestamptz '2026-03-29 01:00Z' as t, interval '1 day' as other, null::float8 as missing`

describe('POST /sql', () => {
  it('200 with rows of the views, including change days', async () => {
    const answer = await postSql('select market_day, price_eur_mwh, minutes from prices_by_day order by market_day')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.json()).toEqual({
      columns: [
        { name: 'market_day', type: 'date' },
        { name: 'price_eur_mwh', type: 'double precision' },
        { name: 'minutes', type: 'integer' },
      ],
      row_count: 2,
      truncated: false,
      data_version: service.service.dataVersion.current(),
      rows: [
        { market_day: '2026-03-29', price_eur_mwh: 12, minutes: 1380 },
        { market_day: '2026-10-25', price_eur_mwh: -13, minutes: 1500 },
      ],
      attribution: expect.stringContaining('Italian Energy Prices'),
    })
  })

  it('tells the two hours of October apart by their offset', async () => {
    const hours = `select starts_at from prices_by_hour where market_day = '2026-10-25' and hour in (3, 4) order by hour`
    expect((await postSql(hours)).json().rows).toEqual([
      { starts_at: '2026-10-25T02:00:00+02:00' },
      { starts_at: '2026-10-25T02:00:00+01:00' },
    ])
  })

  it('returns values that JSON cannot represent as text, and missing ones as null', async () => {
    const { rows } = (await postSql(TYPES)).json()
    expect(rows).toEqual([
      {
        ...{ i: 1, big: '9007199254740993', f: 1.5, n: 2.25, nan: 'NaN', b: true },
        ...{ d: '2026-03-29', t: '2026-03-29T03:00:00+02:00', other: '1 day', missing: null },
      },
    ])
  })

  it('200 as CSV with decimal commas and empty cells for missing values', async () => {
    const two = `${TYPES} union all select 2, 3, 4, 5, 6, false, null, null, null, 7`
    const answer = await postSql(two, { format: 'csv' })
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="query.csv"')
    expect(answer.text.split('\r\n')).toEqual([
      'i;big;f;n;nan;b;d;t;other;missing',
      '1;9007199254740993;1,5;2,25;NaN;true;2026-03-29;2026-03-29T03:00:00+02:00;1 day;',
      '2;3;4;5;6;false;;;;7',
      '',
    ])
  })

  it.each([
    ['by parameter', '?format=arrow', {}],
    ['by Accept', '', { accept: 'application/vnd.apache.arrow.stream' }],
  ])('200 as an Arrow stream, requested %s', async (_, query, more) => {
    const table = await arrowOf(TYPES, query, more)
    expect(fieldsOf(table)).toEqual([
      ...['i Int32', 'big Int64', 'f Float64', 'n Float64', 'nan Float64', 'b Bool', 'd Date32<DAY>'],
      ...['t Timestamp<MILLISECOND, UTC>', 'other Utf8', 'missing Float64'],
    ])
    const [row] = table.toArray()
    expect(row?.big).toBe(9007199254740993n)
    expect(row?.f).toBe(1.5)
    expect(row?.t).toBe(Date.parse('2026-03-29T01:00:00Z'))
    expect(new Date(row?.d).toISOString()).toBe('2026-03-29T00:00:00.000Z')
    expect(row?.missing).toBeNull()
  })

  it('200 with columns but no rows for an empty result', async () => {
    expect((await postSql('select zone from zones where false')).json()).toMatchObject({
      row_count: 0,
      rows: [],
      columns: [{ name: 'zone' }],
    })
    const arrow = await postSql('select zone from zones where false', { format: 'arrow' })
    expect(arrow.status).toBe(200)
  })

  it('truncates at 10,000 rows and reports it', async () => {
    const exact = await postSql('select n from generate_series(1, 10000) n')
    expect(exact.json()).toMatchObject({ row_count: 10_000, truncated: false })
    expect(exact.headers.has('x-rows-truncated')).toBe(false)
    const more = await postSql('select n from generate_series(1, 100000) n', { format: 'csv' })
    expect(more.headers.get('x-rows-truncated')).toBe('10000')
    expect(more.text.split('\r\n')).toHaveLength(10_002)
  })
})

describe('a cursor of POST /sql', () => {
  const numbers = 'select n from generate_series(1, 25000) n order by n'

  it('pages to the last row, each row once', async () => {
    const first = await postSql(numbers)
    const second = await postSql(numbers, { cursor: String(first.json().next_cursor) })
    const third = await postSql(numbers, { cursor: String(second.json().next_cursor) })
    const rows = [first, second, third].flatMap((answer) => answer.json().rows as { n: number }[])
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 25_000 }, (_, i) => i + 1))
    expect(third.json()).toMatchObject({ row_count: 5_000, truncated: false })
    expect(third.json().next_cursor).toBeUndefined()
  })

  it('is in a header for CSV', async () => {
    const first = await postSql(numbers, { format: 'csv' })
    const cursor = first.headers.get('x-next-cursor') ?? ''
    const second = await postSql(numbers, { format: 'csv', cursor })
    expect(second.text.split('\r\n').slice(0, 2)).toEqual(['n', '10001'])
  })

  it('is refused for another query, after a data change, or if malformed', async () => {
    const { next_cursor: cursor } = (await postSql(numbers)).json() as { next_cursor: string }
    const expectRefusal = async (sql: string, given: string, reason: RegExp) => {
      const { status, json } = await postSql(sql, { cursor: given })
      expect([status, json()]).toMatchObject([400, { param: 'cursor', message: expect.stringMatching(reason) }])
    }
    await expectRefusal(`${numbers} desc`, cursor, /another query/)
    await expectRefusal(numbers, 'x', /next_cursor/)
    await service.seed([dailyPrice('PSV', '2026-11-19', 31)])
    await expectRefusal(numbers, cursor, /have changed/)
  })
})

describe('POST /sql with explain=true', () => {
  it('returns the plan with one line per row, as JSON and CSV', async () => {
    const statement = `select * from prices_by_day where zone = 'nazionale'`
    const answer = await postSql(statement, { explain: 'true' })
    expect(answer.status).toBe(200)
    expect(answer.json().columns).toEqual([{ name: 'QUERY PLAN', type: 'text' }])
    expect(JSON.stringify(answer.json().rows)).toMatch(/Scan/)
    const csv = await postSql(statement, { format: 'csv', explain: 'true' })
    expect(csv.text).toMatch(/^QUERY PLAN\r\n/)
  })

  it('does not run the statement', async () => {
    const answer = await postSql('select 1 / count(*) from zones where false', { explain: 'true' })
    expect(answer.status).toBe(200)
  })

  it.each(['analyze select 1', '(analyze) select 1', 'select 1; select 2', 'delete from zones'])(
    'refuses %s',
    async (sql) => {
      const { status, json } = await postSql(sql, { explain: 'true' })
      expect({ status, param: json().param }).toEqual({ status: 400, param: 'sql' })
    },
  )
})

describe('POST /sql with stream=true', () => {
  const stream = { stream: 'true' }
  const many = `select n as i, case when n % 7 > 0 then n / 4.0::float8 end as f, date '2026-03-28' + n % 3 as d, 'text ' || n as t
    from generate_series(1, 60001) n`

  it('streams all rows as CSV with a single header', async () => {
    const answer = await postSql(many, { format: 'csv', ...stream })
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="query.csv"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.has('x-ratelimit-remaining')).toBe(true)
    const lines = answer.text.split('\r\n')
    expect(lines).toHaveLength(60_003)
    expect(lines.slice(0, 3)).toEqual(['i;f;d;t', '1;0,25;2026-03-29;text 1', '2;0,5;2026-03-30;text 2'])
    expect(lines.slice(-3)).toEqual(['60000;15000;2026-03-28;text 60000', '60001;15000,25;2026-03-29;text 60001', ''])
  })

  it('streams all rows as Arrow, preserving nulls and types', async () => {
    const table = await arrowOf(many, '?format=arrow&stream=true')
    expect(table.numRows).toBe(60_001)
    expect(table.batches.length).toBeGreaterThan(1)
    expect(fieldsOf(table)).toEqual(['i Int32', 'f Float64', 'd Date32<DAY>', 't Utf8'])
    expect(table.get(60_000)?.toJSON()).toMatchObject({ i: 60_001, f: 15_000.25, t: 'text 60001' })
    expect(table.getChild('f')?.nullCount).toBe(Math.floor(60_001 / 7))
  })

  it.each(['csv', 'arrow'])('streams an empty result as %s with its columns', async (format) => {
    const answer = await postSql('select zone from zones where false', { format, ...stream })
    expect(answer.status).toBe(200)
    if (format === 'csv') expect(answer.text).toBe('zone\r\n')
  })

  it.each([
    ['what is refused', 'select pg_sleep(1)', 'csv', {}, 'sql'],
    ['a fault in the first rows', 'select 1 / 0', 'arrow', {}, 'sql'],
    ['JSON', 'select 1', 'json', {}, 'stream'],
    ['a cursor', 'select 1', 'csv', { cursor: '1-0000000000000000-1' }, 'stream'],
    ['a plan', 'select 1', 'csv', { explain: 'true' }, 'stream'],
  ])('returns 400 instead of a stream for %s', async (_, sql, format, more, param) => {
    const { status, json } = await postSql(sql, { format, ...stream, ...more })
    expect({ status, param: json().param }).toEqual({ status: 400, param })
  })

  it('aborts the connection if a query fails midway', async () => {
    const cut = postSql('select 1 / (50000 - n) from generate_series(1, 60000) n', { format: 'csv', ...stream })
    await expect(cut).rejects.toThrow(/terminated|fetch failed/)
    expect((await postSql('select 1 as one')).json().rows).toEqual([{ one: 1 }])
  })

  it('ends when the client disconnects, and frees its slot', async () => {
    const gone = new AbortController()
    const answer = await fetch(`${service.baseUrl}/v1/sql?format=csv&stream=true`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ sql: 'select n, md5(n::text) from generate_series(1, 900000) n' }),
      signal: gone.signal,
    })
    await answer.body?.getReader().read()
    gone.abort()
    await expect.poll(async () => (await postSql('select 1 as a', { format: 'csv', ...stream })).status).toBe(200)
  })
})

describe('POST /sql refuses with 400 and the reason', () => {
  it.each([
    ['several statements', 'select 1; commit', /more than one statement/],
    ['a write', `insert into zones values ('x')`, /begins with INSERT/],
    ['a write in a query', 'with gone as (delete from zones returning *) select * from gone', /writes \(DELETE\)/],
    ['sleeping', 'select pg_sleep(60)', /pg_sleep/],
    ['a system table', 'select * from pg_stat_activity', /pg_stat_activity/],
    ['a table behind the views', 'select * from price_intervals', /does not exist|permission denied/],
    ['the keys', 'select * from public.api_keys', /names public/],
    ['a table made on the way', 'select 1 as i into mine', /makes a table/],
    ['gigabytes', `select repeat('x', 1000000000)`, /repeat/],
    ['more than its bytes', `select rpad('x', 1, 'y')`, /rpad/],
    ['a mistyped word', 'selec 1', /syntax error at or near "selec" \(at character 1\)/],
    ['a mistyped name', 'select nothing from zones', /column "nothing" does not exist/],
    ['an arithmetical fault', 'select 1 / 0', /division by zero/],
    ['two columns of one name', 'select 1 as a, 2 as a', /two columns named a/],
    ['a parameter without a value', 'select $1::int', /holds a parameter/],
    ['a date that Arrow cannot hold', `select timestamptz 'infinity' as t`, /Arrow/],
  ])('%s', async (_, sql, reason) => {
    const { status, json } = await postSql(sql, { format: 'arrow' })
    expect({ status, ...json() }).toMatchObject({
      status: 400,
      error: 'invalid_parameter',
      param: 'sql',
      message: expect.stringMatching(reason),
    })
  })

  it('an answer of more than 8 MiB', async () => {
    const { status, json } = await postSql(LARGE)
    expect([status, json()]).toMatchObject([400, { param: 'sql', message: expect.stringMatching(/more than 8 MiB/) }])
  })

  it.each([...ANALYST_ATTACKS, ...STATEMENT_ATTACKS].map((attack) => [attack.name, attack] as const))(
    'the attack to %s',
    async (_, { statements }) => {
      const { status, json } = await postSql(statements)
      expect({ status, ...json() }).toMatchObject({ status: 400, error: 'invalid_parameter', param: 'sql' })
    },
  )

  it.each([
    ['no body', '', 'sql'],
    ['what is no JSON', 'select 1', 'body'],
    ['no statement', '{}', 'sql'],
    ['a field that is unknown', '{"sql":"select 1","role":"postgres"}', 'role'],
    ['a statement that is no text', '{"sql":1}', 'sql'],
    ['an empty statement', '{"sql":""}', 'sql'],
  ])('%s', async (_, body, param) => {
    const { status, json } = await sendJson(service, '/v1/sql', body, headers)
    expect({ status, param: json().param }).toEqual({ status: 400, param })
  })
})

describe('POST /sql', () => {
  it('405 for GET', async () => {
    expect((await fetch(`${service.baseUrl}/v1/sql`)).status).toBe(405)
  })

  it('429 with Retry-After for a key after two query timeouts; other keys get 200', async () => {
    const late = await service.issueKey('Trading')
    const statusOf = async () => postSql('select 1', {}, { authorization: `Bearer ${late.key}` })
    await service.service.access.hourly.consume(overrunsOf(`key:${late.id}`), OVERRUNS_MAX)
    expect((await statusOf()).status).toBe(200)
    await service.service.access.hourly.consume(overrunsOf(`key:${late.id}`), OVERRUNS_MAX)
    const refused = await statusOf()
    expect({ status: refused.status, error: refused.json().error }).toEqual({ status: 429, error: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect((await postSql('select 1')).status).toBe(200)
  })

  it('runs the next statement normally after a refused one', async () => {
    await postSql('select 1 / 0')
    expect((await postSql('select 1 as one')).json().rows).toEqual([{ one: 1 }])
  })
})

describe('POST /sql without an analyst database', () => {
  it('404, and status "coming" in the index', async () => {
    const without = await startTestService({ now: '2026-11-21T10:00:00Z' })
    onTestFinished(() => without.stop())
    const answer = await sendJson(without, '/v1/sql', { sql: 'select 1' }, await without.asPlan('Trading'))
    expect(answer.status).toBe(404)
    expect(answer.json().message).toMatch(/coming.*ANALYST_DATABASE_URL/)
    const { endpoints } = (await without.ask('/v1')).json() as { endpoints: { path: string; status: string }[] }
    expect(endpoints.find(({ path }) => path === '/sql')?.status).toBe('coming')
  })
})
