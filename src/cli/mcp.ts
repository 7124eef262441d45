/**
 * `npm run -s mcp -- [--url <address>]`: offers the tools for assistants on standard input and output, to assistants on this
 * machine. It calls a service over HTTP, with the key in ENERGY_PRICES_KEY.
 */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ApiError, ERRORS, type ErrorCode } from '../api/contract/errors.ts'
import { BASE_PATH } from '../api/contract/identity.ts'
import { endpoints } from '../api/endpoints/index.ts'
import { type McpDocuments, mcpServer } from '../api/mcp/mcp-server.ts'
import { type Tool, toolsOf } from '../api/mcp/tools.ts'
import { marketDayOf } from '../market/market-day.ts'
import { retryAfterSeconds } from '../platform/fetch/http-client.ts'
import { committedOpenapi } from '../web/openapi-file.ts'
import { runCommand, UsageError } from './command.ts'

const USAGE = `usage:
  npm run -s mcp -- [--url <address>]
The tools for assistants on standard input and output. --url, or ENERGY_PRICES_URL: the service that answers; default: http://127.0.0.1:8080.
ENERGY_PRICES_KEY: the key, if there is one.`

const { ENERGY_PRICES_URL = 'http://127.0.0.1:8080', ENERGY_PRICES_KEY: key } = process.env
const headers = key ? { authorization: `Bearer ${key}` } : {}

await runCommand(serve, USAGE)

/** Ends when standard input ends and all requests are answered. */
async function serve(): Promise<number> {
  const { values } = parseArgs({ options: { url: { type: 'string', default: ENERGY_PRICES_URL } } })
  const origin = originOf(values.url)
  await mcpServer({
    tools: toolsOf(endpoints, new Set()),
    documents: documentsAt(origin),
    openapi: committedOpenapi,
    origin,
    callTool: (tool, args) => callEndpoint(origin, tool, args),
    today: () => marketDayOf(Temporal.Now.instant()).toString(),
  }).connect(new StdioServerTransport())
  await once(process, 'beforeExit')
  return 0
}

function originOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`"${address}" is not the address of a service, such as http://127.0.0.1:8080`)
  return url.origin
}

async function callEndpoint(origin: string, { endpoint }: Tool, { body, ...args }: Record<string, unknown>) {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])))
  const query = Object.entries(args).filter(([name]) => !endpoint.path.includes(`{${name}}`))
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)]))
  const response = await fetch(`${origin}${BASE_PATH}${path}?${search}`, {
    method: endpoint.method.toUpperCase(),
    headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((err: unknown) => {
    throw new ApiError('internal_error', `Nothing answers at ${origin}.`, { cause: err })
  })
  if (response.status === 204) return undefined
  const reply = (await response.json()) as { error: ErrorCode; message: string }
  if (response.ok) return reply
  const seconds = retryAfterSeconds(response.headers.get('retry-after') ?? undefined, Temporal.Now.instant())
  throw new ApiError(reply.error in ERRORS ? reply.error : 'internal_error', reply.message, {
    status: response.status,
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  })
}

/** Reads the documents that the service lists in /llms.txt. */
function documentsAt(origin: string): McpDocuments {
  return {
    async list() {
      const text = await (await fetch(`${origin}/llms.txt`)).text()
      const links = [...text.matchAll(/^- \[(.+?)\]\((\S+)\.md\)/gm)]
      return links.map(([, title = '', address = '']) => ({ path: address.slice(origin.length), title }))
    },
    async read(path) {
      const response = await fetch(`${origin}${path}.md`)
      return response.ok ? response.text() : undefined
    },
  }
}
