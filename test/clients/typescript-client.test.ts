/** The TypeScript client, installed from the service: its package, responses and recipes. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/api/contract/errors.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { generatedFiles } from '../../src/clients/generate/files.ts'
import { clientPackages, hasContentOf } from '../../src/clients/generate/packages.ts'
import type * as Client from '../../src/clients/typescript/src/index.ts'
import { CLIENT_PACKAGES } from '../../src/web/client-packages.ts'
import { committedOpenapi } from '../../src/web/openapi-file.ts'
import { CHROMIUM, hasChromium, openBrowser } from '../support/browser.ts'
import { SCENE_NOW, startClientScene } from '../support/client-scene.ts'
import { installClient } from '../support/installed-client.ts'
import { type LocalServer, listenLocally } from '../support/local-server.ts'
import { WEBHOOK_VECTORS } from '../support/webhook-vectors.ts'
import { caseBenchOfFile, cases, type PreparedCase } from './cases.ts'
import { recipes } from './examples.ts'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '../..')
const COMPRESSED_BYTES_MAX = 15_000
const deno = programOnPath('deno')

const service = await startClientScene()
afterAll(() => service.stop())
const bench = await caseBenchOfFile(service)
const installed = await installClient(service)
afterAll(() => installed[Symbol.asyncDispose]())
const client: typeof Client = await import(pathToFileURL(path.join(installed.folder, 'dist/index.js')).href)
const { key } = await service.issueKey('API')
const env = { ...process.env, ENERGY_PRICES_URL: service.baseUrl, ENERGY_PRICES_KEY: key, NO_COLOR: '1' }

/** What a program prints to its user. */
const printed = async (command: string, ...args: string[]) =>
  (await run(command, args, { cwd: installed.user, env })).stdout
const runModule = (program: string) => printed(process.execPath, '--input-type=module', '-e', program)

function programOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders.map((one) => path.join(one, name)).find((file) => existsSync(file))
}

const open = (options: Client.ClientOptions = {}) => new client.EnergyPrices({ url: service.baseUrl, key, ...options })

describe('the package', () => {
  it('is generated from the current OpenAPI document by `npm run openapi`', async () => {
    for (const { file, text } of await generatedFiles(JSON.parse(committedOpenapi())))
      expect(readFileSync(file, 'utf8') === text, `${file.pathname} is stale`).toBe(true)
    const packages = await clientPackages()
    expect(readdirSync(CLIENT_PACKAGES).sort()).toEqual(packages.map(({ name }) => name).sort())
    for (const { name, content } of packages)
      expect(hasContentOf(readFileSync(new URL(name, CLIENT_PACKAGES)), content), `${name} is stale`).toBe(true)
  })

  it('has a scoped name, the API version, the project’s licence, and a published SHA-256 hash', async () => {
    const project = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
    const api = JSON.parse(committedOpenapi()).info
    const { name, version, license } = JSON.parse(readFileSync(path.join(installed.folder, 'package.json'), 'utf8'))
    expect([name, version, license]).toEqual(['@italian-energy-prices/client', api.version, project.license])
    expect(readFileSync(path.join(installed.folder, 'LICENSE'), 'utf8')).toContain('Apache License')
    for (const file of readdirSync(CLIENT_PACKAGES)) {
      const address = `${service.baseUrl}/downloads/${file}`
      const answer = await fetch(address)
      expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
      const hash = createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex')
      expect(await (await fetch(`${address}.sha256`)).text()).toBe(`${hash}  ${file}\n`)
    }
    const other = await fetch(`${service.baseUrl}/downloads/energy-prices-0.9.0.tgz`)
    expect([other.status, await other.text()]).toEqual([404, expect.stringContaining('There is no package at')])
  })

  it('has a method for every endpoint, and an error class for every code', async () => {
    const names = endpoints.map(({ id }) => id).filter((id) => id !== 'streamChanges')
    for (const name of names) expect(open(), name).toHaveProperty(name, expect.any(Function))
    const codes = ERROR_CODES.map((code) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    for (const code of codes) expect(client).toHaveProperty(code === 'InternalError' ? code : `${code}Error`)
  })

  it('is at most 15 kB compressed without the command line, and depends on nothing', () => {
    const dist = path.join(installed.folder, 'dist')
    const code = readdirSync(dist).filter((file) => file.endsWith('.js'))
    const bytes = gzipSync(code.map((file) => readFileSync(path.join(dist, file), 'utf8')).join('\n')).length
    console.log(`the client is ${bytes} bytes compressed`)
    expect(bytes).toBeLessThanOrEqual(COMPRESSED_BYTES_MAX)
    expect(JSON.parse(readFileSync(path.join(installed.folder, 'package.json'), 'utf8')).dependencies).toBeUndefined()
  })

  it('has types that reject what the contract rejects, and need no other package', async () => {
    expect(existsSync(path.join(installed.user, 'node_modules/apache-arrow'))).toBe(false)
    expect(await compile(TYPED_PROGRAM)).toBe('')
  })

  it('compiles and runs the program of its README', async () => {
    const [, program = ''] =
      /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(path.join(installed.folder, 'README.md'), 'utf8')) ?? []
    const here = program.replace('https://energy.example', service.baseUrl)
    expect(await compile(`declare const process: { env: Record<string, string | undefined> }\n${here}`)).toBe('')
    const check = 'console.log(hours.length, series.length, zones.zones.length, NoDataError.name)'
    expect(await runModule(here + check)).toBe('23 81 6 NoDataError\n')
  })
})

