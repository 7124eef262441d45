/** An API process whose database server goes down and comes back; the server is an engine of this test. */
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionStringFor, type Engine, startEngine } from '../../src/platform/engine/engine.ts'
import { copyPreparedDatabase } from '../support/database.ts'
import { type Product, startProduct } from '../support/product.ts'

let copy: Awaited<ReturnType<typeof copyPreparedDatabase>>
let engine: Engine
let product: Product
const start = () => startEngine({ dataDir: path.join(copy.dataDir, 'engine') })
beforeAll(async () => {
  copy = await copyPreparedDatabase()
  engine = await start()
  const env = { DATABASE_URL: connectionStringFor(engine.address), ROLE: 'api', OPEN_REQUESTS_PER_MINUTE: '100000' }
  product = await startProduct({ dataDir: copy.dataDir, env })
})
afterAll(async () => {
  product.process.kill('SIGKILL')
  await engine.stop()
  await copy.remove()
})

const get = async (pathname: string) => {
  const response = await fetch(new URL(pathname, product.url))
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
}

describe('an API process whose database is down', () => {
  it('/readyz returns 503 with the failed check, and /healthz 200', async () => {
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { ready: true, checks: { database: 'ok' } } })
    await engine.stop()
    await expect
      .poll(() => get('/readyz'))
      .toMatchObject({ status: 503, body: { ready: false, checks: { database: 'does not answer' } } })
    expect(await get('/healthz')).toMatchObject({ status: 200 })
  })

  it('/v1/psv/today returns 503 internal_error with Retry-After, not no_data', async () => {
    const answer = await get('/v1/psv/today')
    expect(answer).toMatchObject({ status: 503, body: { error: 'internal_error' } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('/readyz is 200 again as soon as it is back', async () => {
    engine = await start()
    await expect.poll(() => get('/readyz')).toMatchObject({ status: 200 })
    await expect.poll(() => get('/v1/psv/today')).toMatchObject({ status: 503, body: { error: 'no_data' } })
  })

  it('exits with 0 on SIGTERM', async () => {
    const exited = once(product.process, 'exit')
    await engine.stop()
    product.process.kill('SIGTERM')
    expect(await exited, product.output()).toEqual([0, null])
  })
})
