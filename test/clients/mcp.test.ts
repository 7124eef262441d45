/** The tools for assistants, called by a client of the official SDK: over HTTP, and on standard input. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLANS } from '../../src/api/contract/plans.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { presentReply } from '../../src/api/mcp/present-reply.ts'
import { operationsOf } from '../../src/clients/generate/operations.ts'
import { committedOpenapi } from '../../src/web/openapi-file.ts'
import { startClientScene } from '../support/client-scene.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const LENGTH_MAX = 10_000
/** Operations without a tool: files, streams, feeds, webhooks, descriptions of the service for programs, and those that another tool covers. */
const WITHOUT_TOOL =
  /^(streamChanges|listBulkDatasets|getBulk|getBulkFiles|getDataPackage|\w+Exports?|\w+Feed|getIndex|getOpenapi|\w+Webhooks?|\w+Webhook[A-Z]\w*|get\w+Today|getAlert)$/
/** Parameters for CSV, times for programs, partial responses or waiting. */
const WITHOUT_PARAMETER = ['sep', 'decimal', 'times', 'stream', 'cursor', 'explain', 'wait']
const READ_ONLY_POSTS = ['simulateMargin', 'postTradingBacktest', 'postSql']
const WRITE_OPERATIONS = ['createAlert', 'changeAlert', 'deleteAlert', 'testAlert']
/** Maximum size of the descriptions and input schemas. */
const READ_FIRST_BYTES_MAX = 22_500

interface Question {
  question: string
  tool: string
  arguments: Record<string, unknown>
  /** Texts that must all be in the response. */
  answer: string[]
}
const questions: Question[] = JSON.parse(readFileSync(path.join(import.meta.dirname, 'mcp-questions.json'), 'utf8'))

const service = await startClientScene({ analysts: true })
afterAll(() => service.stop())
const { key } = await service.issueKey('Trading')

const clients: Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.close())))

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  clients.push(client)
  await client.connect(transport)
  return client
}

const overHttp = (own: string | null = key) =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), {
      requestInit: { headers: own === null ? {} : { authorization: `Bearer ${own}` } },
    }),
  )
const onStandardInput = () =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(ROOT, 'src/cli/mcp.ts'), '--url', service.baseUrl],
      env: { ...(process.env as Record<string, string>), ENERGY_PRICES_KEY: key },
    }),
  )

async function call(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  return {
    text: (content as { text: string }[]).map(({ text }) => text).join('\n'),
    reply: structuredContent as Record<string, unknown>,
    isError: isError === true,
  }
}

/** Required arguments, as documented. */
function requiredArguments(name: string): Record<string, unknown> {
  const endpoint = endpoints.find(({ id }) => id === name)
  if (endpoint === undefined) throw new Error(`there is no endpoint ${name}`)
  const shapes = { ...endpoint.pathSchema.shape, ...endpoint.query.shape }
  const required = Object.entries(shapes).filter(([, schema]) => !schema.safeParse(undefined).success)
  const given = required.map(([parameter, schema]) => [parameter, schema.meta()?.example])
  return Object.fromEntries(endpoint.body ? [...given, ['body', endpoint.body.meta()?.example]] : given)
}

