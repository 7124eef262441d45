/**
 * The outbound HTTP client of one publisher. Everything is bounded: connecting, headers, idle time of the body, total time, size,
 * redirects, retries. It retries a request only if the failure is temporary (429, 5xx, 408, a broken connection), honours the
 * publisher's `Retry-After`, and never reveals a credential: messages and URLs use only the public part of a request.
 */
import type { Dispatcher } from 'undici'
import type { Clock } from '../clock.ts'
import type { Secret } from '../secret.ts'
import { meaningOfStatus, SourceUnreachable } from './outcomes.ts'
import { ACCEPTED_ENCODINGS, discard, readBeginning, readBody } from './read-body.ts'
import { Redactor } from './redactor.ts'
import type { RequestThrottle } from './request-throttle.ts'
import { sleep as realSleep, type Sleep } from './sleep.ts'

const MIB = 1024 * 1024
const BEGINNING_BYTES = 8 * 1024

export interface HttpRequest {
  /** URL without credentials, for logs and as the address of the document. */
  url: URL
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Sent, but never shown. */
  secretHeaders?: Record<string, Secret>
  /** Added to the query when it is sent, but never shown. */
  secretQuery?: Record<string, Secret>
  body?: string | Secret
  /** Other secrets in the request, such as parts of a body. */
  secrets?: readonly Secret[]
  signal: AbortSignal
  maxBytes?: number
  /** Requests only what changed since the last accepted document of that URL. */
  conditional?: boolean
  /** Statuses other than 200 that are returned to the caller: ENTSO-E answers 400 for "nothing yet". */
  accept?: readonly number[]
  /** Maps any other status to an error; undefined selects the default. `text` is the start of the body, with secrets redacted. */
  meaningOf?: (status: number, text: string, retryAfterSeconds: number | undefined) => Error | undefined
}

export interface HttpResponse {
  status: number
  /** By lower-case name. */
  headers: ReadonlyMap<string, string>
  /** `name=value` of each cookie that is set. */
  cookies: readonly string[]
  /** Decompressed. */
  bytes: Buffer
  receivedAt: Temporal.Instant
}

export interface HttpClient {
  /** Returns undefined if a conditional request found no change. Rejects with an error of outcomes.ts or the signal's reason. */
  send(request: HttpRequest): Promise<HttpResponse | undefined>
  /** Redacts every secret sent so far. */
  scrub(text: string): string
}

export interface HttpTimes {
  headersMs: number
  /** Idle time within the body. */
  bodyMs: number
  /** One attempt, including redirects and body. */
  totalMs: number
}

const HTTP_TIMES: Readonly<HttpTimes> = { headersMs: 30_000, bodyMs: 30_000, totalMs: 120_000 }

/** Validators of an address, from its last response. */
interface Validators {
  etag: string | null
  lastModified: string | null
}

export interface HttpClientOptions {
  /** Called for each request. */
  dispatcher: () => Promise<Dispatcher>
  /** The User-Agent: name and address of the service. */
  userAgent: string
  clock: Clock
  throttle: RequestThrottle
  /** Validators for conditional requests; without it all requests are plain. */
  validatorsOf?: (address: string) => Promise<Validators | undefined>
  times?: Partial<HttpTimes>
  sleep?: Sleep
  random?: () => number
}

const MAX_BYTES = 32 * MIB
/** First request and retries together. */
const ATTEMPTS = 3
const FIRST_PAUSE_MS = 1_000
/** A longer pause requested by the publisher is left to the caller. */
const LONGEST_PAUSE_MS = 30_000

