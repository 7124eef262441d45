/** Reads a request and checks it against its endpoint's schemas. */
import type { Request, Response } from 'express'
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

/** Throws `invalid_parameter` for the first problem: path, then query, then body. */
export async function readRequest(endpoint: Endpoint, req: Request, res: Response): Promise<ParsedRequest> {
  const path = validate(endpoint.pathSchema, req.params, 'path')
  const given = readQuery(req.url, Object.keys(endpoint.query.shape), [KEY_PARAMETER])
  const { parameter, query } = withoutFormat(endpoint, validate(endpoint.query, given, 'query'))
  const body = endpoint.body && validate(endpoint.body, await readBody(req, res), 'body')
  const format = chooseFormat(endpoint.formats, parameter, req)
  return { path, query, body, format, canonical: JSON.stringify([format, path, query]) }
}

/** The same of parameters given by name, for an answer in JSON. */
export function parseArguments(endpoint: Endpoint, given: Record<string, unknown>): ParsedRequest {
  const { body: givenBody, ...parameters } = given
  const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)] as const)
  const isOfPath = ([name]: readonly [string, string]) => Object.hasOwn(endpoint.pathSchema.shape, name)
  const path = validate(endpoint.pathSchema, Object.fromEntries(texts.filter(isOfPath)), 'path')
  const search = new URLSearchParams(texts.filter((one) => !isOfPath(one)).map(([name, value]) => [name, value]))
  const asked = validate(endpoint.query, readQuery(`?${search}`, Object.keys(endpoint.query.shape)), 'query')
  const { query } = withoutFormat(endpoint, asked)
  const body = endpoint.body && validate(endpoint.body, givenBody, 'body')
  return { path, query, body, format: 'json', canonical: JSON.stringify(['json', path, query]) }
}

/** An endpoint with a single format may have its own `format`, of a file and not of the answer. */
function withoutFormat({ formats }: Endpoint, query: Record<string, unknown>) {
  if (formats.length === 1) return { parameter: undefined, query }
  const { format: parameter, ...rest } = query
  return { parameter, query: rest }
}
