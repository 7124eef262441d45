/** Reads a JSON body of at most 32 kB. Any problem with it is reported as `invalid_parameter` with `param: "body"`. */
import express, { type Request, type RequestHandler, type Response } from 'express'
import { invalidParameter } from '../contract/errors.ts'

const BYTES_MAX = 32 * 1024
const parseJson = express.json({ limit: BYTES_MAX })
const parseAny = express.json({ limit: BYTES_MAX, type: () => true })

/** Phrases for the errors of the body parser. */
const PROBLEMS: Record<string, string> = {
  'entity.too.large': `must be at most ${BYTES_MAX / 1024} kB`,
  'entity.parse.failed': 'must be well-formed JSON, an object',
  'charset.unsupported': 'must be in UTF-8',
  'encoding.unsupported': 'has an unknown Content-Encoding',
}

const NOT_UNPACKED = 'cannot be unpacked as its Content-Encoding says'

export async function readBody(req: Request, res: Response): Promise<unknown> {
  if (!req.is('application/json'))
    throw invalidParameter('body', 'must be JSON, with the header Content-Type: application/json')
  return parseBody(parseJson, req, res)
}

/** Reads the body of a request that needs none: an empty one, of any content type, is an empty object. */
export async function readOptionalBody(req: Request, res: Response): Promise<unknown> {
  return (await parseBody(parseAny, req, res)) ?? {}
}

async function parseBody(parse: RequestHandler, req: Request, res: Response): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  parse(req, res, (err: unknown) => (err === undefined ? resolve() : reject(bodyError(err))))
  await promise
  return req.body
}

/**
 * The body parser sets `type` on its errors, but only a status if the bytes cannot be decompressed. Any other error is not about the
 * body and is returned unchanged.
 */
function bodyError(err: unknown): unknown {
  if (!(err instanceof Error)) return err
  if ('type' in err && typeof err.type === 'string')
    return invalidParameter('body', PROBLEMS[err.type] ?? 'could not be read')
  return 'status' in err && err.status === 400 ? invalidParameter('body', NOT_UNPACKED) : err
}