describe.each([
  ['over HTTP', overHttp],
  ['on standard input', onStandardInput],
])('an MCP client %s', (_name, open) => {
  let client: Client
  beforeAll(async () => {
    client = await open()
  })

  it('lists a tool for each read endpoint and for alerts, with the parameters of the OpenAPI document', async () => {
    const { tools } = await client.listTools()
    const documented = operationsOf(JSON.parse(committedOpenapi()))
    expect(tools.map(({ name }) => name).sort()).toEqual(
      documented
        .filter(({ id, method }) =>
          method === 'GET' ? !WITHOUT_TOOL.test(id) : [...READ_ONLY_POSTS, ...WRITE_OPERATIONS].includes(id),
        )
        .map(({ id }) => id)
        .sort(),
    )
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      const operation = documented.find(({ id }) => id === name)
      const names = operation?.arguments.map((one) => one.name) ?? []
      const wanted = names.filter((one) => name !== 'listAlerts' && !WITHOUT_PARAMETER.includes(one))
      expect(Object.keys(inputSchema.properties ?? {}), name).toEqual(operation?.body ? [...wanted, 'body'] : wanted)
      const isWriting = WRITE_OPERATIONS.includes(name) || undefined
      const replaces = isWriting && ['changeAlert', 'deleteAlert'].includes(name)
      expect(annotations, name).toEqual({
        readOnlyHint: !isWriting,
        destructiveHint: replaces,
        idempotentHint: replaces,
        openWorldHint: WRITE_OPERATIONS.includes(name) && name !== 'deleteAlert',
      })
      expect(operation?.description.startsWith(String(description).split(' Plan: ')[0] as string), name).toBe(true)
      expect(outputSchema?.type, name).toBe('object')
      expect(JSON.stringify(inputSchema)).not.toContain('$ref')
    }
    const read = tools.map(({ description, inputSchema }) => description + JSON.stringify(inputSchema))
    expect(Buffer.byteLength(read.join(''))).toBeLessThanOrEqual(READ_FIRST_BYTES_MAX)
  })

  it('calls each tool: a short response with unit, day, source and kind, or the reason why there is none', async () => {
    const { tools } = await client.listTools() // from here on, the client validates structured content against the output schemas
    const silent: string[] = []
    for (const { name } of tools) {
      if (WRITE_OPERATIONS.includes(name)) continue
      const { text, isError } = await call(client, name, requiredArguments(name))
      expect(text.length, name).toBeLessThan(LENGTH_MAX)
      if (isError) {
        expect(text, name).toMatch(/^(no_data|invalid_parameter|not_found): /)
        silent.push(name)
      } else expect(text, name).toMatch(/\nUnit: .+\nMarket day: \d{4}-\d\d.*\nSource: .+\nKind: .+\nData: real$/)
    }
    expect(silent.length).toBeLessThan(tools.length / 3)
  })

  it('creates, changes, tests and removes an alert of its key', async () => {
    await client.listTools()
    const body = { asset: 'pun', condition: 'above', threshold: 150, webhook_url: 'https://hooks.example.com/energy' }
    const { text, reply: created } = await call(client, 'createAlert', { body })
    expect(text).toContain('Kind: settings of the key')
    const id = created.id as string
    const changed = await call(client, 'changeAlert', { id, body: { threshold: 160 } })
    expect(changed, changed.text).toMatchObject({ isError: false, reply: { id, threshold: 160 } })
    expect((await call(client, 'testAlert', { id })).reply).toMatchObject({ type: 'alert.test' })
    expect(await call(client, 'deleteAlert', { id })).toMatchObject({ isError: false, text: 'Done.', reply: {} })
    expect(await call(client, 'deleteAlert', { id })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^not_found/),
    })
    expect((await call(client, 'listAlerts')).reply).toMatchObject({ count: 0 })
  })

  it('reads documents, schemas and prompts', async () => {
    const { resources } = await client.listResources()
    const quickStart = resources.find(({ uri }) => uri.endsWith('/docs/quick-start.md'))
    const { contents } = await client.readResource({ uri: quickStart?.uri ?? '' })
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', text: expect.stringMatching(/^# Quick start\n/) })
    const { resourceTemplates } = await client.listResourceTemplates()
    const schema = resourceTemplates[0]?.uriTemplate.replace('{name}', 'HourlyPrices') ?? ''
    expect((await client.readResource({ uri: schema })).contents[0]).toMatchObject({
      text: expect.stringContaining('cheapest_hours'),
    })
    const { prompts } = await client.listPrompts()
    expect(prompts).toHaveLength(3)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name })
      const text = (messages as { content: { text: string } }[])[0]?.content.text ?? ''
      expect(
        names.some((tool) => text.includes(tool)),
        name,
      ).toBe(true)
    }
  })
})

