/** Sends requests for another host name, or for HTTP in front of an HTTPS service, to the canonical address. Spec: "General rules", 2. */
import type { Request, RequestHandler } from 'express'
import type { HeaderList } from './headers.ts'
import { send } from './send.ts'
import type { HttpConfig } from './service.ts'

/** Of the only protocols that a base address may have. */
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** `/healthz` and `/readyz` are requested by machines that know an address, not a name; they are mounted before this. */
export function canonicalHost(
  config: Pick<HttpConfig, 'baseUrl' | 'canonicalHost'>,
  security: HeaderList,
): RequestHandler {
  const { baseUrl } = config
  const ourHosts = [baseUrl.host, `${baseUrl.hostname}:${baseUrl.port || DEFAULT_PORTS[baseUrl.protocol]}`]
  return (req, res, next) => {
    const isOtherHost = config.canonicalHost && !ourHosts.includes(hostOf(req))
    if (!isOtherHost && !cameByHttp(req, baseUrl)) return next()
    const location = baseUrl.origin + targetOf(req)
    send(res, 308, ['Location', location, 'Cache-Control', 'public, max-age=3600', ...security])
  }
}

/** The requested host in lower case, since host names ignore case; a trusted proxy may state it. */
function hostOf(req: Request): string {
  const host: string | undefined = req.headers['x-forwarded-host'] === undefined ? req.headers.host : req.host
  return host?.toLowerCase() ?? ''
}

/** Only a trusted proxy can say so: without one, TLS may end in front of the service unnoticed. */
function cameByHttp(req: Request, baseUrl: URL): boolean {
  if (baseUrl.protocol !== 'https:' || req.headers['x-forwarded-proto'] === undefined) return false
  const trusts = req.app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean
  return trusts(req.socket.remoteAddress, 0) && req.protocol === 'http'
}

/** Path and query. A request target may also be a whole address (`GET http://other/ HTTP/1.1`): it is not appended to ours. */
function targetOf(req: Request): string {
  return req.originalUrl.startsWith('/') ? req.originalUrl : '/'
}
