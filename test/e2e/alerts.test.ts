/** Alerts from outside: created over HTTP, set off by an import, delivered by the product's own process, which is killed meanwhile. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { releaseClaims } from '../../src/store/webhook-deliveries.ts'
import { isEmbedded, type ProductDatabase, productDatabase } from '../support/database.ts'
import { endProcess, type Product, runCommand, startProduct } from '../support/product.ts'
import { repetitions } from '../support/repetitions.ts'
import { answering, startWebhookReceiver, TEST_CA_FILE, type WebhookReceiver } from '../support/webhook-receiver.ts'

const KILLS = repetitions(3, 20)
const ALERTS = 60
/** In reach of a machine that does ten other things. */
const TIMEOUT_MS = 200_000 + KILLS * 30_000

let copy: ProductDatabase
let scratch: string
let receiver: WebhookReceiver
let product: Product
let key: string
beforeAll(async () => {
  copy = await productDatabase()
  scratch = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-alerts-'))
  receiver = await startWebhookReceiver()
  product = await start()
  key = JSON.parse(await run('keys.ts', 'create', '--plan', 'Enterprise', '--owner', 'a test', '--json')).key
})
afterAll(async () => {
  await endProcess(product.process, 'SIGTERM')
  await receiver[Symbol.asyncDispose]()
  await copy.remove()
  await rm(scratch, { recursive: true, force: true })
})

function start(): Promise<Product> {
  return startProduct({
    dataDir: copy.dataDir,
    env: {
      ...copy.env,
      SAMPLE_DATA: 'off',
      NODE_EXTRA_CA_CERTS: TEST_CA_FILE,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOWED_PORTS: String(receiver.port),
    },
  })
}

const run = (file: string, ...args: string[]) => runCommand(copy.env, file, ...args)

async function api(method: string, pathname: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(new URL(`/v1${pathname}`, product.url), {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

/** A day of the PSV as a file, and that the import stores it. */
async function importDay(day: string, price: number): Promise<void> {
  const file = path.join(scratch, `psv-${day}.csv`)
  await writeFile(file, `date,price\n${day},${price}\n`)
  expect(await run('import.ts', '--asset', 'psv', file)).toContain('1 prices read: 1 stored')
}

describe('alerts of the product', { timeout: TIMEOUT_MS }, () => {
  it(`arrive at least once under one id, although the process is killed ${KILLS} times while it delivers`, async () => {
    const secrets = new Map<string, string>()
    for (let i = 0; i < ALERTS; i += 1) {
      const created = await api('POST', '/alerts', {
        asset: 'psv',
        condition: 'above',
        threshold: 30 + i / 1000,
        webhook_url: `https://localhost:${receiver.port}/${i}`,
      })
      secrets.set(String(created.id), String(created.signing_secret))
    }
    // One call of each life is answered, the others hang, so that each kill finds calls under way and the next life has some left.
    let answersLeft = 1
    receiver.react((_req, res) => {
      answersLeft -= 1
      if (answersLeft >= 0) res.writeHead(204).end()
    })
    let before = receiver.calls.length
    await importDay(Temporal.Now.plainDateISO('Europe/Rome').toString(), 45)

    for (let kill = 0; kill < KILLS; kill += 1) {
      await receiver.received(before + 1 + (kill % 8))
      await endProcess(product.process, 'SIGKILL')
      if (!isEmbedded) await endClaims()
      answersLeft = 1
      before = receiver.calls.length
      if (kill === KILLS - 1) receiver.react(answering(204))
      product = await start()
    }
    await allDelivered()

    const byAlert = Map.groupBy(receiver.calls, (call) => String(JSON.parse(call.body).alert_id))
    expect(byAlert.size).toBe(ALERTS)
    for (const [alert, calls] of byAlert) {
      expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
      const verifier = new Webhook(secrets.get(alert) ?? '')
      for (const { headers, body } of calls) expect(verifier.verify(body, headers)).toMatchObject({ asset: 'PSV' })
    }
    expect(product.output()).not.toContain('whsec_')
  })
})

/** What half a minute does: on a server nobody knows whether a worker that is gone was the only one. */
async function endClaims(): Promise<void> {
  await using opened = await copy.open()
  await releaseClaims(opened.database.sql)
}

/** Resolves when no delivery of any alert is pending. */
async function allDelivered(): Promise<void> {
  await expect
    .poll(
      async () => {
        const answer = await api('GET', '/alerts').catch(() => undefined)
        if (answer === undefined) return 'away'
        const [first, ...rest] = answer.alerts as { id: string }[]
        if (first === undefined) return 'none'
        for (const { id } of [first, ...rest]) {
          const { deliveries } = (await api('GET', `/alerts/${id}/deliveries`)) as { deliveries: { status: string }[] }
          if (deliveries.length === 0 || deliveries.some(({ status }) => status !== 'delivered'))
            return `waiting for ${id}`
        }
        return 'all delivered'
      },
      { timeout: 120_000, interval: 500 },
    )
    .toBe('all delivered')
}
