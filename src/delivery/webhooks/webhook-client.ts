/**
 * Makes one call to a webhook: 10 seconds in total, without following redirects, reading only the beginning of the response. Failures of
 * the receiver or the network are returned as an outcome, never thrown. Spec: "Events", rules 1-2; Standard Webhooks 1.0.
 */
import { type Dispatcher, errors } from 'undici'
import { REQUEST_ID } from '../../api/contract/headers.ts'
import type { AttemptOutcome } from '../../api/contract/webhooks.ts'
import type { AddressRules } from '../../platform/egress/address-rules.ts'
import { AddressRefused } from '../../platform/egress/checked-lookup.ts'
import { type PublicUrlRules, readPublicUrl } from '../../platform/egress/public-url.ts'
import { retryAfterSeconds } from '../../platform/fetch/http-client.ts'
import { standardSignature, svcSignature } from './webhook-signature.ts'

const DEADLINE_MS = 10_000
const RESPONSE_BYTES_MAX = 4096
const DETAIL_LENGTH_MAX = 200

interface WebhookCall {
  url: string
  /** `webhook-id`: the same at every attempt for one event. */
  eventId: string
  /** Identifies the call in the log of this service. */
  requestId?: string | undefined
  body: string
  /** Default: `application/json`. */
  contentType?: string | undefined
  /** The response must contain it. */
  challenge?: string | undefined
  /** The current one first; the call is signed with each. */
  secrets: readonly [string, ...string[]]
}

export interface CallResult {
  outcome: AttemptOutcome
  startedAt: Temporal.Instant
  durationMs: number
  statusCode: number | undefined
  /** Message for the owner of the webhook. */
  detail: string | undefined
  /** More detail, for the log only. */
  cause: string | undefined
  retryAfterSeconds: number | undefined
}

interface WebhookClientOptions {
  dispatcher: Dispatcher
  urlRules: PublicUrlRules & { addresses: AddressRules }
  userAgent: string
  now(): Temporal.Instant
  deadlineMs?: number
}

export interface WebhookClient {
  /** Rejects if the signal aborts: the attempt was cancelled by this service and does not count. */
  call(call: WebhookCall, signal: AbortSignal): Promise<CallResult>
}

export function webhookClient({
  dispatcher,
  urlRules,
  userAgent,
  now,
  ...options
}: WebhookClientOptions): WebhookClient {
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS
  return {
    async call(call, signal) {
      const startedAt = now()
      const started = performance.now()
      const timeout = AbortSignal.timeout(deadlineMs)
      const finish = (outcome: AttemptOutcome, about: Partial<CallResult> = {}): CallResult => ({
        outcome,
        startedAt,
        durationMs: Math.round(performance.now() - started),
        statusCode: about.statusCode,
        detail: about.detail?.slice(0, DETAIL_LENGTH_MAX),
        cause: about.cause,
        retryAfterSeconds: about.retryAfterSeconds,
      })

      const read = readPublicUrl(call.url, urlRules)
      if ('problem' in read) return finish('refused_address', { detail: `the address ${read.problem}` })
      try {
        const response = await dispatcher.request({
          origin: read.url.origin,
          path: read.url.pathname + read.url.search,
          method: 'POST',
          headers: {
            ...signedHeaders(call, startedAt),
            'user-agent': userAgent,
            ...(call.requestId !== undefined && { [REQUEST_ID]: call.requestId }),
          },
          body: call.body,
          signal: AbortSignal.any([signal, timeout]),
          headersTimeout: deadlineMs,
          bodyTimeout: deadlineMs,
        })
        const statusCode = response.statusCode
        const outcome = outcomeOf(statusCode)
        if (outcome === 'delivered' && call.challenge !== undefined) {
          if (containsChallenge(await readBeginning(response.body), call.challenge))
            return finish(outcome, { statusCode })
          return finish('not_echoed', { statusCode, detail: 'the receiver did not send the challenge back' })
        }
        // Only the status matters; a short body is read so that the connection can be reused.
        await response.body
          .dump({ limit: RESPONSE_BYTES_MAX, signal: AbortSignal.any([signal, timeout]) })
          .catch(() => {})
        signal.throwIfAborted()
        if (outcome === 'delivered') return finish(outcome, { statusCode })
        return finish(outcome, {
          statusCode,
          detail: `the receiver answered ${statusCode}`,
          retryAfterSeconds: retryAfterSeconds(singleHeader(response.headers['retry-after']), now()),
        })
      } catch (err) {
        signal.throwIfAborted()
        if (timeout.aborted || isTimeout(err)) {
          return finish('timeout', { detail: `no answer within ${deadlineMs / 1000} seconds` })
        }
        const refused = refusalIn(err)
        if (refused !== undefined)
          return finish('refused_address', { detail: refused.message, cause: String(refused.cause) })
        return finish('connection_failed', { detail: reasonOf(err) })
      }
    },
  }
}

/** Headers with the signature of the spec, that of the previous secret after a rotation, and all Standard Webhooks signatures in one. */
function signedHeaders(
  { eventId, body, contentType = 'application/json', secrets }: WebhookCall,
  at: Temporal.Instant,
): Record<string, string> {
  const timestamp = Math.floor(at.epochMilliseconds / 1000)
  const [current, previous] = secrets
  return {
    'content-type': contentType,
    'x-svc-signature': svcSignature(current, body),
    ...(previous !== undefined && { 'x-svc-signature-previous': svcSignature(previous, body) }),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, { id: eventId, timestamp, body })).join(' '),
  }
}

/** Reads up to `RESPONSE_BYTES_MAX`; stopping early closes the connection. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= RESPONSE_BYTES_MAX) break
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX).toString().trim()
}

/** The challenge as the whole body, or as the field `challenge` of a JSON object. */
function containsChallenge(answer: string, challenge: string): boolean {
  if (answer === challenge) return true
  try {
    const body: unknown = JSON.parse(answer)
    return body instanceof Object && 'challenge' in body && body.challenge === challenge
  } catch {
    return false // not JSON, and not the challenge
  }
}

function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirect' : 'bad_status'
}

function isTimeout(err: unknown): boolean {
  return (
    err instanceof errors.ConnectTimeoutError ||
    err instanceof errors.HeadersTimeoutError ||
    err instanceof errors.BodyTimeoutError
  )
}

function refusalIn(err: unknown): AddressRefused | undefined {
  if (err instanceof AddressRefused) return err
  return err instanceof Error && err.cause !== undefined ? refusalIn(err.cause) : undefined
}

/** A code such as ECONNREFUSED or CERT_HAS_EXPIRED is clearer, and reveals less, than the message. */
function reasonOf(err: unknown): string {
  if (!(err instanceof Error)) return 'the connection failed'
  const code = 'code' in err && typeof err.code === 'string' ? err.code : err.name
  return `the connection failed: ${code}`
}

function singleHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
