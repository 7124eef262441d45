/** `/mcp`: the protocol over HTTP, one message per request. Requests are counted and limited like the API's; the first loads the SDK. */
import { type Request, type Response, Router } from 'express'
import { marketDayOf } from '../../market/market-day.ts'
import { requestFailed } from '../../platform/events.ts'
import { ApiError, invalidParameter, methodNotAllowed } from '../contract/errors.ts'
import { REQUEST_ID } from '../contract/headers.ts'
import { BASE_PATH } from '../contract/identity.ts'
import type { EndpointAnswers, EndpointAnswersOptions } from '../http/answer-endpoint.ts'
import { readBody } from '../http/body.ts'
import { toApiError } from '../http/error-answer.ts'
import { type HeaderList, setHeaders } from '../http/headers.ts'
import { limitHeaders } from '../http/limit-headers.ts'
import { openapiDocument } from '../http/openapi.ts'
import { contextOf } from '../http/request-context.ts'
import type { Service } from '../http/service.ts'
import type { McpDocuments } from './mcp-server.ts'
import { type Tool, toolsOf } from './tools.ts'

export const MCP_PATH = '/mcp'

interface McpRoutesOptions extends Pick<EndpointAnswersOptions, 'service' | 'registry' | 'rateLimit' | 'security'> {
  answers: EndpointAnswers
  documents: McpDocuments
}

export function mcpRoutes({ service, registry, rateLimit, security, answers, documents }: McpRoutesOptions): Router {
  const { baseUrl, comingEndpoints } = service.config
  let tools: Tool[] | undefined
  const router = Router({ caseSensitive: true })
  router.all('/', async (req: Request, res: Response) => {
    const caller = await rateLimit.consume(req, res, undefined)
    refuseOtherOrigin(req.headers.origin, baseUrl)
    if (req.method !== 'POST') throw methodNotAllowed(req.method, ['POST'])
    const message = await readBody(req, res)
    if (Array.isArray(message)) throw invalidParameter('body', 'must be one message')
    const [{ mcpServer }, { StreamableHTTPServerTransport }] = await Promise.all([
      import('./mcp-server.ts'),
      import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    ])
    tools ??= toolsOf(registry, comingEndpoints)
    const server = mcpServer({
      tools,
      documents,
      origin: baseUrl.origin,
      openapi: () => JSON.stringify(openapiDocument(registry, { serverUrl: BASE_PATH, comingEndpoints })),
      callTool: ({ endpoint }, args) =>
        readReply({ service, res, security }, () => answers.read(endpoint, args, caller, res)),
      today: () => marketDayOf(service.clock.now()).toString(),
    })
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
    res.once('close', () => void server.close())
    await server.connect(transport)
    setHeaders(res, headersOf(res, security))
    await transport.handleRequest(req, res, message)
  })
  return router
}

const LOCAL_HOST = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Prevents DNS rebinding, as the protocol requires: a page of another origin must not use a service that its visitor can reach. */
function refuseOtherOrigin(origin: string | undefined, baseUrl: URL): void {
  if (origin === undefined || origin === baseUrl.origin) return
  const isLocal = (url: URL | null) => url !== null && LOCAL_HOST.test(url.hostname)
  if (isLocal(baseUrl) && isLocal(URL.parse(origin))) return
  const problem = `Origin must be ${baseUrl.origin} or absent (got ${origin}); pages of other origins may not use ${MCP_PATH}.`
  throw new ApiError('invalid_parameter', problem, { status: 403, param: 'Origin' })
}

interface Exchange {
  service: Service
  res: Response
  security: HeaderList
}

/** Refused calls count like refused API requests; internal details go to the log only. */
async function readReply({ service, res, security }: Exchange, read: () => Promise<string>) {
  try {
    const text = await read()
    return text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>)
  } catch (thrown) {
    const err = toApiError(thrown)
    if (err.status >= 500 && !err.expected)
      requestFailed(service.log, { endpoint: MCP_PATH, status: err.status, cause: err.cause ?? err })
    Object.assign(contextOf(res), { error: err, countsAs: err.status })
    setHeaders(res, headersOf(res, security))
    throw err
  }
}

function headersOf(res: Response, security: HeaderList): HeaderList {
  const context = contextOf(res)
  return [
    ...security,
    REQUEST_ID,
    context.id,
    'Cache-Control',
    'no-store',
    ...limitHeaders(context, context.countsAs ?? 200),
  ]
}
