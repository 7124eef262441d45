/** Reads a form (`application/x-www-form-urlencoded`) sent from a page of this service; refuses forms from other sites. */
import express, { type Request, type Response } from 'express'
import { invalidParameter } from '../contract/errors.ts'

const BYTES_MAX = 4 * 1024
const FIELDS_MAX = 10
const parseForm = express.urlencoded({ extended: false, limit: BYTES_MAX, parameterLimit: FIELDS_MAX })

/**
 * The fields by name; one that was not sent is empty. Refuses fields that the form does not have, repeated ones, and forms that
 * another site sent. Throws `invalid_parameter`.
 */
export async function readForm<Name extends string>(
  req: Request,
  res: Response,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  refuseCrossSite(req)
  if (!req.is('application/x-www-form-urlencoded')) throw invalidParameter('body', 'must be a form')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  parseForm(req, res, (err: unknown) => (err === undefined ? resolve() : reject(formError(err))))
  await promise
  const sent = (req.body ?? {}) as Record<string, unknown>
  const unknown = Object.keys(sent).find((name) => !names.some((known) => known === name))
  if (unknown !== undefined) throw invalidParameter('body', 'has a field that the form does not have')
  return Object.fromEntries(names.map((name) => [name, textOf(name, sent[name])])) as Record<Name, string>
}

/**
 * There are no cookies to abuse, but no other site may send requests on behalf of its visitors. Browsers state the origin of a form; a
 * client that states none is not a browser. `Origin: null` proves nothing: privacy settings replace any origin with it.
 */
function refuseCrossSite(req: Request): void {
  const { 'sec-fetch-site': site, origin, host } = req.headers
  const isOurs = site === undefined ? origin === undefined || hostOf(origin) === host : OWN_SITES.has(String(site))
  if (!isOurs) throw invalidParameter('Origin', 'must be this site: open the form here and send it again')
}

const OWN_SITES = new Set(['same-origin', 'none'])

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

function textOf(name: string, value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') throw invalidParameter(name, 'must be given only once')
  return value
}

/** Errors of the body parser carry a `type`; any other error is returned unchanged. */
function formError(err: unknown): unknown {
  if (!(err instanceof Error) || !('type' in err)) return err
  const isLarge = err.type === 'entity.too.large' || err.type === 'parameters.too.many'
  return invalidParameter('body', isLarge ? 'is too large for this form' : 'could not be read as a form')
}
