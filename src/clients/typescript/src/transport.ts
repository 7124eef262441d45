/** One request: key, entity tags, repeats. */
import { type ApiError, ConnectionError, errorOf } from './errors.ts'

export interface ClientOptions {
  /** `svc_live_…`; without one the current prices are there. */
  key?: string | undefined
  /** Address of the service, with or without `/v1`. Default: `http://127.0.0.1:8080`. */
  url?: string | URL | undefined
  /** Default: the platform's. */
  fetch?: typeof fetch
  /** How often a request is repeated that failed for a reason that passes. Default: 4. */
  retries?: number
  /** The longest wait before a repeat; a longer `Retry-After` is an error at once. Default: 60. */
  waitSecondsMax?: number
  /** For one attempt; streams and waiting for changes have their own. Default: 60. */
  timeoutSeconds?: number
  /** How many answers are kept with their entity tags, to be revalidated. Default: 100; 0 keeps none. */
  cacheEntries?: number
}

export interface CallOptions {
  /** Once it is aborted the call rejects with an `AbortError`. */
  signal?: AbortSignal | undefined
}

interface ApiRequest extends CallOptions {
  method: string
  /** Below `/v1`, with its query. */
  path: string
  accept: string
  body?: unknown
  headers?: Record<string, string>
}

/** The pause before the first repeat; doubled for each. */
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

  /** The body of a success; what an entity tag shows to be unchanged comes from the cache. */
  async bytes(request: ApiRequest): Promise<ArrayBuffer> {
    const { cacheEntries = 100, timeoutSeconds = 60 } = this.#options
    const name = `${request.accept} ${request.path}`
    const known = request.method === 'GET' ? this.#cache.get(name) : undefined
    return this.#repeat(request, async () => {
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

  /** A streamed answer, once its headers have arrived. */
  open(request: ApiRequest): Promise<Response> {
    return this.#repeat(request, async () => {
      const response = await this.#fetch(request)
      if (!response.ok) throw await errorOf(response)
      return response
    })
  }

  #fetch({ method, path, accept, body, headers, signal }: ApiRequest): Promise<Response> {
    const { key, fetch: ask = fetch } = this.#options
    return ask(this.#base + path, {
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

  async #repeat<T>({ method, signal }: ApiRequest, attempt: () => Promise<T>): Promise<T> {
    const { retries = 4, waitSecondsMax = 60 } = this.#options
    for (let repeat = 0; ; repeat += 1) {
      try {
        return await attempt()
      } catch (err) {
        throwIfAborted(signal)
        const waitMs = waitOf(err, { method, repeat, maxMs: waitSecondsMax * 1_000 })
        if (waitMs === undefined || repeat >= retries) throw isRefusal(err) ? err : unreached(err)
        await pause(waitMs, signal)
      }
    }
  }

  /** The oldest goes first. */
  #keep(name: string, entry: { etag: string; bytes: ArrayBuffer }, max: number): void {
    this.#cache.delete(name)
    this.#cache.set(name, entry)
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > max && oldest !== undefined) this.#cache.delete(oldest)
  }
}

function isRefusal(err: unknown): err is ApiError {
  return err instanceof Error && 'code' in err && 'status' in err
}

function unreached(err: unknown): ConnectionError {
  const { message, cause } = err as Error & { cause?: Error }
  return new ConnectionError(`The service was not reached: ${cause?.message ?? message}`, { cause: err })
}

/**
 * How long to wait before the next attempt; undefined where it is no use. Full jitter: anything up to a bound that doubles, on top of what
 * the service asks for. What changes something is repeated only where it was certainly not carried out.
 */
function waitOf(err: unknown, { method, repeat, maxMs }: { method: string; repeat: number; maxMs: number }) {
  const isRead = method === 'GET'
  const jitterMs = Math.random() * Math.min(maxMs, BACKOFF_MS * 2 ** repeat)
  if (!isRefusal(err)) return isRead ? jitterMs : undefined
  const { status, code, retryAfterSeconds } = err
  if (code === 'no_data' && retryAfterSeconds === undefined) return undefined
  if (status !== 429 && !(isRead && status >= 500)) return undefined
  const toldMs = (retryAfterSeconds ?? 0) * 1_000
  return toldMs > maxMs ? undefined : toldMs + jitterMs
}

/** Rejects with an `AbortError` whatever the reason, which is its `cause`, as Node's own functions do. */
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
