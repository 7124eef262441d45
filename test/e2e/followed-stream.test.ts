/** Clients follow the stream of a product that is killed again and again, and resume where they were. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueApiKey } from '../support/api-keys.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { endProcess, type Product, runCommand, startProduct } from '../support/product.ts'
import { repetitions } from '../support/repetitions.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

const KILLS = repetitions(2, 10)
const FOLLOWERS = 5
const RETRY_MS = 50

const copy = await productDatabaseOfFile()
const scratch = await scratchFolderOfFile()
let product: Product
let key: string
const start = () => startProduct({ dataDir: copy.dataDir, env: { ...copy.env, SAMPLE_DATA: 'off' } })
beforeAll(async () => {
  product = await start()
  key = (await issueApiKey(copy, { plan: 'API' })).key
})
afterAll(async () => {
  await endProcess(product.process, 'SIGTERM')
})

const run = (file: string, ...args: string[]) => runCommand(copy.env, file, ...args)

async function importDay(day: string, price: number): Promise<void> {
  const file = path.join(scratch, `psv-${day}.csv`)
  await writeFile(file, `date,price\n${day},${price}\n`)
  expect(await run('import.ts', '--asset', 'psv', file)).toContain('1 price read: 1 stored')
}

/** What a browser's EventSource does: it keeps the last id, and connects again when the stream ends. */
class Follower {
  readonly days: string[] = []
  lastId = ''
  connections = 0
  readonly #ending = new AbortController()

  async follow(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.#connect().catch(() => {}) // the service is away
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  stop(): void {
    this.#ending.abort()
  }

  async #connect(): Promise<void> {
    const response = await fetch(new URL('/v1/stream?dataset=psv', product.url), {
      headers: { Authorization: `Bearer ${key}`, ...(this.lastId && { 'Last-Event-ID': this.lastId }) },
      signal: this.#ending.signal,
    })
    if (response.status !== 200 || response.body === null) return
    this.connections += 1
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.#take(block)
    }
  }

  #take(block: string): void {
    const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1]
    this.lastId = field('id') ?? this.lastId
    if (field('event') === 'day.published') this.days.push(JSON.parse(field('data') as string).day)
  }
}

describe('a followed stream', () => {
  it(`loses no change and repeats none, although the product is killed ${KILLS} times`, async () => {
    const followers = Array.from({ length: FOLLOWERS }, () => new Follower())
    const following = followers.map((follower) => follower.follow())
    const until = async (holds: () => boolean) => {
      while (!holds()) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    await until(() => followers.every(({ lastId }) => lastId !== ''))
    const today = Temporal.Now.plainDateISO('Europe/Rome')
    const days: string[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (const age of [2 * kill + 1, 2 * kill]) {
        const day = today.subtract({ days: age }).toString()
        await importDay(day, 40 + kill)
        days.push(day)
      }
      await endProcess(product.process, 'SIGKILL') // whether or not the last day has been sent
      product = await start()
    }
    await until(() => followers.every((follower) => follower.days.length >= days.length))
    for (const follower of followers) follower.stop()
    await Promise.all(following)
    for (const follower of followers) {
      expect(follower.days).toEqual(days)
      expect(follower.connections).toBeGreaterThanOrEqual(KILLS) // after the last kill there may be nothing left to send
    }
  })
})
