/** Routes under `/v1`, made from the registry: one per path, with its methods. */
import { type NextFunction, type Request, type Response, Router } from 'express'
import { assetBySlug } from '../../market/assets.ts'
import { methodNotAllowed } from '../contract/errors.ts'
import type { EndpointAnswers, EndpointAnswersOptions } from './answer-endpoint.ts'
import { preflightHeaders } from './cors.ts'
import type { Endpoint } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import type { RateLimit } from './rate-limit.ts'
import { contextOf } from './request-context.ts'
import { send } from './send.ts'

/** The pages of the API documentation are not part of the API. */
const DOCS_PATH = /^\/docs(?:\/|$)/

export function endpointRoutes(options: EndpointAnswersOptions, answers: EndpointAnswers): Router {
  const { registry, security, rateLimit } = options
  const router = Router({ caseSensitive: true })
  // `/PUN/today` is `/pun/today`: assets may be in any case.
  router.use((req: Request, _res: Response, next: NextFunction) => {
    req.url = req.url.replace(/^\/(\w+)(?=\/)/, (whole, segment) =>
      assetBySlug(segment) ? whole.toLowerCase() : whole,
    )
    next()
  })
  for (const [path, operations] of Map.groupBy(registry, (endpoint) => endpoint.path)) {
    router.all(expressPath(path), pathHandler(operations, rateLimit, answers, security))
  }
  router.use(async (req: Request, res: Response, next: NextFunction) => {
    if (!DOCS_PATH.test(req.path)) await rateLimit.consume(req, res, undefined)
    next()
  })
  // A path that cannot be decoded is refused before it reaches an endpoint, so it is counted here.
  router.use(async (err: unknown, req: Request, res: Response, next: NextFunction) => {
    if (err instanceof URIError) await rateLimit.consume(req, res, undefined)
    next(err)
  })
  return router
}

/** Answers OPTIONS, refuses methods that the path does not support, and passes the others to their endpoint. */
function pathHandler(
  operations: readonly Endpoint[],
  rateLimit: RateLimit,
  answers: EndpointAnswers,
  security: HeaderList,
) {
  const byMethod = new Map(operations.flatMap((operation) => methodsOf(operation).map((method) => [method, operation])))
  const allow = [...byMethod.keys(), 'OPTIONS']
  const [first] = operations
  if (!first) throw new Error('a path without an operation')
  const preflight = [...preflightHeaders(first.plan, allow), ...security]
  return async (req: Request, res: Response): Promise<void> => {
    const endpoint = byMethod.get(req.method)
    contextOf(res).endpoint = endpoint ?? first
    if (!endpoint && req.method === 'OPTIONS') {
      await rateLimit.peek(req, res)
      send(res, 204, preflight)
      return
    }
    if (endpoint) return answers.answer(endpoint, req, res)
    await rateLimit.consume(req, res, endpoint)
    throw methodNotAllowed(req.method, allow)
  }
}

/** HEAD is GET without the body. */
function methodsOf(endpoint: Endpoint): string[] {
  return endpoint.method === 'get' ? ['GET', 'HEAD'] : [endpoint.method.toUpperCase()]
}

/** `/prices/{asset}/series` is `/prices/:asset/series` to Express. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
