/** Alerts from outside: created over HTTP, set off by an import, delivered by the product's own process, which is killed meanwhile. */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CallingProduct, startCallingProduct } from '../support/calling-product.ts'
import { repetitions } from '../support/repetitions.ts'
import { answering } from '../support/webhook-receiver.ts'

const KILLS = repetitions(3, 20)
const ALERTS = 60

const DAY = '2026-10-25'
/** Each life of the service begins some minutes later, so that its clock is never set back. */
const clockOf = (life: number) =>
  Temporal.Instant.from(`${DAY}T08:00:00Z`)
    .add({ minutes: 10 * life })
    .toString()

let product: CallingProduct
beforeAll(async () => {
  product = await startCallingProduct({ plan: 'Enterprise', clock: clockOf(0) })
})
afterAll(() => {
  vi.useRealTimers()
  return product[Symbol.asyncDispose]()
})

describe('alerts of the product', () => {
  it(`arrive at least once under one id, although the process is killed ${KILLS} times while it delivers`, async () => {
    const { api, receiver } = product
    const secrets = new Map<string, string>()
    for (let i = 0; i < ALERTS; i += 1) {
      const created = await api('POST', '/alerts', {
        asset: 'psv',
        condition: 'above',
        threshold: 30 + i / 1000,
        webhook_url: `${product.receiverUrl}/${i}`,
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
    const imported = await product.importFile(
      'psv.csv',
      `date,price\n${DAY},45\n`,
      { CLOCK: clockOf(0) },
      '--asset',
      'psv',
    )
    expect(imported).toContain('1 price read: 1 stored')

    for (let kill = 0; kill < KILLS; kill += 1) {
      await receiver.received(before + 1 + (kill % 8))
      await product.kill()
      answersLeft = 1
      before = receiver.calls.length
      if (kill === KILLS - 1) receiver.react(answering(204))
      await product.start(clockOf(kill + 1))
    }
    await allDelivered()

    vi.useFakeTimers({ toFake: ['Date'] })
    const byAlert = Map.groupBy(receiver.calls, (call) => String(JSON.parse(call.body).alert_id))
    expect(byAlert.size).toBe(ALERTS)
    for (const [alert, calls] of byAlert) {
      expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
      const verifier = new Webhook(secrets.get(alert) ?? '')
      for (const { headers, body } of calls) {
        vi.setSystemTime(1000 * Number(headers['webhook-timestamp'])) // the published verifier goes by the machine's clock
        expect(verifier.verify(body, headers)).toMatchObject({ asset: 'PSV' })
      }
    }
    expect(product.output()).not.toContain('whsec_')
  })
})

/** Resolves when no delivery of any alert is pending. */
async function allDelivered(): Promise<void> {
  await expect
    .poll(
      async () => {
        const answer = await product.api('GET', '/alerts').catch(() => undefined)
        if (answer === undefined) return 'away'
        const [first, ...rest] = answer.alerts as { id: string }[]
        if (first === undefined) return 'none'
        for (const { id } of [first, ...rest]) {
          const { deliveries } = (await product.api('GET', `/alerts/${id}/deliveries`)) as {
            deliveries: { status: string }[]
          }
          if (deliveries.length === 0 || deliveries.some(({ status }) => status !== 'delivered'))
            return `waiting for ${id}`
        }
        return 'all delivered'
      },
      { interval: 500 },
    )
    .toBe('all delivered')
}
