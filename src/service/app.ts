/** Builds the service's request listener from its context. The middleware is listed in the order in which a request passes it. Never listens. */
import type { RequestListener } from 'node:http'
import express from 'express'
import { DOWNLOADS_PATH } from '../api/contract/bulk.ts'
import { notFound } from '../api/contract/errors.ts'
import { BASE_PATH } from '../api/contract/identity.ts'
import { endpoints } from '../api/endpoints/index.ts'
import { EndpointAnswers } from '../api/http/answer-endpoint.ts'
import { apiDocsRoutes } from '../api/http/api-docs.ts'
import { canonicalChecker, redirectToCanonical } from '../api/http/canonical-host.ts'
import { ConcurrencyLimiter } from '../api/http/concurrency-limiter.ts'
import { downloadRoutes } from '../api/http/downloads.ts'
import type { Endpoint } from '../api/http/endpoint.ts'
import { errorAnswer } from '../api/http/error-answer.ts'
import { fastPath } from '../api/http/fast-path.ts'
import { refusePagesWhileFilling } from '../api/http/first-data.ts'
import { addHealthRoutes } from '../api/http/health.ts'
import { ParsedRequestCache } from '../api/http/parsed-request-cache.ts'
import { RateLimit } from '../api/http/rate-limit.ts'
import { contextOf } from '../api/http/request-context.ts'
import { endpointRoutes } from '../api/http/router.ts'
import { securityHeaders } from '../api/http/security-headers.ts'
import type { Service } from '../api/http/service.ts'
import { TrustedProxies } from '../api/http/trusted-proxies.ts'
import { MCP_PATH, mcpRoutes } from '../api/mcp/mcp-routes.ts'
import { refusedRequests } from '../platform/metrics/metrics.ts'
import { alertLinkRoutes } from '../web/alert-links/routes.ts'
import { apiDocsCss, inlineSources } from '../web/assets.ts'
import { billEstimateRoutes } from '../web/bill-estimate/routes.ts'
import { cardRoutes } from '../web/cards/routes.ts'
import { chartFileRoutes } from '../web/chart-files.ts'
import { clientPackageRoutes } from '../web/client-packages.ts'
import { dayRoutes } from '../web/days/routes.ts'
import { developerKeyRoutes } from '../web/developer-key/routes.ts'
import { type DocumentText, documentTexts } from '../web/document-texts.ts'
import { renderErrorPage } from '../web/error-page.ts'
import { historyRoutes } from '../web/history/routes.ts'
import type { Page } from '../web/page.ts'
import { pages } from '../web/page-list.ts'
import { assetRoutes, pageRoutes, withoutLinkTags } from '../web/page-routes.ts'
import { sqlRoutes } from '../web/sql/routes.ts'
import { textRoutes } from '../web/text-routes.ts'

/** `registry`: the endpoints to serve; `known`: the cache of parsed requests. Tests of the HTTP layer pass their own. */
export function createApp(
  service: Service,
  registry: readonly Endpoint[] = endpoints,
  known = new ParsedRequestCache(),
): RequestListener {
  const { config, log } = service
  const security = securityHeaders(config.baseUrl, inlineSources())
  const limiter = new ConcurrencyLimiter({
    atOnce: config.computingAtOnce,
    nowMs: () => performance.now(),
    onRefused: () => refusedRequests.inc({ because: 'overload' }),
  })
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.set('query parser', false) // read strictly by src/api/http/query.ts
  app.set('trust proxy', config.trustedProxies)
  const proxies = new TrustedProxies(app.get('trust proxy fn'))
  const isCanonical = canonicalChecker(config, proxies)
  const rateLimit = new RateLimit(service, proxies)

  let documents: ReturnType<typeof documentTexts> | undefined
  const texts = () => (documents ??= documentTexts(service))

  app.use((_req, res, next) => next(contextOf(res).thrown))
  addHealthRoutes(app, service.health, security.data)
  app.use(redirectToCanonical(isCanonical, config.baseUrl, security.data))
  const endpointOptions = { service, registry, security: security.data, limiter, rateLimit, known }
  const answers = new EndpointAnswers(endpointOptions)
  app.use(BASE_PATH, endpointRoutes(endpointOptions, answers))
  app.use(`${BASE_PATH}/docs`, apiDocsRoutes(registry, security.apiDocs, apiDocsCss()))
  app.use(MCP_PATH, mcpRoutes({ ...endpointOptions, answers, documents: documentsFor(texts) }))
  app.use(DOWNLOADS_PATH, clientPackageRoutes(security.data), downloadRoutes(service, security.data))
  app.use(assetRoutes(security.pages, known))
  app.use(sqlRoutes({ service, security: security.pages, answers, rateLimit }))
  app.use(async (req, res, next) => {
    await rateLimit.consumePage(req, res)
    req.url = req.originalUrl = withoutLinkTags(req.url)
    next()
  })
  const pageOptions = { service, security: security.pages, limiter, rateLimit, known }
  const isDocument = ({ path }: Page) => path.startsWith('/docs')
  app.use(textRoutes({ documents: texts, baseUrl: config.baseUrl, security: security.data }))
  app.use(pageRoutes(pages.filter(isDocument), pageOptions))
  app.use(refusePagesWhileFilling(service.health))
  app.use(dayRoutes(service, security.data, rateLimit))
  app.use(billEstimateRoutes(service, security.pages, limiter))
  app.use(cardRoutes({ service, security: security.cards, limiter, rateLimit, known }))
  app.use(historyRoutes({ service, security: security.data, limiter }))
  app.use(
    chartFileRoutes(
      pages.filter((page) => !isDocument(page)),
      { service, security: security.data, limiter },
    ),
  )
  app.use(alertLinkRoutes(service, security.pages))
  app.use(developerKeyRoutes(service, security.pages, proxies))
  app.use(
    pageRoutes(
      pages.filter((page) => !isDocument(page)),
      pageOptions,
    ),
  )
  app.use(() => {
    throw notFound(`There is nothing at this address. ${config.baseUrl.origin}${BASE_PATH} lists the endpoints.`)
  })
  app.use(errorAnswer({ service, security, renderPage: renderErrorPage }))
  return fastPath({ express: app, known, isCanonical, log })
}

/** The documents that the tools for assistants list and read. */
function documentsFor(texts: () => Promise<readonly DocumentText[]>) {
  return { list: texts, read: async (path: string) => (await texts()).find((one) => one.path === path)?.text }
}
