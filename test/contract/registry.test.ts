import { describe, expect, it } from 'vitest'
import type { EndpointIndex } from '../../src/api/contract/endpoint-index.ts'
import { ERRORS } from '../../src/api/contract/errors.ts'
import { PLAN_NAMES, PLANS } from '../../src/api/contract/plans.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { CACHE_TIMES } from '../../src/api/http/endpoint.ts'
import { rawRequest, startStubService } from '../support/stub-service.ts'
import { SPEC_ENDPOINTS, type SpecEndpoint } from './spec/endpoints.ts'
import { SPEC_ERRORS } from './spec/errors.ts'
import { SPEC_PLANS } from './spec/plans.ts'

function byName(listed: readonly SpecEndpoint[]): Record<string, SpecEndpoint> {
  return Object.fromEntries(listed.map((one) => [`${one.method} ${one.path}`, one]))
}

describe('the registries match the specification', () => {
  it('of endpoints: plan, cache time, formats and status', () => {
    const stated = endpoints.map(({ method, path, plan, cache, formats, creates }) => ({
      method: method.toUpperCase(),
      path,
      plan,
      cacheSeconds: CACHE_TIMES[cache],
      formats: [...formats],
      ...(creates && { status: creates }),
    }))
    expect(byName(stated)).toEqual(byName(SPEC_ENDPOINTS))
  })

  it('of endpoints: GET /v1 lists the same', async () => {
    const service = await startStubService()
    const { body } = await rawRequest(service.baseUrl, '/v1').finally(service.stop)
    const index: EndpointIndex = JSON.parse(body.toString())
    const names = (listed: readonly { method: string; path: string }[]) =>
      listed.map(({ method, path }) => `${method} ${path}`).sort()
    expect(names(index.endpoints)).toEqual(names(SPEC_ENDPOINTS))
  })

  it('every endpoint is live', () => {
    expect(endpoints.filter(({ status }) => status !== 'live').map(({ id }) => id)).toEqual([])
  })

  it('of errors and their status', () => {
    const stated = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]))
    expect(stated).toEqual(SPEC_ERRORS)
  })

  it('of plans and their limits', () => {
    expect(PLAN_NAMES.map((name) => PLANS[name])).toEqual(SPEC_PLANS)
  })

  it('operations have unique names', () => {
    expect(new Set(endpoints.map((endpoint) => endpoint.id)).size).toBe(endpoints.length)
  })
})
