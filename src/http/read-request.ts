/** What a client asked of an endpoint, checked against its schemas. */
import type { Request, Response } from 'express'
import type { Format } from '../contract/plans.ts'
import { readBody } from './body.ts'
import { KEY_PARAMETER } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { chooseFormat } from './negotiate.ts'
import { readQuery } from './query.ts'
import { validate } from './validate.ts'

export interface Asked {
  path: Record<string, unknown>
  /** Without `format`, which is not the handler's business. */
  query: Record<string, unknown>
  body: unknown
  format: Format
}

/** Throws `invalid_parameter` for the first thing that is wrong: path, then query, then body. */
export async function readRequest(endpoint: Endpoint, req: Request, res: Response): Promise<Asked> {
  const path = validate(endpoint.pathSchema, req.params, 'path')
  const given = readQuery(req.url, Object.keys(endpoint.query.shape), [KEY_PARAMETER])
  const { format, ...query } = validate(endpoint.query, given, 'query')
  const body = endpoint.body && validate(endpoint.body, await readBody(req, res), 'body')
  return { path, query, body, format: chooseFormat(endpoint.formats, format, req) }
}

/** What tells one request from another: defaults filled in, parameters in the schema's order, days as text. */
export function canonicalRequest(asked: Asked): string {
  return JSON.stringify([asked.format, asked.path, asked.query])
}
