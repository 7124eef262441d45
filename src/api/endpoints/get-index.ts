import { type EndpointIndex, endpointIndex } from '../contract/endpoint-index.ts'
import { CONTRACT_VERSION, DISCLAIMER, SERVICE_NAME } from '../contract/identity.ts'
import { CACHE_TIMES, type Endpoint, endpoint, endpointStatus } from '../http/endpoint.ts'
import type { HttpConfig } from '../http/service.ts'
import { EXAMPLE_BASE_URL } from './examples.ts'

/** The API base itself, `GET /v1`: the list of endpoints. Decisions: "Status of endpoints". */
export const getIndex = endpoint({
  id: 'getIndex',
  method: 'get',
  path: '/',
  tag: 'Description',
  summary: 'List endpoints',
  description: 'Returns every endpoint with its minimum plan, status, cache time and formats.',
  plan: 'Open',
  cache: '1h',
  reply: endpointIndex,
  example: presentIndex([], { baseUrl: EXAMPLE_BASE_URL, comingEndpoints: new Set() }),
  async handle({ registry, service }) {
    return presentIndex(registry, service.config)
  },
})

function presentIndex(
  registry: readonly Endpoint[],
  config: Pick<HttpConfig, 'baseUrl' | 'comingEndpoints'>,
): EndpointIndex {
  return {
    name: SERVICE_NAME,
    version: CONTRACT_VERSION,
    openapi: new URL('/v1/openapi.json', config.baseUrl).href,
    docs: new URL('/v1/docs/', config.baseUrl).href,
    disclaimer: DISCLAIMER,
    endpoints: registry.map((one) => presentEntry(one, config.comingEndpoints)),
  }
}

function presentEntry(one: Endpoint, comingEndpoints: ReadonlySet<string>): EndpointIndex['endpoints'][number] {
  return {
    method: one.method.toUpperCase() as Uppercase<Endpoint['method']>,
    path: one.path,
    summary: one.summary,
    plan: one.plan,
    status: endpointStatus(one, comingEndpoints),
    cache_seconds: CACHE_TIMES[one.cache],
    formats: [...one.formats],
  }
}