/** Compiler output for a user's program, with every type checked. */
async function compile(program: string): Promise<string> {
  const { user } = installed
  await writeFile(path.join(user, 'program.ts'), program)
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'esnext',
    lib: ['esnext', 'dom'],
    types: [],
    skipLibCheck: false,
  }
  await writeFile(path.join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }))
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', user]).catch((err: { stdout: string }) => err)
  return stdout
}

const TYPED_PROGRAM = `
import { EnergyPrices } from '@italian-energy-prices/client'
const client = new EnergyPrices()
const hours: Promise<number[]> = client.pun
  .hourly('nord', '2026-03-29', { granularity: 'quarter', as_of: '2026-11-20T00:00:00Z' })
  .then((hours) => [hours.length, ...[...hours].map(({ value }) => value), ...hours.rows.map(({ hour }) => hour)])
const days: Promise<string | undefined> = client.prices
  .series('pun', { unit: 'kwh', as_of: '2026-11-20T00:00:00Z' })
  .then((series) => series.at(-1)?.date ?? series.required_tier)
client.changes({ since: 'latest', dataset: 'pun', limit: 10, wait: 5, follow: true })
const price: Promise<number> = client.getPunToday().then(({ value }) => value)
const rows: Promise<Date> = client.pun.hourly('nord', '2026-03-29').then(({ rows }) => rows[0]!.startsAt)
// @ts-expect-error there is no such zone
client.pun.hourly('milano', '2026-03-29')
// @ts-expect-error a Date is not a market day
client.pun.hourly('nord', new Date())
// @ts-expect-error there is no such parameter
client.getPricesSeries({ asset: 'pun', form: 'csv' })
export { days, hours, price, rows }
`

describe('the shared client cases', () => {
  it.each(cases)('$name', async (one) => {
    const prepared = await bench.prepare(one, 'typescript')
    bench.expectOutcome(prepared, await outcomeOf(prepared))
  })
})

async function outcomeOf(one: PreparedCase): Promise<Record<string, unknown>> {
  const prices = open({ url: one.url, key: one.key, retries: 2, waitSecondsMax: one.wait_seconds_max ?? 5 })
  const startedMs = performance.now()
  let outcome: Record<string, unknown> = {}
  for (let time = 0; time < (one.times ?? 1); time += 1) outcome = await outcomeOfCall(prices, one).catch(errorDetails)
  return { ...outcome, seconds: (performance.now() - startedMs) / 1_000 }
}

