/** Checks responses against the service's own OpenAPI document, so that the document matches the service. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export interface AnswerToCheck {
  method: string
  /** The requested URL, with or without `/v1` and query. */
  url: string
  status: number
  contentType: string | null
  /** Absent if only the body is checked. */
  headers?: Headers
  body: string
}

interface Response {
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema?: unknown }>
}

interface Operation {
  responses: Record<string, Response | { $ref: string }>
}

export interface OpenapiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response>; headers: Record<string, { required?: boolean }> }
}

const DOCUMENT_ID = 'openapi.json'

export class OpenapiValidator {
  readonly #document: OpenapiDocument
  readonly #ajv: Ajv2020
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: OpenapiDocument) {
    this.#document = document
    // The document itself is not a JSON schema; only the schemas inside it are compiled.
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, DOCUMENT_ID)
  }

  /** Throws if the status, content type or body is undocumented, or a required header is missing. */
  check(answer: AnswerToCheck): void {
    const context = `${answer.method.toUpperCase()} ${answer.url}: ${answer.status}`
    const path = this.#pathOf(answer.url)
    const operation = path && this.#document.paths[path]?.[answer.method.toLowerCase()]
    if (!path || !operation) throw new Error(`${context}: no such operation in the OpenAPI document`)
    const stated = operation.responses[answer.status]
    if (!stated) throw new Error(`${context}: the status is not documented`)
    const shared = '$ref' in stated ? stated.$ref.replace('#/components/responses/', '') : undefined
    const response = shared === undefined ? (stated as Response) : this.#document.components.responses[shared]
    if (!response) throw new Error(`${context}: the document has no response ${shared}`)
    for (const name of Object.keys(response.headers ?? {}))
      if (this.#document.components.headers[name]?.required && answer.headers?.has(name) === false)
        throw new Error(`${context}: the header ${name} is missing`)
    const mediaType = answer.contentType?.split(';')[0] ?? ''
    if (!response.content) return
    if (!response.content[mediaType]) throw new Error(`${context}: ${mediaType} is not documented`)
    const owner =
      shared === undefined
        ? ['paths', path, answer.method.toLowerCase(), 'responses', answer.status]
        : ['components', 'responses', shared]
    const pointer = [...owner, 'content', mediaType, 'schema']
    const validate = this.#compile(pointer.map((part) => encodePointer(String(part))).join('/'))
    const value = mediaType.endsWith('json') ? JSON.parse(answer.body) : answer.body
    if (!validate(value)) throw new Error(`${context}: ${this.#ajv.errorsText(validate.errors)}`)
  }

  #pathOf(url: string): string | undefined {
    const requestedPath = new URL(url, 'http://localhost').pathname.replace(/^\/v1(?=\/|$)/, '') || '/'
    const templates = Object.keys(this.#document.paths)
    return (
      templates.find((template) => template === requestedPath) ??
      templates.find((template) => matches(template, requestedPath))
    )
  }

  #compile(pointer: string): ValidateFunction {
    const known = this.#compiled.get(pointer)
    if (known) return known
    const validate = this.#ajv.compile({ $ref: `${DOCUMENT_ID}#/${pointer}` })
    this.#compiled.set(pointer, validate)
    return validate
  }
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
}

/** Encodes a token of a JSON pointer for a URI fragment. */
function encodePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
