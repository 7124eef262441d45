/** Refuses a request whose headers do not determine one service and one caller. RFC 9110, 7.2, 10.1.1 and 11.6.2; RFC 9112, 3.2. */
import type { IncomingMessage } from 'node:http'
import { ApiError, invalidParameter } from '../contract/errors.ts'

/** Of several Node's parser keeps the first, a proxy in front perhaps the last. */
const ONCE = ['Host', 'Authorization']
const CONTINUE = '100-continue'

export function refuseAmbiguousHeaders(req: IncomingMessage): void {
  const repeated = ONCE.find((name) => countOf(req.rawHeaders, name) > 1)
  if (repeated !== undefined) throw invalidParameter(repeated, 'must be sent only once')
  if (req.headers.host === undefined && req.httpVersion === '1.1') throw invalidParameter('Host', 'is missing')
  if (expectsMore(req)) {
    const message = `Expect may only be ${CONTINUE}.`
    throw new ApiError('invalid_parameter', message, { status: 417, param: 'Expect' })
  }
}

/** `rawHeaders` lists name, value, name, value, …; the length rules out most names. */
function countOf(rawHeaders: readonly string[], name: string): number {
  const lowerCase = name.toLowerCase()
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i]
    if (header?.length === name.length && header.toLowerCase() === lowerCase) count += 1
  }
  return count
}

function expectsMore({ headers: { expect } }: IncomingMessage): boolean {
  return expect !== undefined && expect.toLowerCase() !== CONTINUE
}
