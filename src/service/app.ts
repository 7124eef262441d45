/** The service's HTTP side: its context in, an Express app out. The middleware is in the order in which a request passes it. Never listens. */
import express, { type Express } from 'express'
import { DOWNLOADS_PATH } from '../api/contract/bulk.ts'
import { notFound } from '../api/contract/errors.ts'
import { BASE_PATH } from '../api/contract/identity.ts'
import { endpoints } from '../api/endpoints/index.ts'
import { accessLog } from '../api/http/access-log.ts'
import { refuseAmbiguousHeaders } from '../api/http/ambiguous-headers.ts'
import { apiDocsRoutes } from '../api/http/api-docs.ts'
import { canonicalHost } from '../api/http/canonical-host.ts'
import { forwardedAddresses } from '../api/http/client-address.ts'
import { ConcurrencyLimiter } from '../api/http/concurrency-limiter.ts'
import { downloadRoutes } from '../api/http/downloads.ts'
import type { Endpoint } from '../api/http/endpoint.ts'
import { errorAnswer } from '../api/http/error-answer.ts'
import { addHealthRoutes } from '../api/http/health.ts'
import { RateLimit } from '../api/http/rate-limit.ts'
import { endpointRoutes } from '../api/http/router.ts'
import { securityHeaders } from '../api/http/security-headers.ts'
import type { Service } from '../api/http/service.ts'
import { answersRefused } from '../platform/metrics/metrics.ts'
import { billEstimateRoutes } from '../web/bill-estimate/routes.ts'
import { cardRoutes } from '../web/cards/routes.ts'
import { developerKeyRoutes } from '../web/developer-key/routes.ts'
import { renderErrorPage } from '../web/error-page.ts'
import { assetRoutes, pageRoutes } from '../web/page-routes.ts'

/** `registry` is the site map; tests of the mechanics bring their own. */
export function createApp(service: Service, registry: readonly Endpoint[] = endpoints): Express {
  const { config, log } = service
  const security = securityHeaders(config.baseUrl)
  const limiter = new ConcurrencyLimiter({
    atOnce: config.computingAtOnce,
    nowMs: () => performance.now(),
    onRefused: () => answersRefused.inc({ because: 'overload' }),
  })
  const rateLimit = new RateLimit(service)
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.set('query parser', false) // read strictly by src/api/http/query.ts
  app.set('trust proxy', config.trustedProxies)

  app.use(accessLog(log))
  app.use(refuseAmbiguousHeaders())
  app.use(forwardedAddresses())
  addHealthRoutes(app, service.health, security.data)
  app.use(canonicalHost(config, security.data))
  app.use(BASE_PATH, endpointRoutes(registry, service, security.data, limiter, rateLimit))
  app.use(`${BASE_PATH}/docs`, apiDocsRoutes(security.apiDocs))
  app.use(DOWNLOADS_PATH, downloadRoutes(service, security.data))
  app.use(assetRoutes(security.pages))
  app.use((req, res, next) => rateLimit.consumePage(req, res).then(() => next(), next))
  app.use(billEstimateRoutes(service, security.pages, limiter))
  app.use(cardRoutes(service, security.cards, limiter))
  app.use(developerKeyRoutes(service, security.pages))
  app.use(pageRoutes(service, security.pages, limiter))
  app.use(() => {
    throw notFound(`There is nothing at this address. ${config.baseUrl.origin}${BASE_PATH} lists the endpoints.`)
  })
  app.use(errorAnswer({ service, security, renderPage: renderErrorPage }))
  return app
}
