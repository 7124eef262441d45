/** A request as parsed, checked against its schemas. */
import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Format } from '../contract/plans.ts'
import { readBody } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { KEY_PARAMETER } from './identify-caller.ts'
import { chooseFormat } from './negotiate.ts'
import { readQuery } from './query.ts'
import { validate } from './validate.ts'

export interface ParsedRequest {
  path: Record<string, unknown>
  /** Without the `format` of the response, which handlers ignore. */
  query: Record<string, unknown>
  body: unknown
  format: Format
  /** Identifies equal requests: defaults filled in, parameters in the schema's order, days as text. */
  canonical: string
}

const REMEMBERED_MAX = 10_000
const REMEMBERED_LENGTH_MAX = 512

/** Parses requests, and caches those without a body by URL. */
export class RequestReader {
  readonly #known = new LRUCache<string, ParsedRequest>({ max: REMEMBERED_MAX })

  /** Throws `invalid_parameter` for the first problem: path, then query, then body. */
  read(endpoint: Endpoint, req: Request, res: Response): ParsedRequest | Promise<ParsedRequest> {
    const address = rememberedUnder(endpoint, req)
    if (address === undefined) return readRequest(endpoint, req, res)
    const known = this.#known.get(address)
    if (known) return known
    return readRequest(endpoint, req, res).then((parsed) => {
      this.#known.set(address, parsed)
      return parsed
    })
  }
}

async function readRequest(endpoint: Endpoint, req: Request, res: Response): Promise<ParsedRequest> {
  const path = validate(endpoint.pathSchema, req.params, 'path')
  const given = readQuery(req.url, Object.keys(endpoint.query.shape), [KEY_PARAMETER])
  const { parameter, query } = withoutFormat(endpoint, validate(endpoint.query, given, 'query'))
  const body = endpoint.body && validate(endpoint.body, await readBody(req, res), 'body')
  const format = chooseFormat(endpoint.formats, parameter, req)
  return { path, query, body, format, canonical: JSON.stringify([format, path, query]) }
}

/** An endpoint with a single format may have its own `format`, of a file and not of the answer. */
function withoutFormat({ formats }: Endpoint, query: Record<string, unknown>) {
  if (formats.length === 1) return { parameter: undefined, query }
  const { format: parameter, ...rest } = query
  return { parameter, query: rest }
}

/** Undefined for what is not remembered: bodies, long addresses, and those that may hold a key, however it is encoded. */
function rememberedUnder(endpoint: Endpoint, req: Request): string | undefined {
  if (endpoint.body) return undefined
  const accept = endpoint.formats.length > 1 ? (req.headers.accept ?? '') : ''
  const address = `${endpoint.id} ${req.url} ${accept}`
  const mayHoldKey = req.url.includes('%') || req.url.includes(`${KEY_PARAMETER}=`)
  return mayHoldKey || address.length > REMEMBERED_LENGTH_MAX ? undefined : address
}
