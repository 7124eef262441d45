/** First starts on the database prepared at installation, and the messages shown to users; without one: `e2e/sample-data.test.ts`. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'
import { findFirstDatabase } from '../../src/service/first-database.ts'
import { connectDatabase } from '../../src/store/database.ts'
import { productEnvironment } from '../support/environment.ts'
import { endProcess, type Product, startProduct } from '../support/product.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const run = promisify(execFile)

let dataDir: string
let product: Product | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-first-'))
})
afterEach(async () => {
  await stop('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (product !== undefined) await endProcess(product.process, signal)
}

/** Returns the data left by a stopped service. */
async function stored() {
  await using engine = await startEngine({ dataDir: path.join(dataDir, 'engine'), durable: false })
  await using database = connectDatabase({ url: connectionStringFor(engine.address), poolSize: 1 })
  const [row] = await database.sql<{ days: number; twice: number }[]>`
    select (select count(*) from daily_prices)::int as days,
           (select count(*) - count(distinct (zone, starts_at)) from price_intervals)::int as twice`
  return row
}

describe('a first start', () => {
  it('on the database prepared at installation has years of sample data without a migration', async () => {
    await run(process.execPath, ['src/cli/prepare-database.ts'], { cwd: ROOT })
    expect(findFirstDatabase('sample')).toBeDefined()
    product = await startProduct({ dataDir, env: { BULK_EXPORTS: 'on' } })
    await product.pollUntilOk('/v1/today', 1)
    await product.pollUntilOk('/v1/prices/pun/series', 1)
    expect(product.output()).not.toContain('"database migrated"')
    await stop('SIGTERM')
    const found = await stored()
    expect(found?.twice).toBe(0)
    expect(found?.days).toBeGreaterThan(3 * 4 * 240)
  })

  it('logs plain lines with LOG_FORMAT=text', async () => {
    const env = productEnvironment({ DATA_DIR: dataDir, PORT: '0', LOG_FORMAT: 'text', SAMPLE_DATA: 'off' })
    const child = execFile(process.execPath, ['src/main.ts'], { cwd: ROOT, env })
    let shown = ''
    child.stdout?.on('data', (text: string) => {
      shown += text
    })
    await expect.poll(() => shown).toContain('Ctrl-C stops it.')
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(shown).toMatch(/^\d\d:\d\d:\d\d opening the database\n/)
    expect(shown).toMatch(/\nReady: http:\/\/127\.0\.0\.1:\d+\/\n/)
    expect(shown).toMatch(/curl http:\/\/127\.0\.0\.1:\d+\/v1\/today/)
    expect(shown).not.toContain('{"level"')
  })
})
