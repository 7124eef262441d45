/** The tools: every endpoint that only reads, with the parameters of the OpenAPI document. */

import type { Tag } from '../contract/tags.ts'
import { type Endpoint, endpointName, endpointStatus } from '../http/endpoint.ts'
import { openapiDocument } from '../http/openapi.ts'
import { resolveParameter } from '../http/openapi-shared.ts'

/** Settings of a key's holder, files, the same prices in the shapes of other programs, and what describes the service to programs. */
const NO_TOOLS: ReadonlySet<Tag> = new Set(['Alerts', 'Bulk', 'Feeds', 'Description'])
/** They calculate and change nothing. */
const READING_POSTS = new Set(['simulateMargin', 'postTradingBacktest', 'postSql'])

type Schema = Record<string, unknown>

export interface Tool {
  endpoint: Endpoint
  name: string
  description: string
  /** JSON Schema of the parameters, those of the path and the query by name and the body as `body`. */
  inputSchema: { type: 'object'; properties: Record<string, Schema>; required: string[]; additionalProperties: false }
}

export function isTool(endpoint: Endpoint): boolean {
  if (endpoint.stream || NO_TOOLS.has(endpoint.tag) || !endpoint.formats.includes('json')) return false
  return endpoint.method === 'get' || READING_POSTS.has(endpoint.id)
}

export function toolsOf(registry: readonly Endpoint[], comingEndpoints: ReadonlySet<string>): Tool[] {
  const document = openapiDocument(registry, { serverUrl: '/', comingEndpoints })
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>
  return registry
    .filter((endpoint) => isTool(endpoint) && endpointStatus(endpoint, comingEndpoints) === 'live')
    .map((endpoint) => {
      const operation = document.paths?.[endpoint.path]?.[endpoint.method]
      if (operation === undefined) throw new Error(`${endpoint.id} is not in the OpenAPI document`)
      const parameters = operation.parameters?.map((parameter) => resolveParameter(parameter, document))
      return toolOf(endpoint, { ...operation, parameters } as Operation, schemas)
    })
}

interface Operation {
  parameters?: { name: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

function toolOf(endpoint: Endpoint, operation: Operation, schemas: Record<string, Schema>): Tool {
  const parameters = (operation.parameters ?? []).filter(
    ({ name }) => name !== 'format' || endpoint.formats.length === 1,
  )
  const body = operation.requestBody?.content['application/json'].schema
  const properties = parameters.map(({ name, description, schema }): [string, Schema] => [
    name,
    { ...inlined(schema, schemas), description: description ?? schema.description },
  ])
  const required = parameters.flatMap(({ name, required }) => (required ? [name] : []))
  return {
    endpoint,
    name: endpoint.id,
    description: `${endpoint.summary}. ${endpoint.description} Plan: ${endpoint.plan}. (${endpointName(endpoint)})`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(body ? [...properties, ['body', inlined(body, schemas)]] : properties),
      required: body ? [...required, 'body'] : required,
      additionalProperties: false,
    },
  }
}

/** Without references, which assistants cannot follow. */
function inlined(schema: Schema, schemas: Record<string, Schema>): Schema {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value
    const { $ref: reference, ...beside } = value as Schema
    return { ...schemas[String(reference).split('/').at(-1) as string], ...beside }
  })
  return JSON.parse(text)
}
