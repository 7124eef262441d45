import * as z from 'zod'
import { BASE_PATH, CONTRACT_VERSION, SERVICE_NAME } from '../contract/identity.ts'
import { endpoint } from '../http/endpoint.ts'
import { openapiDocument } from '../http/openapi.ts'

const document = z
  .looseObject({ openapi: z.string(), info: z.object({ title: z.string(), version: z.string() }) })
  .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' })

/** The machine-readable description of the interface. Spec: "Other". */
export const getOpenapi = endpoint({
  id: 'getOpenapi',
  method: 'get',
  path: '/openapi.json',
  tag: 'Description',
  summary: 'Get the OpenAPI document',
  description: 'Returns this document.',
  plan: 'Open',
  cache: '1h',
  reply: document,
  example: { openapi: '3.1.0', info: { title: SERVICE_NAME, version: CONTRACT_VERSION } },
  async handle({ registry, service }) {
    const { baseUrl, canonicalHost, comingEndpoints } = service.config
    const serverUrl = canonicalHost ? `${baseUrl.origin}${BASE_PATH}` : BASE_PATH
    return { ...openapiDocument(registry, { serverUrl, comingEndpoints }) }
  },
})
