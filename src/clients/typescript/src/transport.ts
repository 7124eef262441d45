/** HTTP requests: authentication, ETag cache, retries. */
import { type ApiError, ConnectionError, errorOf } from './errors.ts'

export interface ClientOptions {
  /** API key, `svc_live_…`. Without a key, only the endpoints of the Open plan are available. */
  key?: string | undefined
  /** Base URL of the service, with or without `/v1`. Default: `http://127.0.0.1:8080`. */
  url?: string | URL | undefined
  /** Custom `fetch` function. Default: the global `fetch`. */
  fetch?: typeof fetch
  /** Maximum number of retries after a transient failure. Default: 4. */
  retries?: number
  /** Longest `Retry-After` to wait for, in seconds; a longer one throws immediately. Also caps the backoff. Default: 60. */
  waitSecondsMax?: number
  /** Timeout of each attempt, in seconds. Does not apply to streams. Default: 60. */
  timeoutSeconds?: number
  /** Maximum number of responses cached with their ETags for revalidation. Default: 100; 0 disables the cache. */
  cacheEntries?: number
}

export interface CallOptions {
  /** Cancels the call: once aborted, it rejects with an `AbortError`. */
  signal?: AbortSignal | undefined
}

interface ApiRequest extends CallOptions {
  method: string
  /** Path below `/v1`, including the query string. */
  path: string
  accept: string
  body?: unknown
  headers?: Record<string, string>
}

/** Upper bound of the backoff before the first retry; doubles with each retry. */
const BACKOFF_MS = 500

function baseOf(url: string | URL): string {
  const { protocol, href } = URL.canParse(url) ? new URL(url) : { protocol: '', href: '' }
  if (!/^https?:$/.test(protocol))
    throw new TypeError(`url must be the address of a service, such as https://energy.example; got "${url}"`)
  return `${href.replace(/(\/v1)?\/*$/, '')}/v1`
}

export class Transport {
  readonly #options: ClientOptions
  readonly #base: string
  readonly #cache = new Map<string, { etag: string; bytes: ArrayBuffer }>()

  constructor(options: ClientOptions) {
    this.#options = options
    this.#base = baseOf(options.url ?? 'http://127.0.0.1:8080')
  }

  /** Returns the body of a successful response, from the cache on 304. */
  async bytes(request: ApiRequest): Promise<ArrayBuffer> {
    const { cacheEntries = 100, timeoutSeconds = 60 } = this.#options
    const name = `${request.accept} ${request.path}`
    const known = request.method === 'GET' ? this.#cache.get(name) : undefined
    return this.#withRetries(request, async () => {
      const timeout = AbortSignal.timeout(timeoutSeconds * 1_000)
      const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
      const headers = { ...request.headers, ...(known && { 'if-none-match': known.etag }) }
      const response = await this.#fetch({ ...request, headers, signal })
      if (response.status === 304 && known) return known.bytes
      if (!response.ok) throw await errorOf(response)
      const bytes = await response.arrayBuffer()
      const etag = response.headers.get('etag')
      if (etag !== null && request.method === 'GET' && cacheEntries > 0) this.#keep(name, { etag, bytes }, cacheEntries)
      return bytes
    })
  }

  /** Opens a streaming response; resolves once its headers have arrived. */
  open(request: ApiRequest): Promise<Response> {
    return this.#withRetries(request, async () => {
      const response = await this.#fetch(request)
      if (!response.ok) throw await errorOf(response)
      return response
    })
  }

  #fetch({ method, path, accept, body, headers, signal }: ApiRequest): Promise<Response> {
    const { key, fetch: send = fetch } = this.#options
    return send(this.#base + path, {
      method,
      headers: {
        accept,
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  }

  async #withRetries<T>({ method, signal }: ApiRequest, attempt: () => Promise<T>): Promise<T> {
    const { retries = 4, waitSecondsMax = 60 } = this.#options
    for (let repeat = 0; ; repeat += 1) {
      try {
        return await attempt()
      } catch (err) {
        throwIfAborted(signal)
        const waitMs = waitOf(err, { method, repeat, maxMs: waitSecondsMax * 1_000 })
        if (waitMs === undefined || repeat >= retries) throw isApiError(err) ? err : toConnectionError(err)
        await pause(waitMs, signal)
      }
    }
  }

  /** Stores an entry and evicts the oldest one if the cache is full. */
  #keep(name: string, entry: { etag: string; bytes: ArrayBuffer }, max: number): void {
    this.#cache.delete(name)
    this.#cache.set(name, entry)
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > max && oldest !== undefined) this.#cache.delete(oldest)
  }
}

function isApiError(err: unknown): err is ApiError {
  return err instanceof Error && 'code' in err && 'status' in err
}

function toConnectionError(err: unknown): ConnectionError {
  const { message, cause } = err as Error & { cause?: Error }
  return new ConnectionError(`Could not connect to the service: ${cause?.message ?? message}`, { cause: err })
}

/**
 * Returns the wait before the next attempt, or undefined if the request must not be retried. Backoff with full jitter: a random wait up to
 * a bound that doubles, added to `Retry-After`. Requests other than GET are retried only after 429, when they were certainly not executed.
 */
function waitOf(err: unknown, { method, repeat, maxMs }: { method: string; repeat: number; maxMs: number }) {
  const isRead = method === 'GET'
  const jitterMs = Math.random() * Math.min(maxMs, BACKOFF_MS * 2 ** repeat)
  if (!isApiError(err)) return isRead ? jitterMs : undefined
  const { status, code, retryAfterSeconds } = err
  if (code === 'no_data' && retryAfterSeconds === undefined) return undefined
  if (status !== 429 && !(isRead && status >= 500)) return undefined
  const retryAfterMs = (retryAfterSeconds ?? 0) * 1_000
  return retryAfterMs > maxMs ? undefined : retryAfterMs + jitterMs
}

/** Throws an `AbortError` for any abort reason, with the reason as its `cause`, as Node's own functions do. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  const { reason } = signal
  if (reason instanceof Error && reason.name === 'AbortError') throw reason
  throw Object.assign(new Error('The call was aborted.', { cause: reason }), { name: 'AbortError' })
}

export async function pause(ms: number, signal?: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal?.aborted) return resolve()
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    signal?.addEventListener('abort', done)
  })
  throwIfAborted(signal)
}
