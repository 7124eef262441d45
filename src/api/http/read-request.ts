/** Reads a request and checks it against its endpoint's schemas. */
import type { Request, Response } from 'express'
import * as z from 'zod'
import { CSV_DIALECT } from '../../platform/csv.ts'
import { readBody, readOptionalBody } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { KEY_PARAMETER } from './identify-caller.ts'
import { chooseFormat } from './negotiate.ts'
import { csvDialect, type Presentation, splitPresentation } from './presentation.ts'
import { readQuery } from './query.ts'
import { validate } from './validate.ts'

export interface ParsedRequest {
  path: Record<string, unknown>
  /** Query parameters without the presentation parameters, which handlers ignore. */
  query: Record<string, unknown>
  body: unknown
  presentation: Presentation
  /** Key of equal requests: defaults filled in, parameters in schema order, days as text. `rest`: whatever else the response depends on. */
  cacheKey(rest: string): string
}

/** Body of an operation that takes none. */
const NO_FIELDS = z.strictObject({})

/** Throws `invalid_parameter` for the first problem: path, then query, then body. */
export async function readRequest(endpoint: Endpoint, req: Request, res: Response): Promise<ParsedRequest> {
  const path = validate(endpoint.pathSchema, req.params, 'path')
  const given = readQuery(req.url, Object.keys(endpoint.query.shape), [KEY_PARAMETER])
  const { asked, rest: query } = splitPresentation(endpoint, validate(endpoint.query, given, 'query'))
  const body = endpoint.body && validate(endpoint.body, await readBody(req, res), 'body')
  if (!endpoint.body && endpoint.method !== 'get') validate(NO_FIELDS, await readOptionalBody(req, res), 'body')
  return parsed(path, query, body, {
    format: chooseFormat(endpoint.formats, asked.format, req),
    csv: csvDialect(asked),
    withUtc: asked.times === 'utc',
  })
}

/** Same as `readRequest` for parameters given by name and a JSON response. */
export function parseArguments(endpoint: Endpoint, given: Record<string, unknown>): ParsedRequest {
  const { body: givenBody, ...parameters } = given
  const texts = Object.entries(parameters).map(([name, value]) => [name, String(value)] as const)
  const isOfPath = ([name]: readonly [string, string]) => Object.hasOwn(endpoint.pathSchema.shape, name)
  const path = validate(endpoint.pathSchema, Object.fromEntries(texts.filter(isOfPath)), 'path')
  const search = new URLSearchParams(texts.filter((one) => !isOfPath(one)).map(([name, value]) => [name, value]))
  const read = validate(endpoint.query, readQuery(`?${search}`, Object.keys(endpoint.query.shape)), 'query')
  const { asked, rest: query } = splitPresentation(endpoint, read)
  const body = endpoint.body && validate(endpoint.body, givenBody, 'body')
  return parsed(path, query, body, { format: 'json', csv: CSV_DIALECT, withUtc: asked.times === 'utc' })
}

function parsed(
  path: ParsedRequest['path'],
  query: ParsedRequest['query'],
  body: unknown,
  presentation: Presentation,
): ParsedRequest {
  return { path, query, body, presentation, cacheKey: keyMaker(JSON.stringify([presentation, path, query])) }
}

/** Reuses the last key: `rest` seldom changes, and each look-up would have to hash a new string. */
function keyMaker(canonical: string): ParsedRequest['cacheKey'] {
  let last = { rest: '', key: '' }
  return (rest) => {
    if (rest !== last.rest) last = { rest, key: `${rest} ${canonical}` }
    return last.key
  }
}
