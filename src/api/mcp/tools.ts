/**
 * The tools: endpoints that answer at once in JSON, with the parameters of the OpenAPI document. An assistant reads the whole list before the first
 * question, so it leaves out examples, the parameters of CSV, and what several alternatives of a body repeat.
 */

import type { Tag } from '../contract/tags.ts'
import { type Endpoint, endpointStatus, successStatus } from '../http/endpoint.ts'
import { openapiDocument } from '../http/openapi.ts'
import { resolveParameter } from '../http/openapi-shared.ts'

/** Files, the same prices in the shapes of other programs, calls of other programs, and what describes the service to programs. */
const NO_TOOLS: ReadonlySet<Tag> = new Set(['Bulk', 'Feeds', 'Webhooks', 'Description'])
/** `getLatestPrice` has them all. */
const TODAY_OF_ONE = /^get\w+Today$/
/** They calculate and change nothing. */
const READING_POSTS = new Set(['simulateMargin', 'postTradingBacktest', 'postSql'])
const WRITING = new Set(['createAlert', 'changeAlert', 'deleteAlert', 'testAlert'])
/** Of CSV, of times for programs, and of answers in parts. */
const NO_PARAMETERS = new Set(['format', 'sep', 'decimal', 'times', 'stream', 'cursor'])
/** What a tool cannot do. */
const OF_FORMATS = /\b(CSV|Arrow)\b/
/** A description ends with the sentence that reaches this length. */
const DESCRIPTION_LENGTH = 140

type Schema = Record<string, unknown>

interface ObjectSchema {
  [key: string]: unknown
  type: 'object'
  properties: Record<string, Schema>
  required?: string[]
}

export interface Tool {
  endpoint: Endpoint
  name: string
  description: string
  /** JSON Schema of the parameters, those of the path and the query by name and the body as `body`. */
  inputSchema: ObjectSchema
  /** Of the reply, with the types of its own fields; absent where it is empty. The resource `openapi.json` has all of it. */
  outputSchema?: ObjectSchema
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: false }
}

export function isTool({ id, stream, tag, formats, method }: Endpoint): boolean {
  if (stream || NO_TOOLS.has(tag) || !formats.includes('json') || TODAY_OF_ONE.test(id)) return false
  return method === 'get' || READING_POSTS.has(id) || WRITING.has(id)
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
  responses: Record<string, { content?: { 'application/json'?: { schema: Schema } } }>
}

function toolOf(endpoint: Endpoint, operation: Operation, schemas: Record<string, Schema>): Tool {
  const parameters = (operation.parameters ?? []).filter(({ name }) => !NO_PARAMETERS.has(name))
  const body = operation.requestBody?.content['application/json'].schema
  const properties = parameters.map(({ name, description, schema }): [string, Schema] => [
    name,
    inlined({ ...schema, ...(description && { description }) }, schemas),
  ])
  const required = parameters.flatMap(({ name, required }) => (required ? [name] : []))
  const reply = operation.responses[successStatus(endpoint)]?.content?.['application/json']?.schema
  const isReading = endpoint.method === 'get' || READING_POSTS.has(endpoint.id)
  return {
    endpoint,
    name: endpoint.id,
    description: `${endpoint.summary}. ${inShort(endpoint.description, DESCRIPTION_LENGTH)} Plan: ${endpoint.plan}.`,
    inputSchema: objectSchema(
      Object.fromEntries(body ? [...properties, ['body', inlined(body, schemas)]] : properties),
      body ? [...required, 'body'] : required,
    ),
    ...(reply && { outputSchema: outline(reply, schemas) }),
    annotations: {
      readOnlyHint: isReading,
      destructiveHint: endpoint.method === 'delete',
      idempotentHint: isReading || endpoint.method !== 'post',
      openWorldHint: false,
    },
  }
}

