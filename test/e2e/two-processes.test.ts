/** Two API processes on one database: usage, revocations and imports of one are visible to the other within seconds. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueApiKey } from '../support/api-keys.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { gmeXml } from '../support/gme-documents.ts'
import { endProcess, type Product, runCommand, startProduct } from '../support/product.ts'

const DAY = '2026-03-29'
const ENV = {
  CLOCK: '2026-03-29T10:00:00Z',
  SAMPLE_DATA: 'off',
  LIMITS_STORE: 'postgres',
  OPEN_REQUESTS_PER_MINUTE: '10',
  TRUSTED_PROXIES: 'loopback',
}

const copy = await productDatabaseOfFile()
/** The first does everything and runs the embedded engine; the second only serves the API. */
let first: Product
let second: Product
beforeAll(async () => {
  first = await startProduct({ dataDir: copy.dataDir, env: { ...copy.env, ...ENV } })
  second = await startSecond()
})
afterAll(async () => {
  await stop(second)
  await stop(first)
})

async function startSecond(): Promise<Product> {
  await using opened = await copy.open()
  return startProduct({ dataDir: copy.dataDir, env: { ...ENV, ROLE: 'api', DATABASE_URL: opened.url } })
}

const stop = ({ process: child }: Product) => endProcess(child, 'SIGTERM')

interface Seen {
  status: number
  left: number
  body: Record<string, unknown>
}

async function requestFrom(product: Product, pathname: string, headers: Record<string, string>): Promise<Seen> {
  const response = await fetch(new URL(pathname, product.url), { headers })
  const left = Number(response.headers.get('x-ratelimit-remaining'))
  return { status: response.status, left, body: (await response.json()) as Record<string, unknown> }
}

const withKey = (product: Product, key: string, pathname: string) =>
  requestFrom(product, pathname, { authorization: `Bearer ${key}` })

const command = (script: string, ...args: string[]) => runCommand(copy.env, script, ...args)

describe('two processes on one database', () => {
  it('share the limits of an address', async () => {
    const address = { 'x-forwarded-for': '192.0.2.1' }
    const answers = []
    for (let i = 0; i < 6; i++)
      for (const product of [first, second]) answers.push(await requestFrom(product, '/v1/plans', address))
    expect(answers.map(({ left }) => left)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0])
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429, 429])
  })

  it('together admit no more than the limit under parallel requests', async () => {
    const address = { 'x-forwarded-for': '192.0.2.2' }
    const asked = Array.from({ length: 14 }, (_, i) => requestFrom(i % 2 ? first : second, '/v1/plans', address))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(first.output() + second.output()).not.toContain('limits_store_lost')
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  })

  it('share the limits of a key', async () => {
    const { key } = await issueApiKey(copy, { plan: 'Enterprise', requestsPerMinute: 4 })
    const answers = []
    for (const product of [first, second, first, second, first, second])
      answers.push(await withKey(product, key, '/v1/plans'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429])
  })

  it('add up the usage of a key', async () => {
    const { key } = await issueApiKey(copy, { plan: 'Developer' })
    for (const product of [first, first, first, second, second, second, second])
      expect((await withKey(product, key, '/v1/plans')).status).toBe(200)
    let asked = 0 // each of these requests counts as well
    for (const product of [first, second]) {
      const used = async () => Number((await withKey(product, key, '/v1/usage')).body.used) - asked++
      await expect.poll(used).toBe(7)
    }
  })

  it('hold a key to one quota, to the request, when both are asked at once', async () => {
    const { key } = await issueApiKey(copy, { plan: 'Enterprise', requestsPerMonth: 57 })
    for (const product of [first, second]) await withKey(product, key, '/v1/today?unknown=1') // caches the key in both processes
    const asked = Array.from({ length: 100 }, (_, i) => withKey(i % 2 ? first : second, key, '/v1/plans'))
    const answers = await Promise.all(asked)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(55)
    expect(answers.filter(({ body }) => body.error === 'quota_exceeded')).toHaveLength(45)
    for (const product of [first, second])
      expect((await withKey(product, key, '/v1/usage')).body).toMatchObject({ used: 57, left: 0 })
  })

  it('grant no additional requests when one of them is killed', async () => {
    const quota = 2_000
    const { key } = await issueApiKey(copy, { plan: 'Enterprise', requestsPerMonth: quota })
    let served = 0
    const ask = async (product: Product, times: number) => {
      const asked = Array.from({ length: times }, () => withKey(product, key, '/v1/plans').catch(() => undefined))
      const answers = await Promise.all(asked)
      served += answers.filter((answer) => answer?.status === 200).length
    }
    for (let kill = 0; kill < 2; kill++) {
      for (let i = 0; i < 5; i++) await Promise.all([ask(first, 50), ask(second, 50)])
      await endProcess(second.process, 'SIGKILL')
      second = await startSecond()
    }
    const before = served
    for (let i = 0; i < 30; i++) await Promise.all([ask(first, 50), ask(second, 50)])
    expect(before).toBe(1_000)
    expect(served).toBeLessThanOrEqual(quota)
    // The killed processes had reserved ahead: each at most a hundredth of the remaining quota.
    expect(served).toBeGreaterThan(quota - 2 * 20)
  })

  it('both refuse a key soon after its revocation', async () => {
    const { id, key } = await issueApiKey(copy, { plan: 'API' })
    for (const product of [first, second]) expect((await withKey(product, key, '/v1/usage')).status).toBe(200)
    await command('keys.ts', 'revoke', id)
    const refusals = [first, second].map((product) =>
      expect
        .poll(async () => (await withKey(product, key, '/v1/usage')).body)
        .toMatchObject({ error: 'invalid_key', message: 'The key is revoked.' }),
    )
    await Promise.all(refusals)
  })

  it('both serve a file imported by another process in place of cached responses', async () => {
    const { key } = await issueApiKey(copy, { plan: 'API' })
    const series = `/v1/prices/pun/series?from=${DAY}&to=${DAY}`
    const hours = `/v1/pun/hourly?date=${DAY}&granularity=quarter`
    for (const product of [first, second]) {
      expect((await withKey(product, key, series)).body).toMatchObject({ count: 0 })
      expect((await withKey(product, key, hours)).status).toBe(503)
    }
    await importDay((ordinal) => `${100 + ordinal},0`)
    for (const product of [first, second]) {
      const shown = async () => (await withKey(product, key, series)).body.points
      await expect.poll(shown).toEqual([{ date: DAY, value: 146.5 }])
      expect((await withKey(product, key, hours)).body).toMatchObject({ count: 92, stats: { avg: 146.5 } })
    }
  })

  it('both serve a correction', async () => {
    const { key } = await issueApiKey(copy, { plan: 'Developer' })
    await importDay((ordinal) => `${200 + ordinal},0`)
    for (const product of [first, second]) {
      const shown = async () => (await withKey(product, key, `/v1/pun/zones?date=${DAY}`)).body.national
      await expect.poll(shown).toBe(246.5)
    }
  })
})

async function importDay(price: (ordinal: number) => string): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-e2e-'))
  const file = path.join(folder, '20260329MGPPrezzi15.xml')
  await writeFile(file, gmeXml({ day: DAY, resolution: 15, prices: (_tag, ordinal) => price(ordinal) }))
  expect(await command('import.ts', file)).toMatch(/ 0 quarantined/)
  await rm(folder, { recursive: true })
}
