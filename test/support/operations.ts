/** The operations of an OpenAPI document, and requests to a service for them. */
import { resolveParameter } from '../../src/api/http/openapi-shared.ts'
import { validValues } from './parameter-values.ts'
import type { Answer, TestService } from './service.ts'

export interface Parameter {
  in: string
  name: string
  required?: boolean
  schema: { $ref?: string; type?: string; format?: string; enum?: (string | number)[]; example?: string | number }
}

export interface Operation {
  method: string
  /** As the document spells it: `/prices/{asset}/series`. */
  path: string
  parameters: Parameter[]
  /** The document's example of a request body, if any. */
  body: unknown
}

interface DocumentedOperation {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: { 'application/json': { example: unknown } } }
}

/** Every operation of a document. */
export function operationsOf(document: { paths: Record<string, Record<string, unknown>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody } = operation as DocumentedOperation
      return {
        method,
        path,
        parameters: parameters.map((parameter) =>
          resolveSchema(resolveParameter(parameter, document as never), document),
        ),
        body: requestBody?.content['application/json'].example,
      }
    }),
  )
}

/** Resolves a parameter's schema if it references a component. */
function resolveSchema(parameter: Parameter, document: object): Parameter {
  const { $ref: reference, ...schema } = parameter.schema
  const { components } = document as { components?: { schemas: Record<string, Parameter['schema']> } }
  return { ...parameter, schema: { ...components?.schemas[reference?.split('/').at(-1) ?? ''], ...schema } }
}

/** Parameter values by name; a name may occur twice. */
export type ParameterValues = [name: string, value: string][]

/** The URL under `/v1`; required parameters that are not given get a valid value. */
export function addressOf({ path, parameters }: Operation, given: ParameterValues): string {
  const values = new Map(given)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values.get(name) ?? validValues(parameters.find((p) => p.name === name) as Parameter)[0] ?? ''),
  )
  const inQuery = given.filter(([name]) => !path.includes(`{${name}}`))
  for (const of of parameters) {
    if (of.in === 'query' && of.required && !values.has(of.name)) inQuery.push([of.name, validValues(of)[0] ?? ''])
  }
  const query = inQuery.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return `/v1${filled === '/' ? '' : filled}${query === '' ? '' : `?${query}`}`
}

/** Sends a request, with the document's example as body if the operation has one. */
export function requestOperation(
  service: TestService,
  operation: Operation,
  given: ParameterValues,
  headers: Record<string, string>,
): Promise<Answer> {
  return service.ask(addressOf(operation, given), {
    method: operation.method.toUpperCase(),
    headers: { ...(operation.body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: operation.body === undefined ? null : JSON.stringify(operation.body),
  })
}
