/** History depth and formats of the series by plan. Spec: "History depth depends on the plan"; decisions: "Series". */
import { afterEach, describe, expect, it } from 'vitest'
import { zoneDay } from '../../support/prices.ts'
import { type Answer, serviceOfFile } from '../../support/service.ts'
import { SPEC_PLANS } from '../spec/plans.ts'

const NOW = '2026-11-21T10:00:00Z'
const PLANS = SPEC_PLANS.map((plan) => plan.name)

const service = await serviceOfFile({ now: NOW })
const authorizations: Record<string, Record<string, string>> = {}
for (const plan of PLANS.slice(1)) authorizations[plan] = await service.asPlan(plan as 'Pro')
await service.seed(
  ['2008-03-01', '2024-11-19', '2024-11-20', '2026-10-21', '2026-10-22', '2026-11-21'].map((day, i) =>
    zoneDay('nazionale', day, 60, () => 10 * (i + 1)),
  ),
)
afterEach(() => service.setNow(NOW))

const series = (plan: string, query = '', headers: Record<string, string> = {}) =>
  service.ask(`/v1/prices/pun/series${query}`, { headers: { ...headers, ...authorizations[plan] } })

/** The interval of a response. */
function interval({ status, headers, json }: Answer) {
  const { from, to, truncated, required_tier, error, points } = json()
  const days = (points as { date: string }[] | undefined)?.map(({ date }) => date)
  return { status, error, from, to, truncated, required_tier, header: headers.get('x-interval-truncated'), days }
}

const completeSeries = (from: string, to: string, days: string[]) => ({ status: 200, from, to, header: null, days })
const truncatedSeries = (tier: string, series: ReturnType<typeof completeSeries>) => ({
  ...series,
  truncated: true,
  required_tier: tier,
  header: tier,
})
const tierRequired = (tier: string) => ({ status: 403, error: 'tier_required', required_tier: tier, header: null })
const LAST_30_DAYS = completeSeries('2026-10-22', '2026-11-21', ['2026-10-22', '2026-11-21'])

describe('the interval of the series', () => {
  it.each([
    ...PLANS.map((plan) => [plan, '', LAST_30_DAYS] as const),
    ['Open', '?from=2026-10-22', LAST_30_DAYS],
    ['Open', '?from=2026-10-21', truncatedSeries('Developer', LAST_30_DAYS)],
    ['Open', '?from=2024-11-20', truncatedSeries('Developer', LAST_30_DAYS)],
    ['Open', '?from=2024-11-19', truncatedSeries('API', LAST_30_DAYS)],
    [
      'Open',
      '?from=1999-01-01&to=2026-10-22',
      truncatedSeries('API', completeSeries('2026-10-22', '2026-10-22', ['2026-10-22'])),
    ],
    ['Open', '?from=2026-10-01&to=2026-10-21', tierRequired('Developer')],
    ['Open', '?to=2026-10-21', tierRequired('Developer')],
    ['Open', '?from=2008-01-01&to=2008-12-31', tierRequired('API')],
    [
      'Developer',
      '?from=2024-11-20&to=2026-10-21',
      completeSeries('2024-11-20', '2026-10-21', ['2024-11-20', '2026-10-21']),
    ],
    [
      'Developer',
      '?from=2024-11-19&to=2024-11-20',
      truncatedSeries('API', completeSeries('2024-11-20', '2024-11-20', ['2024-11-20'])),
    ],
    ['Developer', '?from=2024-11-01&to=2024-11-19', tierRequired('API')],
    ['API', '?from=2000-01-01&to=2024-11-19', completeSeries('2000-01-01', '2024-11-19', ['2008-03-01', '2024-11-19'])],
    ...PLANS.slice(2).map(
      (plan) => [plan, '?from=1999-01-01&to=1999-12-31', completeSeries('1999-01-01', '1999-12-31', [])] as const,
    ),
    ['Enterprise', '?from=2008-03-01&to=2008-03-01', completeSeries('2008-03-01', '2008-03-01', ['2008-03-01'])],
  ] as const)('follows the history of the plan: %s with %s', async (plan, query, expected) => {
    expect(interval(await series(plan, query))).toEqual(expected)
  })

  it.each([
    ['2028-02-29T11:00:00Z', '2026-02-28'],
    ['2028-03-01T11:00:00Z', '2026-03-01'],
    ['2026-02-28T11:00:00Z', '2024-02-28'],
    ['2027-03-01T11:00:00Z', '2025-02-28'], // no leap day in between: two years and a day
  ])('reaches back two years on Developer, also in leap years: at %s from %s', async (now, first) => {
    service.setNow(now)
    expect((await series('Developer', `?from=${first}`)).json()).not.toHaveProperty('truncated')
    const before = Temporal.PlainDate.from(first).subtract({ days: 1 })
    expect((await series('Developer', `?from=${before}`)).json()).toMatchObject({ from: first, truncated: true })
  })

  it('moves at midnight in Rome, not in UTC', async () => {
    service.setNow('2026-11-21T22:59:59Z')
    expect((await series('Open', '?from=2026-10-01')).json().from).toBe('2026-10-22')
    service.setNow('2026-11-21T23:00:00Z')
    expect((await series('Open', '?from=2026-10-01')).json().from).toBe('2026-10-23')
  })
})