async function outcomeOfCall(prices: Client.EnergyPrices, { call }: PreparedCase): Promise<Record<string, unknown>> {
  if (call.hours) {
    const [zone, days] = call.hours
    const span = typeof days === 'string' ? days : { from: days[0], to: days[1] }
    const { rows, ...about } = await prices.pun.hourly(zone as 'nord', span)
    const text = (instant: Date) => instant.toISOString().replace('.000', '')
    const plain = rows.map(({ startsAt, endsAt, ...row }) => ({
      ...row,
      starts_at: text(startsAt),
      ends_at: text(endsAt),
    }))
    return { ...about, count: rows.length, rows: { ...plain } }
  }
  if (call.operation) return { reply: await prices.call(call.operation as 'getToday', call.arguments as never) }
  const changes: Client.Change[] = []
  if (call.changes) {
    for await (const change of prices.changes(call.changes)) changes.push(change)
  } else if (call.stream) {
    const { dataset, take } = call.stream
    const [oldest] = (await prices.listChanges({ dataset, limit: 1 })).changes
    for await (const change of prices.stream({ dataset, since: oldest?.cursor })) {
      changes.push(change)
      if (changes.length >= take) break
    }
  }
  const positions = changes.map(({ cursor }) => Number.parseInt(cursor, 10))
  const isInOrder = positions.every((position, i) => i === 0 || position > (positions[i - 1] as number))
  return { changes: changes.length, first_kind: changes[0]?.kind, in_order: isInOrder }
}

function errorDetails(err: unknown): Record<string, unknown> {
  if (err instanceof client.ConnectionError) return { error: 'connection' }
  if (!(err instanceof client.ApiError)) throw err
  const { code, status, param, requiredTier, retryAfterSeconds } = err
  return { error: code, status, param, required_tier: requiredTier, retry_after: retryAfterSeconds }
}

