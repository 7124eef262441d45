/** Helmet's headers, computed once: they do not depend on the request, so no request should pay for computing them. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet, { type HelmetOptions } from 'helmet'
import type { HeaderList } from './headers.ts'

type Directives = Record<string, string[]>

/** Nothing may be loaded or framed: answers are data. */
const DATA: Directives = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] }

/** Pages of this service: style sheets, scripts and fonts of this service, forms sent to it, calls to it, and nothing inline but what `withInline` admits. */
const PAGES: Directives = {
  ...DATA,
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
}

/** Price cards are pictures in other people's pages: they hold their own styles and load nothing. */
const CARDS: Directives = { ...DATA, 'style-src': ["'unsafe-inline'"] }

/** Swagger UI: its own scripts, styles it writes into the page, images as data. */
const API_DOCS: Directives = {
  ...PAGES,
  'style-src': ["'self'", "'unsafe-inline'"],
}

/** Matters only to a browser that shows a page, so data responses omit it. */
const PAGES_ONLY = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

export interface SecurityHeaders {
  data: HeaderList
  pages: HeaderList
  cards: HeaderList
  apiDocs: HeaderList
}

/**
 * The lists for answers, pages, price cards and the API documentation. HSTS only where the service itself is reached by HTTPS. `inline`: hashes of the
 * texts that pages hold, `'sha256-…'`.
 */
export function securityHeaders(baseUrl: URL, inline: { styles: string[]; scripts: string[] }): SecurityHeaders {
  const isHttps = baseUrl.protocol === 'https:'
  return {
    data: withoutPageHeaders(record(options(DATA, isHttps, 'cross-origin'))),
    pages: record(options(withInline(inline), isHttps, 'same-origin')),
    cards: withoutPageHeaders(record(options(CARDS, isHttps, 'cross-origin'))),
    apiDocs: record(options(API_DOCS, isHttps, 'same-origin')),
  }
}

function withInline({ styles, scripts }: { styles: string[]; scripts: string[] }): Directives {
  return { ...PAGES, 'script-src': ["'self'", ...scripts], 'style-src': ["'self'", ...styles] }
}

function options(directives: Directives, isHttps: boolean, policy: 'same-origin' | 'cross-origin'): HelmetOptions {
  return {
    contentSecurityPolicy: { useDefaults: false, directives },
    crossOriginResourcePolicy: { policy },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: isHttps,
  }
}

function withoutPageHeaders(headers: HeaderList): HeaderList {
  return headers.filter((_, i) => !PAGES_ONLY.includes(headers[i - (i % 2)] ?? ''))
}

/** Headers that helmet sets, read from a response that is never sent. */
function record(helmetOptions: HelmetOptions): HeaderList {
  const req = new IncomingMessage(new Socket())
  const res = new ServerResponse(req)
  helmet(helmetOptions)(req, res, (err) => {
    if (err) throw err
  })
  return res.getHeaderNames().flatMap((name) => [name, String(res.getHeader(name))])
}