/** The first sentences, until they reach the length. */
function inShort(description: string, length = Number.POSITIVE_INFINITY): string {
  let reached = 0
  const sentences = description.split(/(?<=\.) (?=[A-Z`])/).filter((sentence) => !OF_FORMATS.test(sentence))
  return sentences
    .filter((sentence) => {
      const isWithin = reached < length
      reached += sentence.length
      return isWithin
    })
    .join(' ')
}

function objectSchema(properties: Record<string, Schema>, required: string[]): ObjectSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** Without references, which assistants cannot follow, and without what an assistant can do without. */
function inlined(schema: Schema, schemas: Record<string, Schema>): Schema {
  if ('$ref' in schema) return inlined(resolved(schema, schemas), schemas)
  const { example: _, discriminator: __, ...kept } = schema
  const entries = Object.entries(kept).map(([name, value]): [string, unknown] => {
    if (name === 'description') return [name, inShort(String(value))]
    if (name === 'properties') return [name, mapValues(value as Record<string, Schema>, (one) => inlined(one, schemas))]
    if (name === 'oneOf' || name === 'anyOf') return [name, (value as Schema[]).map((one) => inlined(one, schemas))]
    if (name === 'items') return [name, inlined(value as Schema, schemas)]
    return [name, name === 'additionalProperties' && value === false ? undefined : value]
  })
  return withSharedOnce(Object.fromEntries(entries))
}

function mapValues(of: Record<string, Schema>, change: (one: Schema) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(of).map(([name, one]) => [name, change(one)]))
}

function resolved({ $ref: reference, ...beside }: Schema, schemas: Record<string, Schema>): Schema {
  return { ...schemas[String(reference).split('/').at(-1) as string], ...beside }
}

/** What all alternatives have in common is stated beside them. */
function withSharedOnce({ oneOf, ...schema }: Schema): Schema {
  const alternatives = (oneOf ?? []) as Partial<ObjectSchema>[]
  const [first, ...others] = alternatives
  if (first?.properties === undefined) return oneOf === undefined ? schema : { oneOf, ...schema }
  const textOf = (one: Partial<ObjectSchema>, name: string) => JSON.stringify(one.properties?.[name])
  const shared = Object.entries(first.properties).filter(([name]) =>
    others.every((one) => textOf(one, name) === textOf(first, name)),
  )
  const names = new Set(shared.map(([name]) => name))
  const required = first.required?.filter((name) => names.has(name)) ?? []
  return {
    ...schema,
    ...objectSchema(Object.fromEntries(shared), required),
    oneOf: alternatives.map(({ properties = {}, required: own = [], ...one }) => ({
      ...one,
      ...objectSchema(
        Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))),
        own.filter((name) => !required.includes(name)),
      ),
    })),
  }
}

/** The fields of a reply, which every alternative has where there are several, and the types that they may have. */
function outline(reply: Schema, schemas: Record<string, Schema>): ObjectSchema {
  const alternatives = alternativesOf(reply, schemas) as Partial<ObjectSchema>[]
  const names = new Set(alternatives.flatMap(({ properties }) => Object.keys(properties ?? {})))
  const properties = [...names].map((name): [string, Schema] => {
    const values = alternatives.flatMap((one) => (one.properties?.[name] ? [one.properties[name]] : []))
    const types = [...new Set(values.flatMap((value) => alternativesOf(value, schemas)).flatMap(({ type }) => type))]
    if (types.includes(undefined)) return [name, {}]
    return [name, { type: types.length === 1 ? types[0] : types }]
  })
  const required = [...names].filter((name) => alternatives.every((one) => one.required?.includes(name)))
  return objectSchema(Object.fromEntries(properties), required)
}

function alternativesOf(schema: Schema, schemas: Record<string, Schema>): Schema[] {
  if ('$ref' in schema) return alternativesOf(resolved(schema, schemas), schemas)
  const alternatives = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined
  return alternatives?.flatMap((one) => alternativesOf(one, schemas)) ?? [schema]
}
