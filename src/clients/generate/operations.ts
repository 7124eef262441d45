/** Operations of the OpenAPI document, as read by the client generators and the API reference page. */

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
  /** Path and query parameters in document order. `format` is omitted if there are several formats: the client chooses one. */
  arguments: Argument[]
  /** Names of the query parameters. */
  query: string[]
  body: JsonSchema | undefined
  /** Undefined if the response has no JSON body. */
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

/** Converts `not_found` to `NotFound` and `getPunHourly` to `GetPunHourly`. */
export function typeName(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}