it('the tools answer all fifty questions with the right figures', async () => {
  const client = await overHttp()
  const wrong: unknown[] = []
  for (const { question, tool, arguments: args, answer } of questions) {
    const { text } = await call(client, tool, args)
    const missing = answer.filter((figure) => !text.includes(figure))
    if (missing.length > 0) wrong.push({ question, missing, text: text.slice(0, 1_500) })
  }
  console.log(`${questions.length - wrong.length} of ${questions.length} questions answered right`)
  expect(questions).toHaveLength(50)
  expect(wrong).toEqual([])
})

describe('a tool response', () => {
  it('marks synthetic and simulated figures, and forecasts', () => {
    const marked = (reply: object, tag: 'Forecasts' | 'Fundamentals') => presentReply({ tag }, reply, '2026-11-20')
    const synthetic = { unit: '€/MWh', value: 1, source: 'Synthetic sample data (not market prices)' }
    expect(marked(synthetic, 'Forecasts')).toMatch(/Kind: forecast, not a published price\nData: SYNTHETIC sample data/)
    expect(marked({ value: 1, simulated: true }, 'Fundamentals')).toContain('SYNTHETIC')
  })

  it('states how many rows it omits', () => {
    const points = Array.from({ length: 150 }, (_, i) => ({ date: '2026-11-20', value: i }))
    expect(presentReply({ tag: 'History' }, { points }, '2026-11-20')).toContain('… 50 more rows')
  })
})

describe('keys, plans and limits over MCP', () => {
  it('a client without a key can call open tools', async () => {
    expect((await call(await overHttp(null), 'getLatestPrice', { asset: 'pun' })).isError).toBe(false)
  })

  it.each([
    ['no key', null, 'getPunHourly', {}, /missing_key/],
    ['a smaller plan', 'Developer', 'getPunHourly', {}, /^tier_required: .*API plan/],
    ['an unknown parameter', 'Trading', 'getPunZones', { day: '2026-11-21' }, /invalid_parameter: day/],
  ] as const)('a call with %s is a tool error', async (_fault, plan, tool, args, problem) => {
    const client = await overHttp(plan && (await service.issueKey(plan)).key)
    expect(await call(client, tool, args)).toMatchObject({ isError: true, text: expect.stringMatching(problem) })
  })

  const message = (method: string, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
  const toolCall = (name: string, args = {}) => message('tools/call', { name, arguments: args })
  const quotaLeft = ({ headers }: { headers: Headers }) => Number(headers.get('x-quota-remaining'))

  it('a revoked key is refused, and an exceeded rate limit returns 429 with Retry-After', async () => {
    const { id, key: revoked } = await service.issueKey('API')
    await service.revokeKey(id)
    await expect(overHttp(revoked)).rejects.toThrow('invalid_key')
    const { key: slow } = await service.issueKey('API', { requestsPerMinute: 1 })
    const ask = () => post(slow, message('tools/list'))
    expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('each message counts towards the monthly quota', async () => {
    const { key: own } = await service.issueKey('API')
    const left = async () => quotaLeft(await post(own, toolCall('getToday')))
    expect((await left()) - (await left())).toBe(1)
  })

  it('a batch returns 400, and GET returns 405', async () => {
    expect((await post(key, [toolCall('getToday'), toolCall('getToday')])).status).toBe(400)
    expect((await fetch(`${service.baseUrl}/mcp`)).status).toBe(405)
  })

  it('a no_data response does not count towards the monthly quota, as in the API', async () => {
    const { key: own } = await service.issueKey('API')
    const headers = { authorization: `Bearer ${own}` }
    const asked = await post(own, toolCall('getPunHourly', { date: '2026-11-29' }))
    expect(await asked.text()).toContain('no_data')
    const inTheApi = await service.ask('/v1/pun/hourly?date=2026-11-29', { headers })
    expect(inTheApi.status).toBe(503)
    expect([quotaLeft(asked), quotaLeft(inTheApi)]).toEqual(Array(2).fill(PLANS.API.requestsPerMonth))
    const counted = await service.ask('/v1/plans', { headers })
    expect(quotaLeft(counted) + 1).toBe(PLANS.API.requestsPerMonth)
  })
})

function post(own: string, body: unknown): Promise<Response> {
  return fetch(`${service.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${own}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
}
