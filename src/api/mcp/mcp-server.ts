/** The Model Context Protocol server, independent of the transport. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { counted } from '../../market/counted.ts'
import { ApiError } from '../contract/errors.ts'
import { CONTRACT_VERSION, SERVICE_NAME } from '../contract/identity.ts'
import { presentReply } from './present-reply.ts'
import type { Tool } from './tools.ts'

/** Frequent questions, worded so that an assistant finds the right tools. */
interface Prompt {
  name: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  text(given: Record<string, string>): string
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'when-is-it-cheap',
    description: 'The cheapest hours from now on, for an appliance or a car.',
    arguments: [
      { name: 'zone', description: 'Market zone, such as nord. Default: the national price.', required: false },
    ],
    text: ({ zone = 'nazionale' }) =>
      `With getNowAndNext for the zone ${zone}, name the cheapest hours from now on with their prices in €/kWh, in Roman time. Say until when prices are published, and whether the data are synthetic.`,
  },
  {
    name: 'what-moved-the-price',
    description: 'How a day’s price compares with the days before and with gas.',
    arguments: [{ name: 'date', description: 'Market day, YYYY-MM-DD. Default: today.', required: false }],
    text: ({ date = 'today' }) =>
      `Explain the PUN of ${date}: use getPricesSeries for pun, psv and ttf over the two weeks before it, and getPunZones for the spread of the zones. Give figures with units, days and sources; say what is not known.`,
  },
  {
    name: 'how-good-is-the-forecast',
    description: 'The forecast of the coming days, and how well past ones did.',
    arguments: [{ name: 'asset', description: 'pun, psv or ttf. Default: pun.', required: false }],
    text: ({ asset = 'pun' }) =>
      `Give the forecast of ${asset} with getForecast or getNextForecast, with its 80% band, and how past forecasts did with getTrackRecord. Make clear that forecasts are not prices.`,
  },
]

/** The documents of the service, in Markdown. */
export interface McpDocuments {
  list(): Promise<readonly { path: string; title: string }[]>
  /** Undefined if there is no such document. */
  read(path: string): Promise<string | undefined>
}

interface McpOptions {
  tools: readonly Tool[]
  documents: McpDocuments
  /** The OpenAPI document, as text. */
  openapi(): string
  /** Base of the documents' URLs. */
  origin: string
  /** Returns the reply of a tool's endpoint; undefined if it is empty. Throws `ApiError` with what the caller may see; reports the rest itself. */
  callTool(tool: Tool, args: Record<string, unknown>): Promise<Record<string, unknown> | undefined>
  today(): string
}

const INSTRUCTIONS = `Italian wholesale energy prices: PUN, market zones, PSV, TTF, Brent, CO2, forecasts with their record. Market days are calendar days in Rome, with 23 or 25 hours on the days of the daylight-saving changes. A missing price is missing, never 0. Quote unit, day and source; say when data are synthetic or forecasts.`
const OPENAPI_PATH = '/v1/openapi.json'
const SCHEMA_PATH = '/v1/openapi.json#/components/schemas/'

export function mcpServer(options: McpOptions): Server {
  const { tools, origin, documents } = options
  const server = new Server(
    { name: SERVICE_NAME, version: CONTRACT_VERSION },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ endpoint: _, ...described }) => described),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(options, params.name, params.arguments ?? {}))
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: [
      ...(await documents.list()).map(({ path, title }) => ({
        uri: `${origin}${path}.md`,
        name: title,
        mimeType: 'text/markdown',
      })),
      { uri: origin + OPENAPI_PATH, name: 'OpenAPI document', mimeType: 'application/json' },
    ],
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      { uriTemplate: `${origin}${SCHEMA_PATH}{name}`, name: 'Schema of an answer', mimeType: 'application/json' },
    ],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [await read(options, uri)],
  }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: PROMPTS.map(({ name, description, arguments: given }) => ({ name, description, arguments: given })),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name)
    if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${params.name}.`)
    const text = prompt.text(params.arguments ?? {})
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  return server
}

async function call({ tools, callTool, today }: McpOptions, name: string, args: Record<string, unknown>) {
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}.`)
  const content = (text: string) => [{ type: 'text' as const, text }]
  try {
    const reply = await callTool(tool, args)
    if (reply === undefined) return { content: content('Done.'), structuredContent: {} }
    return { content: content(presentReply(tool.endpoint, reply, today())), structuredContent: reply }
  } catch (err) {
    if (!(err instanceof ApiError)) throw err
    const wait = err.retryAfterSeconds === undefined ? '' : ` Ask again in ${counted(err.retryAfterSeconds, 'second')}.`
    return { isError: true, content: content(`${err.code}: ${err.message}${wait}`) }
  }
}

async function read({ documents, origin, openapi }: McpOptions, uri: string) {
  const isDocument = uri.startsWith(`${origin}/`) && uri.endsWith('.md')
  const text = isDocument ? await documents.read(uri.slice(origin.length, -'.md'.length)) : undefined
  if (text !== undefined) return { uri, mimeType: 'text/markdown', text }
  if (uri === origin + OPENAPI_PATH) return { uri, mimeType: 'application/json', text: openapi() }
  const name = uri.startsWith(origin + SCHEMA_PATH) ? uri.slice((origin + SCHEMA_PATH).length) : ''
  const schema = JSON.parse(openapi()).components.schemas[name]
  if (schema === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}.`)
  return { uri, mimeType: 'application/json', text: JSON.stringify(schema) }
}
