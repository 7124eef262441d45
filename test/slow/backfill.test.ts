import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ProductDatabase, productDatabase } from '../support/database.ts'
import { endProcess, startCommand, startProduct } from '../support/product.ts'
import { type Publishers, plainTruth, startPublishers } from '../support/publishers/index.ts'

const NOW = '2026-11-21T10:00:00Z'
/** The API returns three days at a time. */
const MARCH_WEEK = ['--source', 'gme-mgp', '--from', '2026-03-25', '--to', '2026-03-31']
/** Eight zones in quarter-hours, one day of 23 hours and six of 24. */
const PRICES_IN_WEEK = 8 * 4 * (23 + 6 * 24)
/** The newest three days, including the change day. */
const PRICES_IN_FIRST_SPAN = 8 * 4 * (23 + 2 * 24)

let publishers: Publishers
let onRequest = () => {}
beforeAll(async () => {
  publishers = await startPublishers({
    clock: { now: () => Temporal.Instant.from(NOW) },
    truth: plainTruth(),
    faultOf: () => {
      onRequest()
      return undefined
    },
  })
})
afterEach(() => {
  onRequest = () => {}
  publishers.setFault('gme-mgp', undefined)
})
afterAll(() => publishers.stop())

function start(env: Record<string, string>, args: string[]) {
  const { child, ended } = startCommand({ ...publishers.env, ...env, CLOCK: NOW }, 'backfill.ts', args)
  return { child, ended: ended.then(({ code, stdout, stderr }) => ({ code, output: stdout + stderr })) }
}

const backfill = (env: Record<string, string>, args: string[]) => start(env, args).ended

describe('a backfill', () => {
  it('that is interrupted continues where it stopped, and fetches nothing twice', async () => {
    await using copy = await disposableCopy()
    const interrupted = start(copy.env, MARCH_WEEK)
    let requests = 0
    onRequest = () => {
      requests += 1
      // Login and first span are done; the second span is in progress.
      if (requests === 3) interrupted.child.kill('SIGINT')
    }
    const first = await interrupted.ended
    expect(first.code, first.output).toBe(130)
    expect(first.output).toContain('run the same command to continue')
    expect(first.output).toContain(`7 days, 0 there already; prices: ${PRICES_IN_FIRST_SPAN} stored`)

    const second = await backfill(copy.env, MARCH_WEEK)
    expect(second.code, second.output).toBe(0)
    expect(second.output).toContain(
      `7 days, 3 there already; prices: ${PRICES_IN_WEEK - PRICES_IN_FIRST_SPAN} stored, 0 unchanged`,
    )

    publishers.server('gme-mgp').requests.length = 0
    const third = await backfill(copy.env, MARCH_WEEK)
    expect(third.output).toContain('7 days, 7 there already; prices: 0 stored')
    expect(publishers.server('gme-mgp').requests).toEqual([])

    const again = await backfill(copy.env, [...MARCH_WEEK, '--again'])
    expect(again.output).toContain(
      `7 days, 0 there already; prices: 0 stored, ${PRICES_IN_WEEK} unchanged, 0 corrected`,
    )
  })

  it('runs beside a service, which serves the fetched prices', async () => {
    await using copy = await disposableCopy()
    const product = await startProduct({ dataDir: copy.dataDir, env: { ...copy.env, CLOCK: NOW, SAMPLE_DATA: 'off' } })
    try {
      const days = ['--source', 'gme-mgp', '--from', '2026-11-20', '--to', '2026-11-21']
      const { code, output } = await backfill(copy.env, days)
      expect(code, output).toBe(0)
      expect(JSON.parse((await product.pollUntilOk('/v1/pun/today')) as string)).toMatchObject({ date: '2026-11-21' })
    } finally {
      await endProcess(product.process, 'SIGTERM')
    }
  })

  it('reports a refusal by the publisher with exit code 1', async () => {
    await using copy = await disposableCopy()
    publishers.setFault('gme-mgp', 'refused-401')
    const { code, output } = await backfill(copy.env, MARCH_WEEK)
    expect(code, output).toBe(1)
    expect(output).toMatch(/^refused: /m)
  })
})

async function disposableCopy(): Promise<ProductDatabase & AsyncDisposable> {
  const copy = await productDatabase()
  return { ...copy, [Symbol.asyncDispose]: copy.remove }
}
