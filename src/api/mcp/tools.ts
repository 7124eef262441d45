/**
 * The tools: endpoints that respond at once in JSON, with the parameters of the OpenAPI document. An assistant reads the whole list before
 * the first question, so it omits bounds (errors state them), most examples, CSV parameters, and repetitions in the alternatives of a body.
 */

import type { Tag } from '../contract/tags.ts'
import { type Endpoint, endpointStatus, successStatus } from '../http/endpoint.ts'
import { openapiDocument } from '../http/openapi.ts'
import { resolveParameter } from '../http/openapi-shared.ts'

/** Files, the same prices in the formats of other programs, calls to other programs, and descriptions of the service for programs. */
const NO_TOOLS: ReadonlySet<Tag> = new Set(['Bulk', 'Feeds', 'Webhooks', 'Description'])
/** `getLatestPrice` covers all of them. */
const SINGLE_ASSET_TODAY = /^get\w+Today$/
/** They calculate and change nothing. */
const READ_ONLY_POSTS = new Set(['simulateMargin', 'postTradingBacktest', 'postSql'])
const WRITE_TOOLS = new Set(['createAlert', 'changeAlert', 'deleteAlert', 'testAlert'])
/** `listAlerts` covers it. */
const ONE_ALERT = 'getAlert'
/** Parameters that tools omit: for CSV, time formats, paging and waiting, and filters of short lists. */
const NO_PARAMETERS = /\.(format|sep|decimal|times|stream|cursor|explain|wait)$|^listAlerts\./
/** A shorter description of a parameter only repeats its name. */
const DESCRIPTION_LENGTH_MIN = 22
/** Longer enumerations are omitted; LISTED_BY names the tool that lists them, by one of their values. */
const VALUES_MAX = 12
const LISTED_BY = { load: 'listFundamentals', CH: 'listFundamentals', 'mi-a1': 'listMarkets' }
/** Omitted, because errors name the violated bound or the unknown field. */
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'multipleOf', 'minLength', 'maxLength', 'pattern']
const LEFT_OUT = [...BOUNDS, 'additionalProperties', 'discriminator']

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
  /** JSON Schema of the parameters: those of the path and the query by name, and the body as `body`. */
  inputSchema: ObjectSchema
  /** Schema of the reply, with the types of its top-level fields only; the resource `openapi.json` has the full schema. */
  outputSchema: ObjectSchema
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean }
}

function isTool({ id, stream, tag, formats, method }: Endpoint): boolean {
  if (stream || NO_TOOLS.has(tag) || !formats.includes('json')) return false
  if (SINGLE_ASSET_TODAY.test(id) || id === ONE_ALERT) return false
  return method === 'get' || READ_ONLY_POSTS.has(id) || WRITE_TOOLS.has(id)
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
  const parameters = (operation.parameters ?? []).filter(({ name }) => !NO_PARAMETERS.test(`${endpoint.id}.${name}`))
  const body = operation.requestBody?.content['application/json'].schema
  const properties = parameters.map(({ name, description, schema }): [string, Schema] => [
    name,
    inlined({ ...schema, ...(description && { description }) }, schemas),
  ])
  const required = parameters.flatMap(({ name, required }) => (required ? [name] : []))
  const reply = operation.responses[successStatus(endpoint)]?.content?.['application/json']?.schema
  const isReadOnly = endpoint.method === 'get' || READ_ONLY_POSTS.has(endpoint.id)
  return {
    endpoint,
    name: endpoint.id,
    description: `${shorten(endpoint.description)} Plan: ${endpoint.plan}.`,
    inputSchema: objectSchema(
      Object.fromEntries(body ? [...properties, ['body', inlined({ ...body, description: '' }, schemas)]] : properties),
      body ? [...required, 'body'] : required,
    ),
    outputSchema: reply ? outline(reply, schemas) : objectSchema({}, []),
    annotations: isReadOnly
      ? { readOnlyHint: true, openWorldHint: false }
      : {
          readOnlyHint: false,
          // PATCH replaces what was there; POST adds.
          destructiveHint: endpoint.method !== 'post',
          idempotentHint: endpoint.method !== 'post',
          // Receivers of alerts are called.
          openWorldHint: endpoint.method !== 'delete',
        },
  }
}

/** Keeps the first sentence and the defaults. */
function shorten(description: unknown): string {
  const sentences = String(description ?? '').split(/(?<=\.) (?=[A-Z`])/)
  return sentences.filter((sentence, i) => i === 0 || /^Default\b/.test(sentence)).join(' ')
}

function objectSchema(properties: Record<string, Schema>, required: string[]): ObjectSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** The schema without references, which assistants cannot follow, and without optional annotations. */
function inlined(schema: Schema, schemas: Record<string, Schema>): Schema {
  if ('$ref' in schema) return inlined(resolved(schema, schemas), schemas)
  const { description, example, enum: values, properties, items, oneOf, ...rest } = schema
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !LEFT_OUT.includes(name)))
  const inside = (one: unknown) => inlined(one as Schema, schemas)
  const isLong = Array.isArray(values) && values.length > VALUES_MAX
  const [, lister] = Object.entries(LISTED_BY).find(([value]) => isLong && values.includes(value)) ?? []
  const text = shorten(description) + (lister ? ` \`${lister}\` lists them.` : '')
  const isFreeText = kept.type === 'string' && !values && !kept.format
  return {
    ...kept,
    ...(values !== undefined && !isLong && { enum: values }),
    ...(text.length >= DESCRIPTION_LENGTH_MIN && { description: text }),
    ...(isFreeText && example !== undefined && { examples: [example] }),
    ...(properties !== undefined && { properties: mapValues(properties as object, inside) }),
    ...(items !== undefined && { items: inside(items) }),
    ...(oneOf !== undefined && merged((oneOf as Schema[]).map(inside))),
  }
}

function mapValues(of: object, change: (one: unknown) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(of).map(([name, one]) => [name, change(one)]))
}

function resolved({ $ref: reference, ...siblings }: Schema, schemas: Record<string, Schema>): Schema {
  return { ...schemas[String(reference).split('/').at(-1) as string], ...siblings }
}

/** Merges several objects into one; the description of the discriminating field states the purpose of each. */
function merged(alternatives: Partial<ObjectSchema>[]): ObjectSchema {
  const names = new Set(alternatives.flatMap(({ properties = {} }) => Object.keys(properties)))
  const properties = [...names].map((name): [string, Schema] => {
    const having = alternatives.filter(({ properties = {} }) => name in properties)
    const values = having.map(({ properties = {} }) => properties[name] as Schema)
    if (new Set(values.map((value) => JSON.stringify(value))).size === 1) return [name, values[0] as Schema]
    if (values.some((value) => value.const === undefined)) return [name, merged(values)]
    const meanings = having.map(({ description }, i) => `\`${values[i]?.const}\`: ${description}`)
    return [name, { type: 'string', enum: values.map((value) => value.const), description: meanings.join(' ') }]
  })
  const required = [...names].filter((name) => alternatives.every((one) => one.required?.includes(name)))
  return objectSchema(Object.fromEntries(properties), required)
}

/** The top-level fields of a reply, with their possible types; a field is required if every alternative requires it. */
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
