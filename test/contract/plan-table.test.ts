/** The service enforces the plan table: if its values are changed before it is read, the service behaves accordingly. */
import { describe, expect, it } from 'vitest'
import { PLANS } from '../../src/api/contract/plans.ts'

Object.assign(PLANS.Open, { requestsPerMinute: 7, historyDepthDays: 3, formats: ['json', 'csv'] })
Object.assign(PLANS.Developer, { requestsPerMinute: 9, requestsPerMonth: 50, historyDepthDays: 40 })
Object.assign(PLANS.API, { priceEurMonth: 123, formats: ['json', 'csv'], scenarioMonthsMax: 3 })
Object.assign(PLANS.Trading, { scenarioMonthsMax: 15, bulk: true })
Object.assign(PLANS.Enterprise, { scenarioMonthsMax: 17 })
const { serviceOfFile } = await import('../support/service.ts')

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z', env: { OPEN_REQUESTS_PER_MINUTE: '' } })

async function askAs(plan: keyof typeof PLANS, path: string) {
  const headers = plan === 'Open' ? {} : await service.asPlan(plan)
  const answer = await service.ask(path, { headers })
  const { error, required_tier } = answer.headers.get('content-type')?.includes('json') ? answer.json() : {}
  return { headers: answer.headers, outcome: required_tier ?? error ?? answer.status }
}

describe('the plan table', () => {
  it('determines the price in GET /v1/plans', async () => {
    const { plans } = (await service.ask('/v1/plans')).json() as { plans: Record<string, unknown>[] }
    expect(plans.find(({ name }) => name === 'API')).toMatchObject({ price_eur_month: 123 })
  })

  it.each([
    ['Open', '7'],
    ['Developer', '9'],
  ] as const)('limits requests per minute: %s has %s', async (plan, limit) => {
    expect((await askAs(plan, '/v1/plans')).headers.get('x-ratelimit-limit')).toBe(limit)
  })

  it('limits requests per month: Developer has 50', async () => {
    expect((await askAs('Developer', '/v1/plans')).headers.get('x-quota-remaining')).toBe('49')
  })

  it.each([
    ['Open', '2026-11-18', 200],
    ['Open', '2026-11-17', 'Developer'],
    ['Developer', '2026-10-12', 200],
    ['Developer', '2026-10-11', 'API'],
  ] as const)('limits the history: %s requesting %s gets %s', async (plan, day, outcome) => {
    expect(await askAs(plan, `/v1/prices/pun/series?from=${day}&to=${day}`)).toMatchObject({ outcome })
  })

  it.each([
    ['Open', 'csv', 200],
    ['API', 'arrow', 'Pro'],
    ['Pro', 'arrow', 200],
  ] as const)('limits formats: %s requesting %s gets %s', async (plan, format, outcome) => {
    expect(await askAs(plan, `/v1/prices/pun/series?format=${format}`)).toMatchObject({ outcome })
  })

  it.each([
    ['Developer', 1, 'API'],
    ['API', 3, 'no_data'],
    ['API', 4, 'Pro'],
    ['Pro', 13, 'Trading'],
    ['Trading', 15, 'no_data'],
    ['Trading', 16, 'Enterprise'],
    ['Enterprise', 17, 'no_data'],
    ['Enterprise', 18, 'invalid_parameter'],
  ] as const)('limits scenarios: %s requesting %i months gets %s', async (plan, months, outcome) => {
    expect(await askAs(plan, `/v1/forecast/pun/scenarios?months=${months}`)).toMatchObject({ outcome })
  })

  it.each([
    ['Pro', 'Trading'],
    ['Trading', 'no_data'],
  ] as const)('limits bulk files: %s gets %s', async (plan, outcome) => {
    expect(await askAs(plan, '/v1/bulk/pun-hourly')).toMatchObject({ outcome })
  })
})