describe('CSV', () => {
  it.each([
    ['format=csv', '?format=csv', {}],
    ['Accept', '', { accept: 'text/csv' }],
  ])('403 without a key, requested by %s, naming the required plan', async (_name, query, headers) => {
    const answer = await series('Open', query, headers)
    expect(answer.status).toBe(403)
    expect(answer.json()).toMatchObject({ error: 'tier_required', required_tier: 'Developer' })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('200 with truncation reported in a header', async () => {
    const answer = await series('Developer', '?from=2010-01-01&to=2024-11-20&format=csv')
    expect(answer.headers.get('x-interval-truncated')).toBe('API')
    expect(answer.text).toBe('asset;unit;date;value\r\nPUN;€/MWh;2024-11-20;30\r\n')
  })
})

describe('a response cached for one plan', () => {
  const LONG = '?from=2026-10-21'

  it('is not served to another plan, in any order', async () => {
    const shown = { Open: [2, 'Developer', 'public'], Developer: [3, null, 'private'], API: [3, null, 'private'] }
    for (const plan of ['Open', 'Developer', 'Open', 'API', 'Developer', 'Open'] as const) {
      const { headers, json } = await series(plan, LONG)
      const scope = headers.get('cache-control')?.split(',')[0]
      expect([json().count, headers.get('x-interval-truncated'), scope]).toEqual(shown[plan])
      expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Authorization')
    }
  })

  it('has an entity tag that differs from those of other plans', async () => {
    const etag = String((await series('Open', LONG)).headers.get('etag'))
    const same = await series('Open', LONG, { 'if-none-match': etag })
    expect([same.status, same.text, same.headers.get('x-interval-truncated')]).toEqual([304, '', 'Developer'])
    expect((await series('Developer', LONG, { 'if-none-match': etag })).status).toBe(200)
    const csv = await series('Developer', `${LONG}&format=csv`)
    const again = await series('Developer', `${LONG}&format=csv`, { 'if-none-match': String(csv.headers.get('etag')) })
    expect(again.status).toBe(304)
  })

  it('is invalidated for every plan and format when new data is stored', async () => {
    const query = '?from=2026-11-20&to=2026-11-20'
    for (const plan of PLANS) expect((await series(plan, query)).json().count).toBe(0)
    const before = await series('Open', query)
    await service.seed([zoneDay('nazionale', '2026-11-20', 60, () => 77)])
    for (const plan of PLANS)
      expect((await series(plan, query)).json().points).toEqual([{ date: '2026-11-20', value: 77 }])
    expect((await series('API', `${query}&format=csv`)).text).toContain(';77\r\n')
    const stale = await series('Open', query, { 'if-none-match': String(before.headers.get('etag')) })
    expect(stale.status).toBe(200)
  })
})
