import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/api/contract/errors.ts'
import { PLAN_NAMES, PLANS } from '../../src/api/contract/plans.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { CACHE_TIMES } from '../../src/api/http/endpoint.ts'
import { ADDED_ENDPOINTS, SPEC_ENDPOINTS } from './spec/endpoints.ts'
import { SPEC_ERRORS } from './spec/errors.ts'
import { SPEC_PLANS } from './spec/plans.ts'

describe('the registries say what the specification says', () => {
  it.each(endpoints.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, endpoint] as const))(
    'about %s: plan, cache time and formats',
    (_name, { method, path, plan, cache, formats }) => {
      const stated = {
        method: method.toUpperCase(),
        path,
        plan,
        cacheSeconds: CACHE_TIMES[cache],
        formats: [...formats],
      }
      expect([...SPEC_ENDPOINTS, ...ADDED_ENDPOINTS]).toContainEqual(stated)
    },
  )

  it('every endpoint is live', () => {
    expect(endpoints.filter((endpoint) => endpoint.status !== 'live')).toEqual([])
  })

  it('about errors and their status', () => {
    const stated = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]))
    expect(stated).toEqual(SPEC_ERRORS)
  })

  it('about plans and their limits', () => {
    expect(PLAN_NAMES.map((name) => PLANS[name])).toEqual(SPEC_PLANS)
  })

  it('operations have names of their own', () => {
    expect(new Set(endpoints.map((endpoint) => endpoint.id)).size).toBe(endpoints.length)
  })
})
