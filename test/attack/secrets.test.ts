/**
 * Runs the whole product with every configurable secret, then searches for each of them in its output, its metrics, every table, and
 * the bytes of every file it left. OWASP API2 and API8:2023.
 */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMovableTables, quoted } from '../../src/store/move/movable-tables.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { isEmbedded, needsEmbedded, productDatabaseOfFile } from '../support/database.ts'
import { endProcess, type Product, startProduct } from '../support/product.ts'

const secret = (name: string) => `${name}-${randomBytes(12).toString('hex')}`
/** From the environment; the services that they are for do not exist. */
const CONFIGURED = {
  GME_API_PASSWORD: secret('gme'),
  ENTSOE_TOKEN: secret('entsoe'),
  EIA_API_KEY: secret('eia'),
  smtp: secret('smtp'),
  proxy: secret('proxy'),
  SECRETS_KEY: randomBytes(32).toString('base64'),
  SECRETS_KEY_PREVIOUS: randomBytes(32).toString('base64'),
}

const copy = await productDatabaseOfFile()
let product: Product
let key: string
let metrics = ''
const answers: string[] = []
/** Secrets that the product generated, by name: an API key, a webhook secret and its replacement. */
const generatedSecrets = new Map<string, string>()

beforeAll(async () => {
  key = await issueKey()
  const { smtp, proxy, ...environment } = CONFIGURED
  product = await startProduct({
    dataDir: copy.dataDir,
    env: {
      ...copy.env,
      ...environment,
      LOG_LEVEL: 'trace',
      SAMPLE_DATA: 'off',
      SOURCES: 'gme-mgp,gme-mgas,entsoe,eia-brent',
      GME_API_LOGIN: 'someone',
      ...Object.fromEntries(
        ['GME_MGP', 'GME_API', 'GME_MGAS', 'ENTSOE', 'EIA_BRENT'].map((id) => [`${id}_ADDRESS`, 'http://127.0.0.1:9']),
      ),
      SMTP_URL: `smtp://sender:${smtp}@127.0.0.1:9`,
      MAIL_FROM: 'prices@energy.example',
      HTTPS_PROXY: `http://user:${proxy}@127.0.0.1:9`,
    },
  })
  await exerciseSecrets()
  metrics = await (await fetch(/"metrics":"(http[^"]+)"/.exec(product.output())?.[1] ?? '')).text()
  await stop()
})
afterAll(() => stop())

const stop = () => endProcess(product.process, 'SIGTERM')

async function issueKey(): Promise<string> {
  await using opened = await copy.open()
  const issued = await seedApiKey(opened.database.sql, { plan: 'Trading' })
  generatedSecrets.set('API key', issued.key)
  return issued.key
}

/** Every way in which a secret is transmitted: valid and invalid keys in headers and URLs, webhook secrets shown and rotated. */
async function exerciseSecrets(): Promise<void> {
  const ask = async (target: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(target, product.url), init)
    const text = await response.text()
    answers.push(text)
    return { status: response.status, text }
  }
  const authorization = `Bearer ${key}`
  await ask('/v1/usage', { headers: { authorization } })
  for (const target of [
    `/v1/prices/pun/series?format=csv&key=${key}`,
    `/v1/prices/pun/series?key=${key}`,
    `/v1/prices/pun/series?format=csv&%6bey=${key}x`,
    `/v1/${key}`,
    `/v1/prices/${key}/series`,
    `/v1/prices/pun/series?from=${key}`,
    `/?key=${key}`,
  ])
    await ask(target)
  await ask('/v1/usage', { headers: { authorization: `Bearer ${key}x`, 'x-request-id': key.slice(0, 60) } })
  await ask('/v1/trading/backtest', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: `{"asset":"${key}"`,
  })
  await useAlerts(ask, { authorization, 'content-type': 'application/json' })
}

async function useAlerts(
  ask: (target: string, init: RequestInit) => Promise<{ text: string }>,
  headers: Record<string, string>,
): Promise<void> {
  const wanted = { asset: 'pun', condition: 'above', threshold: 1, webhook_url: 'https://93.184.215.14/hook' }
  const created = JSON.parse((await ask('/v1/alerts', { method: 'POST', headers, body: JSON.stringify(wanted) })).text)
  generatedSecrets.set('webhook secret', created.signing_secret)
  const rotated = JSON.parse((await ask(`/v1/alerts/${created.id}/rotate-secret`, { method: 'POST', headers })).text)
  generatedSecrets.set('new webhook secret', rotated.signing_secret)
  answers.length = 0 // these responses rightly contain the secrets, once
  await ask(`/v1/alerts/${created.id}/test`, { method: 'POST', headers })
  for (const target of ['/v1/alerts', `/v1/alerts/${created.id}`, `/v1/alerts/${created.id}/deliveries`])
    await ask(target, { headers })
}

/** In plain text, URL-encoded and base64-encoded. */
function secrets(): [name: string, texts: string[]][] {
  return [...Object.entries(CONFIGURED), ...generatedSecrets].map(([name, text]) => [
    name,
    [text, encodeURIComponent(text), Buffer.from(text).toString('base64').replace(/=+$/, '')],
  ])
}

function expectNoSecretIn(content: string | Buffer, place: string): void {
  for (const [name, texts] of secrets())
    for (const text of texts) expect(content.includes(text), `${name} in ${place}`).toBe(false)
}

describe('after a run of the product no secret is found', () => {
  it('in its output at the most verbose log level', () => {
    expect(generatedSecrets.size).toBe(3)
    expect(product.output().length).toBeGreaterThan(5_000)
    expect(product.output()).toContain('[redacted]')
    expectNoSecretIn(product.output(), 'the output')
  })

  it('in its metrics and in later answers', () => {
    expect(metrics).toContain('energy_http_requests_total')
    expect(answers).toHaveLength(4)
    expectNoSecretIn([metrics, ...answers].join('\n'), 'the metrics or an answer')
  })

  it('in any table', async () => {
    await using opened = await copy.open(2)
    const { sql } = opened.database
    const names = (await listMovableTables(sql)).map(({ name }) => quoted(name))
    const queue = await sql<{ name: string }[]>`
      select format('pgboss.%I', relname) as name from pg_class where relnamespace = 'pgboss'::regnamespace and relkind = 'r'`
    let dump = ''
    for (const name of [...names, ...queue.map((table) => table.name)]) {
      const rows = await sql.unsafe<{ text: string }[]>(`select t::text as text from ${name} as t`)
      dump += rows.map(({ text }) => text).join('\n')
    }
    expect(dump).toContain('93.184.215.14')
    expectNoSecretIn(dump, 'a table')
  })

  it.runIf(isEmbedded)(needsEmbedded('in any file of its folder'), async () => {
    const entries = await readdir(copy.dataDir, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    for (const { parentPath, name } of files) expectNoSecretIn(await readFile(path.join(parentPath, name)), name)
    expect(files.length).toBeGreaterThan(500)
  })
})
