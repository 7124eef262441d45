/** Identifies the caller of a request, and checks what the caller's plan includes. */
import type { IncomingMessage } from 'node:http'
import type { ApiKeyRecord } from '../../store/api-keys.ts'
import type { AccessControl } from '../access/access-control.ts'
import type { KeyVerdict } from '../access/key-cache.ts'
import { invalidKey, invalidParameter, missingKey, tierRequired } from '../contract/errors.ts'
import { type Format, lowestPlan, PLANS, type Plan, planIncludes } from '../contract/plans.ts'
import type { Caller } from './caller.ts'
import { type Endpoint, endpointName, KEY_IN_QUERY } from './endpoint.ts'
import { chooseFormat } from './negotiate.ts'

export const KEY_PARAMETER = 'key'

const HOW_TO_SEND = 'Send it as the header "Authorization: Bearer <API_KEY>".'
const BEARER = /^Bearer +(\S+) *$/i
const REASONS: Record<Exclude<KeyVerdict, { ok: true }>['reason'], string> = {
  malformed: 'The key is malformed: its format or its checksum is wrong.',
  unknown: 'The key is unknown.',
  revoked: 'The key is revoked.',
  expired: 'The key has expired.',
}

/**
 * Returns the holder of the key that was sent; undefined if none was sent, even if the endpoint needs one. Throws `missing_key` or
 * `invalid_key`. Calls `beforeGuess` before looking up a key that was never seen.
 */
export async function identifyCaller(
  req: IncomingMessage,
  endpoint: Endpoint | undefined,
  access: AccessControl,
  beforeGuess: () => Promise<unknown>,
): Promise<Caller | undefined> {
  const text = sentKey(req, endpoint)
  if (text === undefined) return undefined
  const verdict = await access.keys.verify(text, beforeGuess)
  if (!verdict.ok) throw invalidKey(REASONS[verdict.reason])
  return holderOf(verdict.key)
}

/** Returns the holder of the key in the header, if the key is cached and valid. */
export function recallCaller({ headers }: IncomingMessage, { keys }: AccessControl): Caller | undefined {
  const text = headers.authorization && BEARER.exec(headers.authorization)?.[1]
  const key = text && keys.recall(text)
  return key ? holderOf(key) : undefined
}

/** Returns a caller without a key, identified by IP address. */
export function anonymous(client: string, access: Pick<AccessControl, 'openRequestsPerMinute'>): Caller {
  const { historyDepthDays, requestsPerMonth } = PLANS.Open
  return {
    plan: 'Open',
    historyDepthDays,
    client,
    requestsPerMinute: access.openRequestsPerMinute,
    requestsPerMonth,
    key: undefined,
    isCounted: false,
  }
}

/** Refuses a caller whose plan does not include the endpoint: 401 without a key, 403 with one. */
export function admit(caller: Caller, endpoint: Endpoint): void {
  if (planIncludes(caller.plan, endpoint.plan)) return
  if (caller.key === undefined) throw missingKey(`${endpointName(endpoint)} needs a key. ${HOW_TO_SEND}`)
  throw tierRequired(endpoint.plan, endpointName(endpoint))
}

/** Refuses a format that the caller's plan does not include. */
export function admitFormat(caller: Caller, format: Format): void {
  const isIncluded = ({ formats }: Plan) => formats.some((included) => included === format)
  if (!isIncluded(PLANS[caller.plan])) throw tierRequired(lowestPlan(isIncluded), `The format ${format}`)
}

/** Whether a URL may contain a key, in any encoding. */
export function mayContainKey(url: string): boolean {
  return url.includes('%') || url.includes(`${KEY_PARAMETER}=`)
}

export function mayCarryKey({ headers, url = '' }: IncomingMessage): boolean {
  return headers.authorization !== undefined || mayContainKey(url)
}

/** Returns the key as sent. The header takes precedence over the parameter, which is for CSV and calendars only. */
export function sentKey(req: IncomingMessage, endpoint: Endpoint | undefined): string | undefined {
  const header = req.headers.authorization
  if (header !== undefined) {
    const bearer = BEARER.exec(header)?.[1]
    if (bearer === undefined) throw invalidKey(`The header Authorization is malformed. ${HOW_TO_SEND}`)
    return bearer
  }
  const { url = '' } = req
  if (!mayContainKey(url)) return undefined
  const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  const sent = parameters.getAll(KEY_PARAMETER)
  if (sent.length === 0) return undefined
  if (sent.length > 1) throw invalidParameter(KEY_PARAMETER, 'must be given only once')
  const format = endpoint && chooseFormat(endpoint.formats, parameters.get('format') ?? undefined, req)
  if (format === undefined || !KEY_IN_QUERY.includes(format))
    throw missingKey(`The parameter key is for CSV and calendars only. ${HOW_TO_SEND}`)
  return sent[0]
}

function holderOf(key: ApiKeyRecord): Caller {
  const plan = PLANS[key.plan]
  return {
    plan: key.plan,
    historyDepthDays: plan.historyDepthDays,
    client: `key:${key.root}`,
    requestsPerMinute: key.requestsPerMinute ?? plan.requestsPerMinute,
    requestsPerMonth: key.requestsPerMonth ?? plan.requestsPerMonth,
    key,
    isCounted: false,
  }
}
