/** The TypeScript client as a user has it: packed, and installed into an empty folder. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/api/contract/errors.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { generatedFiles } from '../../src/clients/generate/files.ts'
import type * as Client from '../../src/clients/typescript/src/index.ts'
import { WEBHOOK_VECTORS } from '../../src/web/docs/webhook-vectors.ts'
import { committedOpenapi } from '../../src/web/openapi-file.ts'
import { CHROMIUM, hasChromium, openBrowser } from '../support/browser.ts'
import { startClientScene } from '../support/client-scene.ts'
import type { TestService } from '../support/service.ts'
import { type CaseBench, cases, openCaseBench, type PreparedCase } from './cases.ts'
import { italianRecipes, type Recipe, recipes } from './examples.ts'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '../..')
const PACKAGE = path.join(ROOT, 'src/clients/typescript')
const COMPRESSED_BYTES_MAX = 15_000
const deno = programOnPath('deno')

let folder: string
let installed: string
let client: typeof Client
let service: TestService
let bench: CaseBench
let key: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-npm-'))
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  await cp(PACKAGE, path.join(folder, 'package'), { recursive: true })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: path.join(folder, 'package') })
  const user = path.join(folder, 'user')
  await mkdir(user)
  await writeFile(path.join(user, 'package.json'), '{ "type": "module", "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(folder, 'energy-prices-1.0.0.tgz')], {
    cwd: user,
  })
  await symlink(path.join(ROOT, 'node_modules/apache-arrow'), path.join(user, 'node_modules/apache-arrow'))
  installed = path.join(user, 'node_modules/energy-prices')
  client = await import(pathToFileURL(path.join(installed, 'dist/index.js')).href)
  service = await startClientScene()
  bench = await openCaseBench(service)
  key = (await service.issueKey('API')).key
})
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

function programOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders.map((one) => path.join(one, name)).find((file) => existsSync(file))
}

const open = (options: Client.ClientOptions = {}) => new client.EnergyPrices({ url: service.baseUrl, key, ...options })

describe('the package', () => {
  it('is made from the OpenAPI document of this version; `npm run openapi` writes it', async () => {
    for (const { file, text } of await generatedFiles(JSON.parse(committedOpenapi())))
      expect(readFileSync(file, 'utf8') === text, `${file.pathname} is stale`).toBe(true)
  })

  it('has a method for every endpoint, and an error class for every code', async () => {
    const names = endpoints.map(({ id }) => id).filter((id) => id !== 'streamChanges')
    for (const name of names) expect(open(), name).toHaveProperty(name, expect.any(Function))
    const codes = ERROR_CODES.map((code) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    for (const code of codes) expect(client).toHaveProperty(code === 'InternalError' ? code : `${code}Error`)
  })

  it('is at most 15 kB compressed without the command line, and depends on nothing', () => {
    const dist = path.join(installed, 'dist')
    const code = readdirSync(dist).filter((file) => file.endsWith('.js'))
    const bytes = gzipSync(code.map((file) => readFileSync(path.join(dist, file), 'utf8')).join('\n')).length
    console.log(`the client is ${bytes} bytes compressed`)
    expect(bytes).toBeLessThanOrEqual(COMPRESSED_BYTES_MAX)
    expect(JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')).dependencies).toBeUndefined()
  })

  it('brings types that refuse what the contract refuses', async () => {
    const user = path.join(folder, 'user')
    await writeFile(path.join(user, 'program.ts'), TYPED_PROGRAM)
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'esnext',
      lib: ['esnext', 'dom'],
      types: [],
      skipLibCheck: true,
    }
    await writeFile(
      path.join(user, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
    )
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
    const compiled = await run(process.execPath, [tsc, '-p', user]).catch((err: { stdout: string }) => err)
    expect(compiled.stdout).toBe('')
  })
})

const TYPED_PROGRAM = `
import { EnergyPrices } from 'energy-prices'
const client = new EnergyPrices()
const price: Promise<number> = client.getPunToday().then(({ value }) => value)
const rows: Promise<Date> = client.pun.hourly('nord', '2026-03-29').then(({ rows }) => rows[0]!.startsAt)
// @ts-expect-error there is no such zone
client.pun.hourly('milano', '2026-03-29')
// @ts-expect-error a Date is not a market day
client.pun.hourly('nord', new Date())
// @ts-expect-error there is no such parameter
client.getPricesSeries({ asset: 'pun', form: 'csv' })
export { price, rows }
`

describe('the cases that every client passes', () => {
  it.each(cases)('$name', async (one) => {
    const prepared = await bench.prepare(one, 'typescript')
    const { expected, seen } = bench.compare(prepared, await outcomeOf(prepared))
    expect(seen).toMatchObject(expected)
  })
})

async function outcomeOf(one: PreparedCase): Promise<Record<string, unknown>> {
  const prices = open({ url: one.url, key: one.key, retries: 2, waitSecondsMax: one.wait_seconds_max ?? 5 })
  const startedMs = performance.now()
  let outcome: Record<string, unknown> = {}
  for (let time = 0; time < (one.times ?? 1); time += 1) outcome = await outcomeOfCall(prices, one).catch(refusal)
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

function refusal(err: unknown): Record<string, unknown> {
  if (err instanceof client.ConnectionError) return { error: 'connection' }
  if (!(err instanceof client.ApiError)) throw err
  const { code, status, param, requiredTier, retryAfterSeconds } = err
  return { error: code, status, param, required_tier: requiredTier, retry_after: retryAfterSeconds }
}

describe('the client', () => {
  it('takes a Temporal.PlainDate, refuses a Date, and knows the market day of an instant', async () => {
    const hours = await open().pun.hourly('nord', Temporal.PlainDate.from('2026-03-29'))
    expect(hours.rows).toHaveLength(23)
    await expect(open().pun.hourly('nord', new Date() as never)).rejects.toThrow('marketDayOf')
    expect(client.marketDayOf('2026-03-28T23:30:00Z')).toBe('2026-03-29')
    expect(client.addDays('2026-10-25', 1)).toBe('2026-10-26')
  })

  it('takes the address of a service with and without /v1, and nothing else', async () => {
    for (const end of ['/', '/v1', '/v1/'])
      expect((await open({ url: service.baseUrl.replace(/\/$/, '') + end }).getPunToday()).asset).toBe('PUN')
    for (const url of ['energy.example', 'ftp://energy.example', ''])
      expect(() => open({ url }), url).toThrow('url must be the address of a service')
  })

  it('refuses a misspelt parameter, which would silently get another answer', async () => {
    const misspelt = { dat: '2026-03-29' } as never
    await expect(open().getPunZones(misspelt)).rejects.toThrow('dat is not a parameter of getPunZones, which has date,')
    await expect(open().csv('getPunZones', misspelt)).rejects.toThrow(TypeError)
    await expect(open().csv('getNothing' as never, {} as never)).rejects.toThrow('there is no operation getNothing')
  })

  it('reads CSV and Arrow of long intervals as one table', async () => {
    const args = { zone: 'nord', from: '2026-03-01', to: '2026-04-30' } as const
    const csv = await open().csv('getPunHourly', args)
    expect(csv.trim().split('\n')).toHaveLength(1 + 61 * 24 - 1)
    const table = await open().arrow('getPunHourly', args)
    expect(table.numRows).toBe(61 * 24 - 1)
    expect(table.get(0)?.toJSON()).toMatchObject({ zone: 'nord', hour: 1, value: 51 })
  })

  it('stops when it is aborted', async () => {
    const stop = new AbortController()
    const waiting = open().listChanges({ since: 'latest', wait: 30 }, { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  it.each(WEBHOOK_VECTORS)('verifies the webhook of $id, and nothing else', async (vector) => {
    const headers = {
      'webhook-id': vector.id,
      'webhook-timestamp': String(vector.timestamp),
      'webhook-signature': vector.webhookSignature,
    }
    const call = { body: vector.body, headers, secret: vector.secret, nowSeconds: vector.timestamp + 10 }
    expect(await client.verifyWebhook(call)).toEqual(JSON.parse(vector.body))
    await expect(client.verifyWebhook({ ...call, body: `${vector.body} ` })).rejects.toThrow(
      client.WebhookVerificationError,
    )
    await expect(client.verifyWebhook({ ...call, nowSeconds: vector.timestamp + 301 })).rejects.toThrow('too far off')
    await expect(client.verifyWebhook({ ...call, secret: 'whsec_AAAA' })).rejects.toThrow(
      client.WebhookVerificationError,
    )
  })
})

describe('the recipes of the documentation', () => {
  it('are ten, the same in both languages', () => {
    expect(recipes).toHaveLength(10)
    const programs = (list: Recipe[]) => list.map(({ js, python, output }) => [js, python, output])
    expect(programs(italianRecipes)).toEqual(programs(recipes))
  })

  it.each(recipes)('$title', async ({ js, output }) => {
    const env = { ...process.env, ENERGY_PRICES_URL: service.baseUrl, ENERGY_PRICES_KEY: key }
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', js], {
      cwd: path.join(folder, 'user'),
      env,
    })
    expect(stdout).toBe(output)
  })
})

describe.skipIf(deno === undefined)(`in Deno${deno ? '' : ' (skipped: there is no deno)'}`, () => {
  it.each(recipes)('$title', async ({ js, output }) => {
    const program = path.join(folder, 'user/program.mjs')
    await writeFile(program, js)
    const env = { ...process.env, ENERGY_PRICES_URL: service.baseUrl, ENERGY_PRICES_KEY: key, NO_COLOR: '1' }
    const { stdout } = await run(deno as string, ['run', '--quiet', '--allow-net', '--allow-env', program], { env })
    expect(stdout).toBe(output)
  })
})

describe.skipIf(!hasChromium)(`in a browser${hasChromium ? '' : ` (skipped: there is no ${CHROMIUM})`}`, () => {
  it('reads what is open from a page of another origin, where a key has no place', async () => {
    await using site = await serveFolder(installed)
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(site.url)
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
      expect(seen).toEqual({
        ...{ values: [120.485, 120.485], hours: 2, refused: [true, 'hours', 'string'], isUnreached: true },
      })
    } finally {
      await browser.close()
    }
  })
})

/** A site of another origin than the service, with the modules of the package. */
async function serveFolder(root: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((req, res) => {
    if (req.url === '/') res.setHeader('content-type', 'text/html').end('<!doctype html><title>a page</title>')
    else if (req.url?.endsWith('.js'))
      res.setHeader('content-type', 'text/javascript').end(readFileSync(path.join(root, req.url)))
    else res.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

describe('the dashboard for Grafana', () => {
  const text = readFileSync(path.join(ROOT, 'src/clients/examples/grafana-prices.json'), 'utf8')
  const { panels, templating, __inputs } = JSON.parse(text) as {
    panels: {
      title: string
      targets: { url: string; root_selector: string; columns: { selector: string; type: string }[] }[]
    }[]
    templating: { list: { name: string; current: { value: string } }[] }
    __inputs: { pluginId: string }[]
  }
  const values = new Map<string, string>(templating.list.map(({ name, current }) => [name, current.value]))
  values.set('__from:date:YYYY-MM-DD', '2026-10-22').set('__to:date:YYYY-MM-DD', '2026-11-20')

  it('asks for its data source at the import', () => {
    expect(__inputs).toEqual([
      expect.objectContaining({ name: 'DS_INFINITY', pluginId: 'yesoreyeram-infinity-datasource' }),
    ])
    expect(panels).toHaveLength(10)
  })

  it.each(panels)('has data of the API: $title', async ({ targets: [target] }) => {
    if (target === undefined) throw new Error('a panel without a query')
    const url = target.url.replace(/\$\{([^}]+)\}/g, (_, name: string) => values.get(name) ?? 'unknown')
    const { status, json } = await service.ask(url, { headers: { authorization: `Bearer ${key}` } })
    expect([url, status]).toEqual([url, 200])
    const found = target.root_selector === '' ? [json()] : (json()[target.root_selector] as Record<string, unknown>[])
    expect(found.length).toBeGreaterThan(0)
    for (const { selector, type } of target.columns) {
      const value = found[0]?.[selector]
      expect(type === 'number' ? typeof value === 'number' : typeof value === 'string', selector).toBe(true)
      if (type === 'timestamp') expect(Date.parse(String(value)), selector).not.toBeNaN()
    }
  })
})

describe('the command line', () => {
  const command = async (args: string[], env: Record<string, string> = {}) => {
    const about = { ...process.env, ENERGY_PRICES_URL: service.baseUrl, ENERGY_PRICES_KEY: key, ...env }
    const bin = path.join(folder, 'user/node_modules/.bin/energy-prices')
    return run(bin, args, { env: about }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    )
  }

  it('shows today’s prices', async () => {
    const { code, stdout } = await command(['today'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/PUN +120\.485 +€\/MWh +2026-11-20\nPSV +32 +€\/MWh/)])
  })

  it('draws the hours of both change days', async () => {
    const spring = await command(['hours', 'nord', '2026-03-29'])
    expect(spring.stdout).toContain('█')
    expect(spring.stdout).toContain('01:00+01:00')
    expect(spring.stdout).not.toContain('02:00+01:00')
    const autumn = await command(['hours', 'nord', '2026-10-25'])
    expect(autumn.stdout).toMatch(/02:00\+02:00 +63\.00 .*\n02:00\+01:00 +64\.00/)
  })

  it('prints CSV, JSON and the forecast', async () => {
    const csv = await command(['series', 'psv', '--from', '2026-11-18', '--to', '2026-11-19', '--csv'])
    expect(csv.stdout).toBe('asset;unit;date;value\r\nPSV;€/MWh;2026-11-18;31,8\r\nPSV;€/MWh;2026-11-19;31,9\r\n')
    const json = await command(['call', 'getPunZones', 'date=2026-11-21', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ date: '2026-11-21' })
    expect((await command(['forecast', 'pun'])).stdout).toMatch(/2026-11-22 +81 +91 +103/)
    expect((await command(['hours', 'nord', '2026-05-01'])).stdout).toContain('1 missing')
  })

  it('finds the cheapest hours, and shows what changes until it is interrupted', async () => {
    const { stdout } = await command(['cheapest', '3', '--deadline', '07:00'])
    expect(stdout).toContain('2026-11-20 14:30 to 2026-11-20 17:30')
    const bin = path.join(folder, 'user/node_modules/.bin/energy-prices')
    const env = { ...process.env, ENERGY_PRICES_URL: service.baseUrl, ENERGY_PRICES_KEY: key }
    const [oldest] = (await open().listChanges({ limit: 1 })).changes
    const watch = spawn(bin, ['watch', '--since', oldest?.cursor ?? '', '--json'], { env })
    const [line] = await once(createInterface(watch.stdout), 'line')
    expect(JSON.parse(line)).toMatchObject({ cursor: expect.stringMatching(/^2-/) })
    watch.kill('SIGINT')
    expect(await once(watch, 'exit')).toEqual([130, null])
  })

  it('ends with a code that says why', async () => {
    expect(await command(['hours', 'milano'])).toMatchObject({ code: 1, stderr: expect.stringContaining('zone') })
    expect(await command(['weather'])).toMatchObject({ code: 2 })
    expect(await command(['today', '--colour'])).toMatchObject({ code: 2 })
    expect(await command(['call', 'getPunZones', 'dat=2026-03-29'])).toMatchObject({ code: 2 })
    expect(await command(['today'], { ENERGY_PRICES_URL: 'localhost' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('got "localhost"'),
    })
    expect(await command(['hours', 'nord'], { ENERGY_PRICES_KEY: '' })).toMatchObject({ code: 3 })
    expect(await command(['hours', 'nord', '2026-11-23'])).toMatchObject({ code: 4 })
  })

  it('lists its commands, each apart from what it does', async () => {
    const { stdout } = await command(['--help'])
    expect(stdout).toMatch(/^ {2}cheapest \[hours\] .*\[--zone nord\] {2,}when to run/m)
  })

  it.each(['bash', 'zsh', 'fish'])('completes commands in %s', async (shell) => {
    const { stdout } = await command(['completion', shell])
    for (const word of ['today', 'hours', 'watch', 'getPunHourly', 'json']) expect(stdout).toContain(word)
    if (shell === 'bash') await run('bash', ['-n', '-c', stdout])
  })
})