export function makeHttpClient(given: HttpClientOptions): HttpClient {
  const options = { sleep: realSleep, random: Math.random, ...given }
  const times = { ...HTTP_TIMES, ...given.times }
  const redactor = new Redactor()

  return {
    scrub: (text) => redactor.scrub(text),

    async send(request) {
      redactor.add(...secretsOf(request))
      const validators = request.conditional ? await options.validatorsOf?.(request.url.href) : undefined
      for (let attempt = 1; ; attempt++) {
        try {
          return await options.throttle.run(request.signal, () => attemptOnce(request, validators))
        } catch (err) {
          request.signal.throwIfAborted()
          const pause = pauseAfter(err, attempt)
          if (pause === undefined) throw err
          await options.sleep(pause, request.signal)
        }
      }
    },
  }

  /** Returns the milliseconds until the next attempt, with jitter to spread retries; undefined if there is none. */
  function pauseAfter(err: unknown, attempt: number): number | undefined {
    if (!(err instanceof SourceUnreachable && err.retryable) || attempt >= ATTEMPTS) return undefined
    const backOff = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (1 + options.random() / 2)
    const requestedMs = (err.retryAfterSeconds ?? 0) * 1000
    return requestedMs > LONGEST_PAUSE_MS ? undefined : Math.max(backOff, requestedMs)
  }

  async function attemptOnce(request: HttpRequest, validators?: Validators): Promise<HttpResponse | undefined> {
    const deadline = AbortSignal.timeout(times.totalMs)
    const signal = AbortSignal.any([request.signal, deadline])
    try {
      return await exchange(request, validators, signal)
    } catch (err) {
      request.signal.throwIfAborted()
      const reason = deadline.aborted ? `does not finish within ${times.totalMs / 1000} s` : undefined
      throw outcomeOf(err, reason, request.url)
    }
  }

  async function exchange(request: HttpRequest, validators: Validators | undefined, signal: AbortSignal) {
    const { request: send } = await import('undici')
    const dispatcher = await options.dispatcher()
    let url = addSecrets(request)
    let { method = 'GET', body } = request
    for (let redirects = 0; ; redirects++) {
      const answer = await send(url, {
        dispatcher,
        method,
        headers: headersOf(request, validators),
        body: body === undefined ? null : typeof body === 'string' ? body : body.reveal(),
        signal,
        headersTimeout: times.headersMs,
        bodyTimeout: times.bodyMs,
      })
      if (!isRedirect(answer.statusCode)) return read(request, answer, signal)
      discard(answer.body)
      if (redirects >= REDIRECTS_MAX) {
        throw new SourceUnreachable(`redirects more than ${REDIRECTS_MAX} times`, { retryable: false })
      }
      url = redirectTarget(url, headerOf(answer.headers, 'location'))
      if (!keepsMethod(answer.statusCode)) [method, body] = ['GET', undefined]
    }
  }

  async function read(
    request: HttpRequest,
    answer: Dispatcher.ResponseData,
    signal: AbortSignal,
  ): Promise<HttpResponse | undefined> {
    const { statusCode: status, headers, body } = answer
    if (status === 304) {
      await body.dump({ limit: BEGINNING_BYTES, signal })
      return undefined
    }
    const receivedAt = options.clock.now()
    const encoding = headerOf(headers, 'content-encoding')
    if (status === 200 || request.accept?.includes(status)) {
      const bytes = await readBody(body, encoding, request.maxBytes ?? MAX_BYTES)
      return { status, headers: plainHeaders(headers), cookies: cookiesOf(headers), bytes, receivedAt }
    }
    const text = encoding === undefined ? redactor.scrub(await readBeginning(body, BEGINNING_BYTES)) : ''
    discard(body)
    const retryAfter = retryAfterSeconds(headerOf(headers, 'retry-after'), receivedAt)
    throw request.meaningOf?.(status, text, retryAfter) ?? meaningOfStatus(status, text, retryAfter)
  }

  function headersOf(request: HttpRequest, validators: Validators | undefined): Record<string, string> {
    const revealed = Object.entries(request.secretHeaders ?? {}).map(([name, secret]) => [name, secret.reveal()])
    return {
      'user-agent': options.userAgent,
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...(validators?.etag ? { 'if-none-match': validators.etag } : {}),
      ...(validators?.lastModified ? { 'if-modified-since': validators.lastModified } : {}),
      ...request.headers,
      ...Object.fromEntries(revealed),
    }
  }

  /** Adds the address to an error. Network errors become SourceUnreachable; others keep their type. */
  function outcomeOf(err: unknown, timeOut: string | undefined, url: URL): Error {
    const where = `${url.host}${url.pathname}`
    if (timeOut !== undefined) return new SourceUnreachable(`${where} ${timeOut}`, { retryable: true })
    if (!(err instanceof Error)) return new Error(redactor.scrub(String(err)))
    const { code } = err as NodeJS.ErrnoException
    if (typeof code === 'string') {
      return new SourceUnreachable(`${where} cannot be reached (${networkReason(code)})`, { retryable: true })
    }
    err.message = redactor.scrub(`${where} ${err.message}`)
    return err
  }
}

/** Network failures reported by undici and the system have a code; errors without one keep their type (`outcomeOf`). */
const NETWORK_REASONS: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stalled',
}

function networkReason(code: string): string {
  return NETWORK_REASONS[code] ?? code
}

function secretsOf({ secretHeaders = {}, secretQuery = {}, body, secrets = [] }: HttpRequest): Secret[] {
  const inBody = body === undefined || typeof body === 'string' ? [] : [body]
  return [...Object.values(secretHeaders), ...Object.values(secretQuery), ...inBody, ...secrets]
}

function addSecrets({ url, secretQuery = {} }: HttpRequest): URL {
  const fullUrl = new URL(url)
  for (const [name, secret] of Object.entries(secretQuery)) fullUrl.searchParams.set(name, secret.reveal())
  return fullUrl
}

type RawHeaders = Dispatcher.ResponseData['headers']

function headerOf(headers: RawHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function plainHeaders(headers: RawHeaders): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'set-cookie' ? [[name.toLowerCase(), value] as const] : [],
    ),
  )
}

function cookiesOf(headers: RawHeaders): string[] {
  return [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0]?.trim() ?? '')
}

const HTTP_DATE = /^[A-Z][a-z]{2}, /

/** Parses `Retry-After`, a number of seconds or a date, to whole seconds from now; undefined if it is absent or invalid. */
export function retryAfterSeconds(header: string | undefined, now: Temporal.Instant): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const atMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - now.epochMilliseconds) / 1000))
}

const REDIRECTS_MAX = 3
const STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function isRedirect(status: number): boolean {
  return STATUSES.has(status)
}

/** Returns the target of a redirect. Throws SourceUnreachable if it is invalid, on another host, or not https after https. */
function redirectTarget(from: URL, location: string | undefined): URL {
  const refuse = (reason: string) =>
    new SourceUnreachable(`redirects ${reason}, which is not followed`, { retryable: false })
  if (location === undefined || !URL.canParse(location, from)) throw refuse('to no address')
  const to = new URL(location, from)
  if (to.host !== from.host) throw refuse(`to another host (${to.host})`)
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:'
  if (to.protocol !== from.protocol && !isUpgrade) throw refuse(`to ${to.protocol}//${to.host}`)
  if (to.username !== '' || to.password !== '') throw refuse('to an address with credentials')
  return to
}

/** 307 and 308 repeat the request; after the others a POST becomes a GET, as in every client. */
function keepsMethod(status: number): boolean {
  return status === 307 || status === 308
}
