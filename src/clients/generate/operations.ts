/** The operations of the OpenAPI document, as the generators of the clients and of the tools for assistants read them. */

export type JsonSchema = Record<string, unknown> & {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  description?: string
}

export interface OpenapiDocument {
  paths: Record<string, Record<string, OpenapiOperation>>
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, Parameter> }
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  description?: string
  schema: JsonSchema
}

interface OpenapiOperation {
  operationId: string
  summary: string
  description: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } }
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
  'x-interval-days-max'?: number | Record<string, number>
}

export interface Argument {
  name: string
  isRequired: boolean
  schema: JsonSchema
  description: string
}

export interface Operation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  /** Of the path and the query, in the document's order; without the `format` of the answer, which the client chooses. */
  arguments: Argument[]
  /** Those of them that belong in the query. */
  query: string[]
  body: JsonSchema | undefined
  /** Undefined where there is no body. */
  reply: JsonSchema | undefined
  isStream: boolean
  hasArrow: boolean
  intervalDaysMax: number | Record<string, number> | undefined
}

export function operationsOf({ paths, components }: OpenapiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const parameters = (operation.parameters ?? []).map((parameter) =>
        '$ref' in parameter ? sharedParameter(parameter.$ref, components) : parameter,
      )
      return toOperation(path, method, operation, parameters)
    }),
  )
}

function sharedParameter(reference: string, { parameters }: OpenapiDocument['components']): Parameter {
  const parameter = parameters[reference.replace('#/components/parameters/', '')]
  if (parameter === undefined) throw new Error(`The OpenAPI document has no ${reference}`)
  return parameter
}

function toOperation(path: string, method: string, operation: OpenapiOperation, all: Parameter[]): Operation {
  const [success] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
  const content = success?.[1].content ?? {}
  const hasFormats = Object.keys(content).length > 1
  const parameters = all.filter(({ name }) => name !== 'format' || !hasFormats)
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    arguments: parameters.map(({ name, required, schema, description }) => ({
      name,
      isRequired: required === true,
      schema,
      description: description ?? schema.description ?? '',
    })),
    query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    body: operation.requestBody?.content['application/json'].schema,
    reply: content['application/json']?.schema,
    isStream: 'text/event-stream' in content,
    hasArrow: 'application/vnd.apache.arrow.stream' in content,
    intervalDaysMax: operation['x-interval-days-max'],
  }
}

/** `not_found` is `NotFound`, `getPunHourly` is `GetPunHourly`. */
export function typeName(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
