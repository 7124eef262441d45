/** Helmet's headers, computed once: they do not depend on the request, so no request should pay for computing them. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet, { type HelmetOptions } from 'helmet'
import type { HeaderList } from './headers.ts'

type Directives = Record<string, string[]>

/** Nothing may be loaded or framed: answers are data. */
const DATA: Directives = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] }

/** Pages: style sheets, scripts, fonts, form targets and calls of this service only, and nothing inline except what `withInline` allows. */
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

/** Price cards are images on other sites' pages: they contain their own styles and load nothing. */
const CARDS: Directives = { ...DATA, 'style-src': ["'unsafe-inline'"] }

/** Swagger UI: its own scripts, inline styles, and `data:` images. */
const API_DOCS: Directives = {
  ...PAGES,
  'style-src': ["'self'", "'unsafe-inline'"],
}

/** Headers that matter only to a browser that shows a page, so data responses omit them. */
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
 * Returns the headers of data, pages, price cards and the API documentation. HSTS is set only if the service is reached by HTTPS.
 * `inline`: hashes of the inline texts in pages, `'sha256-…'`.
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

/** Returns the headers that helmet sets on a response that is never sent. */
function record(helmetOptions: HelmetOptions): HeaderList {
  const req = new IncomingMessage(new Socket())
  const res = new ServerResponse(req)
  helmet(helmetOptions)(req, res, (err) => {
    if (err) throw err
  })
  return res.getHeaderNames().flatMap((name) => [name, String(res.getHeader(name))])
}
