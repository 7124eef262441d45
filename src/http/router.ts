/** Routes under `/v1`, made from the registry: one per path, which knows its methods. */
import { type Request, type Response, Router } from 'express'
import { methodNotAllowed } from '../contract/errors.ts'
import { EndpointAnswers } from './answer-endpoint.ts'
import { preflightHeaders } from './cors.ts'
import type { Endpoint } from './endpoint.ts'
import type { HeaderList } from './headers.ts'
import { contextOf } from './request-context.ts'
import { send } from './send.ts'
import type { Service } from './service.ts'

export function endpointRoutes(registry: readonly Endpoint[], service: Service, security: HeaderList): Router {
  const answers = new EndpointAnswers(service, registry, security)
  const router = Router({ caseSensitive: true })
  for (const [path, operations] of Map.groupBy(registry, (endpoint) => endpoint.path)) {
    router.all(expressPath(path), pathHandler(operations, answers, security))
  }
  return router
}

/** Answers OPTIONS, refuses methods that the path does not have, and hands the others to their endpoint. */
function pathHandler(operations: readonly Endpoint[], answers: EndpointAnswers, security: HeaderList) {
  const byMethod = new Map(operations.flatMap((operation) => methodsOf(operation).map((method) => [method, operation])))
  const allow = [...byMethod.keys(), 'OPTIONS']
  const [first] = operations
  if (!first) throw new Error('a path without an operation')
  const preflight = [...preflightHeaders(first.plan, allow), ...security]
  return async (req: Request, res: Response): Promise<void> => {
    const endpoint = byMethod.get(req.method)
    contextOf(res).endpoint = endpoint ?? first
    if (endpoint) await answers.answer(endpoint, req, res)
    else if (req.method === 'OPTIONS') send(res, 204, preflight)
    else throw methodNotAllowed(req.method, allow)
  }
}

/** HEAD is GET without the body. */
function methodsOf(endpoint: Endpoint): string[] {
  return endpoint.method === 'get' ? ['GET', 'HEAD'] : [endpoint.method.toUpperCase()]
}

/** `/prices/{asset}/series` is `/prices/:asset/series` to Express. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
