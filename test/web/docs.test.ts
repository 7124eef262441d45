/** The documentation: examples are run, tables compared with what is enforced. Its links: links.test.ts. */
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { ALERT_ASSETS } from '../../src/api/contract/alerts.ts'
import type { EndpointIndex } from '../../src/api/contract/endpoint-index.ts'
import { PAGES, PLAN_NAMES, PLANS } from '../../src/api/contract/plans.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import { documents } from '../../src/web/pages/documents.ts'
import { curlCalls } from '../support/curl.ts'
import { getPage, sliceBetween } from '../support/pages.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const FOLDER = path.join(import.meta.dirname, '../../src/web/docs')
const ORIGIN = 'https://energy.example'
const KEY = '<API_KEY>'
const runFile = promisify(execFile)
/** Their recipes need exported files and installed clients, so tests that have these run them. */
const TESTED_ELSEWHERE = ['bulk.md', 'lake.md', 'recipes.md']
const files = globSync('**/*.md', { cwd: FOLDER })
  .filter((file) => !TESTED_ELSEWHERE.includes(path.basename(file)))
  .sort()
const textOf = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8')

const service = await serviceOfFile({ now: '2026-11-21T12:30:00Z' })
await service.seed([
  ...STORED_ZONES.flatMap((zone) =>
    ['2026-10-01', '2026-11-21'].map((day) => zoneDay(zone, day, 15, (quarter) => 90 + Math.ceil(quarter / 4))),
  ),
  ...['2026-03-02', '2026-11-20'].map((day) => dailyPrice('PSV', day, 30)),
  zoneDay('nazionale', '2026-03-02', 60, () => 100),
])
const { key } = await service.issueKey('Trading')

/** Adapts an example to this service. */
const forThisService = (text: string) =>
  text.replaceAll(ORIGIN, service.baseUrl).replaceAll(KEY, key).replaceAll('svc_live_…', key)

describe('the examples of the documentation', () => {
  // One example, in each language, rotates its key, which is possible only once per key.
  beforeEach(() => service.sql`update api_keys set expires_at = null`)

  const calls = files.flatMap((file) => curlCalls(textOf(file)).map((call) => ({ file, ...call })))

  it('include more than 6 curl calls', () => {
    expect(calls.length).toBeGreaterThan(6)
  })

  it.each(calls)('$file: curl $url', async ({ url, init }) => {
    const headers = Object.fromEntries(
      Object.entries(init.headers).map(([name, value]) => [name, forThisService(value)]),
    )
    const path = forThisService(url).slice(service.baseUrl.length)
    const isFile = path.startsWith('/docs/files/')
    const answer = await (isFile ? fetch(forThisService(url), init) : service.ask(path, { ...init, headers }))
    expect([url, answer.status]).toEqual([url, init.method === 'POST' && url.endsWith('/webhooks') ? 201 : 200])
  })

  it('print prices in JavaScript', async () => {
    const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(textOf('quick-start.md')) ?? []
    const { stdout } = await runFile(process.execPath, ['--input-type=module', '-e', forThisService(program)])
    expect(stdout.trim().split('\n')).toHaveLength(6)
    expect(stdout).toMatch(/^2026-11-21 North 102\.5 0$/m)
  })

  it('print prices in Python', async (context) => {
    const [, program = ''] = /^```python\n([\s\S]*?)^```$/m.exec(textOf('quick-start.md')) ?? []
    const hasPython = await runFile('python3', ['--version']).then(
      () => true,
      () => false,
    )
    if (!hasPython) context.skip('there is no python3')
    const { stdout } = await runFile('python3', ['-c', forThisService(program)])
    expect(stdout).toContain('2026-11-21 102.5 €/MWh')
  })

  it.each(
    files.flatMap((file) =>
      [...textOf(file).matchAll(/`(https:\/\/energy\.example\/v1\/[^`]+)`/g)].map(([, url = '']) => ({ file, url })),
    ),
  )('$file: $url', async ({ url }) => {
    const separator = url.includes('?') ? '&' : '?'
    const address = url.includes('format=csv') ? `${url}${separator}key=${key}` : url
    expect((await fetch(forThisService(address))).status).toBe(200)
  })
})

describe('the install commands of the documentation', () => {
  const ROOT = path.join(import.meta.dirname, '../..')
  const readable = globSync(['*.md', '{src,sql,jobs,models,test}/**/*.{md,ipynb}'], { cwd: ROOT })
  const commands = readable.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    return [
      ...text.matchAll(
        /\b(npx|npm (?:install|i|exec|x)|yarn add|pnpm add|bunx|pip3? install|pipx? (?:install|run)|uvx)\b(.*)/g,
      ),
    ].map(([command, , rest = '']) => ({ file, command, rest }))
  })

  it('number at least 6', () => {
    expect(commands.length).toBeGreaterThanOrEqual(6)
  })

  it.each(commands)(
    '$file: $command installs from this service, not from a registry name that anyone could claim',
    async ({ rest }) => {
      const [, url = ''] = /^ (?:--global )?(https:\/\/energy\.example\/downloads\/\S+)$/.exec(rest) ?? []
      expect([url, (await fetch(forThisService(url))).status]).toEqual([expect.stringContaining('/downloads/'), 200])
    },
  )
})

describe('the index of the documentation, and of the API reference', () => {
  it.each(['en', 'it'])('links to every document and page of the documentation: %s', async (language) => {
    const { html } = await getPage(service.baseUrl, `/${language}/docs`)
    const cards = [...html.matchAll(/<li class="card"><a href="([^"]+)"/g)].map(([, link = '']) => link)
    for (const { path: document } of documents.filter(({ path }) => !path.startsWith('/docs/models/')))
      expect(cards).toContain(`/${language}${document}`)
    expect(cards).toContain('/v1/docs/')
  })

  it('lists every live endpoint with its plan', async () => {
    const { html } = await getPage(service.baseUrl, '/en/docs/reference')
    const index = (await service.ask('/v1')).json() as { endpoints: EndpointIndex['endpoints'] }
    const live = index.endpoints.filter(({ status }) => status === 'live')
    expect(live.length).toBeGreaterThan(20)
    for (const { method, path: address, plan } of live) {
      const row = `<code>${method} ${address}</code></th>`
      expect(html).toContain(row)
      expect(sliceBetween(html.slice(html.indexOf(row)), '<td>', '</tr>')).toMatch(new RegExp(`^<td>${plan}</td>`))
    }
    expect(html).not.toContain('<code>POST /sql</code>')
  })
})

describe('a document', () => {
  it.each(documents.map(({ path: address }) => address))('%s has the URL of this service', async (address) => {
    const { html } = await getPage(service.baseUrl, `/it${address}`)
    expect(html).not.toContain('https://energy.example')
    // The examples already use this service's URL, so there is nothing to replace.
    expect(html).not.toContain(`in place of <code>${service.baseUrl}`)
  })

  it.each(['webhooks.md', 'it/webhooks.md'])('%s names every kind of asset that an alert can watch', (file) => {
    const kinds = new Set(ALERT_ASSETS.map((asset) => asset.replace(/^(pun-zona|mi-a[12])-.*/, '$1-<')))
    const text = textOf(file)
    expect([...kinds].filter((kind) => !text.includes(`\`${kind}`))).toEqual([])
  })

  it('for analysts lists the views before the recipes that query them', async () => {
    const { html } = await getPage(service.baseUrl, '/en/docs/analysts')
    expect(html.indexOf('id="recipes"')).toBeGreaterThan(html.indexOf('id="prices_by_hour"'))
    expect(html).toContain('id="psql"')
  })
})

