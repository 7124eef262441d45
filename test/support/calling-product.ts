/** The product beside a receiver of its calls: killed and started again on the same data, asked with a key of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import type { KeyedPlan } from '../../src/store/api-keys.ts'
import { releaseClaims } from '../../src/store/webhook-deliveries.ts'
import { issueApiKey } from './api-keys.ts'
import { isEmbedded, productDatabase } from './database.ts'
import { endProcess, type Product, runCommand, startProduct } from './product.ts'
import { type Reaction, startWebhookReceiver, TEST_CA_FILE, type WebhookReceiver } from './webhook-receiver.ts'

export interface CallingProduct extends AsyncDisposable {
  receiver: WebhookReceiver
  /** Where the receiver is, for paths after it. */
  receiverUrl: string
  /** What the present process printed so far. */
  output(): string
  /** Starts it at that time, or by the clock. */
  start(clock?: string): Promise<void>
  /** Ends it in the middle of its work; on a server its claims would be held for half a minute. */
  kill(): Promise<void>
  /** Asks with the key; any answer but 200 fails. */
  api(method: string, pathname: string, body?: object): Promise<Record<string, unknown>>
  /** Imports a file of that name and text, `options` as on the command line; returns what the command printed. */
  importFile(name: string, text: string, env?: Record<string, string>, ...options: string[]): Promise<string>
}

interface CallingOptions {
  plan: KeyedPlan
  clock?: string
  /** How the receiver reacts at first. */
  reaction?: Reaction
}

export async function startCallingProduct({ plan, clock, reaction }: CallingOptions): Promise<CallingProduct> {
  const copy = await productDatabase()
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-calls-'))
  const receiver = await startWebhookReceiver(reaction)
  let product: Product
  const start = async (clock?: string) => {
    const env = {
      ...copy.env,
      ...(clock && { CLOCK: clock }),
      SAMPLE_DATA: 'off',
      NODE_EXTRA_CA_CERTS: TEST_CA_FILE,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOWED_PORTS: String(receiver.port),
    }
    product = await startProduct({ dataDir: copy.dataDir, env })
  }
  await start(clock)
  const { key } = await issueApiKey(copy, { plan })
  return {
    receiver,
    receiverUrl: `https://localhost:${receiver.port}`,
    output: () => product.output(),
    start,
    async kill() {
      await endProcess(product.process, 'SIGKILL')
      if (isEmbedded) return
      await using opened = await copy.open()
      await releaseClaims(opened.database.sql)
    },
    async api(method, pathname, body) {
      const response = await fetch(new URL(`/v1${pathname}`, product.url), {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      expect(response.ok, `${method} ${pathname}`).toBe(true)
      return (await response.json()) as Record<string, unknown>
    },
    async importFile(name, text, env = {}, ...options) {
      const file = path.join(scratch, name)
      await writeFile(file, text)
      return runCommand({ ...copy.env, ...env }, 'import.ts', ...options, file)
    },
    async [Symbol.asyncDispose]() {
      await endProcess(product.process, 'SIGTERM')
      await receiver[Symbol.asyncDispose]()
      await copy.remove()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}
