/** Redirects requests for another host name, or by HTTP to an HTTPS service, to the canonical URL. Spec: "General rules", 2. */
import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import type { HeaderList } from './headers.ts'
import { send } from './send.ts'
import type { HttpConfig } from './service.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** Default ports of the protocols that a base URL may have. */
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** Whether a request came by the canonical host and scheme. */
export type IsCanonical = (req: IncomingMessage) => boolean

export function canonicalChecker(
  { baseUrl, canonicalHost }: Pick<HttpConfig, 'baseUrl' | 'canonicalHost'>,
  proxies: TrustedProxies,
): IsCanonical {
  const ourHosts = [baseUrl.host, `${baseUrl.hostname}:${baseUrl.port || DEFAULT_PORTS[baseUrl.protocol]}`]
  const isHttps = baseUrl.protocol === 'https:'
  return (req) => (!canonicalHost || ourHosts.includes(proxies.host(req))) && !(isHttps && proxies.isPlainHttp(req))
}

/** Mounted after `/healthz` and `/readyz`, which machines request by IP address, not by host name. */
export function redirectToCanonical(isCanonical: IsCanonical, baseUrl: URL, security: HeaderList): RequestHandler {
  return (req, res, next) => {
    if (isCanonical(req)) return next()
    const location = baseUrl.origin + targetOf(req.originalUrl)
    send(res, 308, ['Location', location, 'Cache-Control', 'public, max-age=3600', ...security])
  }
}

/** Returns path and query. A request target may also be an absolute URL (`GET http://other/ HTTP/1.1`), which is not appended to ours. */
function targetOf(requested: string): string {
  return requested.startsWith('/') ? requested : '/'
}