describe('plans and limits', () => {
  it.each(PLAN_NAMES)('%s is documented with the limits that are enforced', async (name) => {
    const { requestsPerMinute, requestsPerMonth, historyDepthDays } = PLANS[name]
    const { html } = await getPage(service.baseUrl, '/en/docs/limits')
    const [row = ''] = new RegExp(`<tr><th scope="row">${name}</th>.*</tr>`).exec(html) ?? []
    const rate = name === 'Open' ? 1_000_000 : requestsPerMinute // as configured for this service
    for (const figure of [rate, requestsPerMonth, historyDepthDays]) {
      if (typeof figure !== 'number') continue
      const shown = figure < 10_000 ? String(figure) : figure.toLocaleString('en')
      expect(row).toMatch(new RegExp(`<td>${shown}[< ]`))
    }
    expect(row).toContain(
      name === 'Open' ? '<td>JSON</td>' : name === 'Developer' ? '<td>JSON, CSV</td>' : 'JSON, CSV, Arrow',
    )
  })

  it('of the web pages have a row of their own', async () => {
    const { html } = await getPage(service.baseUrl, '/en/docs/limits')
    const [row = ''] = /<tr><th scope="row">These pages<\/th>.*<\/tr>/.exec(html) ?? []
    expect(row).toContain('<td>1,000,000 per network address</td>') // as configured for this service
    expect(row).toContain(`<td>${PAGES.historyDepthDays} days in charts of days; every stored year of hours</td>`)
  })
})

describe('the changelog', () => {
  it.each([
    ['en', '../../CHANGELOG.md'],
    ['it', '../../CHANGELOG.it.md'],
  ])('in %s has every entry of the project’s changelog', async (language, file) => {
    const { html } = await getPage(service.baseUrl, `/${language}/docs/changes`)
    const text = readFileSync(path.join(import.meta.dirname, file), 'utf8')
    const [version = ''] = /(?<=^## ).+/m.exec(text) ?? []
    expect(html).toContain(`${version}</h2>`)
    for (const [entry] of text.matchAll(/(?<=^- )[^`(,.:;']{4,}/gm)) expect(html).toContain(entry)
  })
})
