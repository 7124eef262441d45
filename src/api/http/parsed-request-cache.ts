/**
 * Caches the parsed requests of URLs that were served before, so that routing and parsing are not repeated. It stores neither callers
 * nor responses: each request is identified, counted and answered by the same functions as the first.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../../platform/awaitable.ts'
import { mayContainKey } from './identify-caller.ts'

/** Serves a request whose URL has been parsed. */
export type Serve = (req: IncomingMessage, res: ServerResponse) => Awaitable<void>

/** The header that, together with the URL, determines what is served. */
type Negotiated = 'accept' | 'accept-language'

interface CachedUrl {
  by: Negotiated | undefined
  /** Keyed by the value of that header. */
  handlers: Map<string, Serve>
}

const ADDRESSES_MAX = 5_000
const LENGTH_MAX = 512
/** Browsers and libraries send few different values of a header. */
const HANDLERS_MAX = 8

export class ParsedRequestCache {
  readonly #known = new LRUCache<string, CachedUrl>({ max: ADDRESSES_MAX })

  find({ url = '', headers }: IncomingMessage): Serve | undefined {
    const known = this.#known.get(url)
    return known?.handlers.get(valueOfHeader(headers, known.by))
  }

  /** Does not cache long URLs, or those that may contain a key. */
  add(url: string, headers: IncomingMessage['headers'], by: Negotiated | undefined, serve: Serve): void {
    const value = valueOfHeader(headers, by)
    if (mayContainKey(url) || url.length + value.length > LENGTH_MAX) return
    const known = this.#known.get(url)
    if (known === undefined) this.#known.set(url, { by, handlers: new Map([[value, serve]]) })
    else if (known.handlers.size < HANDLERS_MAX) known.handlers.set(value, serve)
  }
}

function valueOfHeader(headers: IncomingMessage['headers'], by: Negotiated | undefined): string {
  return (by && headers[by]) ?? ''
}