describe('the client', () => {
  it('accepts a Temporal.PlainDate, rejects a Date, and converts an instant to its market day', async () => {
    const hours = await open().pun.hourly('nord', Temporal.PlainDate.from('2026-03-29'))
    expect(hours.rows).toHaveLength(23)
    await expect(open().pun.hourly('nord', new Date() as never)).rejects.toThrow('marketDayOf')
    expect(client.marketDayOf('2026-03-28T23:30:00Z')).toBe('2026-03-29')
    expect(client.addDays('2026-10-25', 1)).toBe('2026-10-26')
  })

  it('accepts a service URL with or without /v1, and rejects an invalid URL', async () => {
    for (const end of ['/', '/v1', '/v1/'])
      expect((await open({ url: service.baseUrl.replace(/\/$/, '') + end }).getPunToday()).asset).toBe('PUN')
    for (const url of ['energy.example', 'ftp://energy.example', ''])
      expect(() => open({ url }), url).toThrow('url must be the address of a service')
  })

  it('rejects unknown parameters and operations', async () => {
    const misspelt = { dat: '2026-03-29' } as never
    await expect(open().getPunZones(misspelt)).rejects.toThrow('dat is not a parameter of getPunZones, which has date,')
    await expect(open().csv('getPunZones', misspelt)).rejects.toThrow(TypeError)
    await expect(open().csv('getNothing' as never, {} as never)).rejects.toThrow('there is no operation getNothing')
  })

  it('reads CSV and Arrow of long intervals as one table', async () => {
    const args = { zone: 'nord', from: '2026-03-01', to: '2026-04-30' } as const
    // The package that users install for tables.
    await symlink(path.join(ROOT, 'node_modules/apache-arrow'), path.join(installed.user, 'node_modules/apache-arrow'))
    const csv = await open().csv('getPunHourly', args)
    expect(csv.trim().split('\n')).toHaveLength(1 + 61 * 24 - 1)
    const table = await open().arrow('getPunHourly', args)
    expect(table.numRows).toBe(61 * 24 - 1)
    expect(table.get(0)?.toJSON()).toMatchObject({ zone: 'nord', hour: 1, value: 51 })
  })

  it.each([
    [undefined, 30],
    [10, 5],
    [1, 1],
  ])('adapts the wait of the change feed to a timeout of %s seconds', async (timeoutSeconds, wait) => {
    const seen: string[] = []
    const answer = async (url: string | URL | Request) => {
      seen.push(new URL(url as string).searchParams.get('wait') ?? '')
      return Response.json({ changes: [{ cursor: '1-a' }], next: '1-a', more: false })
    }
    const prices = open({ fetch: answer, ...(timeoutSeconds && { timeoutSeconds }) })
    for await (const _ of prices.changes({ follow: true })) break
    expect(seen).toEqual([String(wait)])
  })

  it('rejects calls when their signal is aborted', async () => {
    const stop = new AbortController()
    const waiting = open().listChanges({ since: 'latest', wait: 30 }, { signal: stop.signal })
    stop.abort('enough')
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    const stopped = AbortSignal.abort()
    await expect(open().getPunToday(undefined, { signal: stopped })).rejects.toBe(stopped.reason)
    const stream = open().stream({ signal: AbortSignal.abort(new Error('over')) })
    await expect(stream.next()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  })

  it('returns hours and daily prices as iterable rows, as known at a given instant', async () => {
    const hours = await open().pun.hourly('nord', '2026-03-29', { as_of: SCENE_NOW })
    expect([hours.length, hours.at(-1)?.hour, [...hours]]).toEqual([23, 23, hours.rows])
    const series = await open().prices.series('pun', { from: '2026-11-18', to: '2026-11-19', as_of: SCENE_NOW })
    expect([series.length, series.at(0)?.date, [...series]]).toEqual([2, '2026-11-18', series.points])
    expect(series.as_of).toBe(SCENE_NOW)
    const before = open().pun.hourly('nord', '2026-03-29', { as_of: '2026-01-01T00:00:00Z' })
    await expect(before).rejects.toThrow(client.NotFoundError)
  })

  it.each(WEBHOOK_VECTORS)('verifies the webhook $id, and rejects a changed body, time or secret', async (vector) => {
    const headers = {
      'webhook-id': vector.id,
      'webhook-timestamp': String(vector.timestamp),
      'webhook-signature': vector.webhookSignature,
    }
    const call = { body: vector.body, headers, secret: vector.secret, nowSeconds: vector.timestamp + 10 }
    expect(await client.verifyWebhook(call)).toEqual(JSON.parse(vector.body))
    for (const changed of [{ body: `${vector.body} ` }, { secret: 'whsec_AAAA' }])
      await expect(client.verifyWebhook({ ...call, ...changed })).rejects.toThrow(client.WebhookVerificationError)
    await expect(client.verifyWebhook({ ...call, nowSeconds: vector.timestamp + 301 })).rejects.toThrow('the tolerance')
  })
})

describe('the recipes of the documentation', () => {
  it('number ten', () => {
    expect(recipes).toHaveLength(10)
  })

  it.each(recipes)('$title', async ({ js, output }) => {
    expect(await runModule(js)).toBe(output)
  })
})

describe.skipIf(deno === undefined)(`in Deno${deno ? '' : ' (skipped: there is no deno)'}`, () => {
  it.each(recipes)('$title', async ({ js, output }) => {
    const program = path.join(installed.user, 'program.mjs')
    await writeFile(program, js)
    expect(await printed(deno as string, 'run', '--quiet', '--allow-net', '--allow-env', program)).toBe(output)
  })
})

describe.skipIf(!hasChromium)(`in a browser${hasChromium ? '' : ` (skipped: there is no ${CHROMIUM})`}`, () => {
  it('calls open endpoints from another origin, but cannot send a key', async () => {
    await using site = await serveFolder(installed.folder)
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(site.baseUrl)
      const seen = await page.evaluate(`(async () => {
        const { ConnectionError, EnergyPrices, InvalidParameterError } = await import('/dist/index.js')
        const about = ${JSON.stringify({ url: service.baseUrl, retries: 0 })}
        const client = new EnergyPrices(about)
        const days = [await client.getPunToday(), await client.getPunToday()] // the second by its entity tag
        const window = await client.getCheapestWindow({ hours: 2 })
        const refused = await client.getCheapestWindow({ hours: 99 }).catch((err) => err)
        const withKey = await new EnergyPrices({ ...about, key: ${JSON.stringify(key)} }).getPunHourly().catch((err) => err)
        return {
          values: days.map((day) => day.value_native),
          hours: window.hours,
          refused: [refused instanceof InvalidParameterError, refused.param, typeof refused.requestId],
          isUnreached: withKey instanceof ConnectionError,
        }
      })()`)
      const refused = [true, 'hours', 'string']
      expect(seen).toEqual({ values: [120.485, 120.485], hours: 2, refused, isUnreached: true })
    } finally {
      await browser.close()
    }
  })
})

/** Serves the package's modules from another origin than the service. */
function serveFolder(root: string): Promise<LocalServer> {
  const server = createServer((req, res) => {
    if (req.url === '/') res.setHeader('content-type', 'text/html').end('<!doctype html><title>a page</title>')
    else if (req.url?.endsWith('.js'))
      res.setHeader('content-type', 'text/javascript').end(readFileSync(path.join(root, req.url)))
    else res.writeHead(404).end()
  })
  return listenLocally(server)
}
