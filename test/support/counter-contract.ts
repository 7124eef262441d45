/** The contract of a rate-limit counter, whatever its store. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type Counter, rateLimiter } from '../../src/api/access/rate-limiter.ts'

export interface CounterUnderTest {
  counter(): Counter
  /** Advances the store's time. */
  elapse(seconds: number): Promise<void>
}

let clients = 0

export function describeCounter(name: string, { counter, elapse }: CounterUnderTest): void {
  describe(`a rate limiter counting ${name}`, () => {
    let client: string
    const limiter = () => rateLimiter(counter())
    beforeEach(() => {
      client = `client-${clients++}`
    })

    it('admits requests up to the limit, then refuses', async () => {
      const windows = []
      for (let i = 0; i < 5; i++) windows.push(await limiter().consume(client, 3))
      expect(windows.map(({ admitted, remaining }) => [admitted, remaining])).toEqual([
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ])
    })

    it('opens a window of one minute with the first request, and another when it is over', async () => {
      const full = { limit: 1, remaining: 0 }
      expect(await limiter().consume(client, 1)).toMatchObject({ admitted: true, ...full, resetSeconds: 60 })
      await elapse(45)
      expect(await limiter().consume(client, 1)).toMatchObject({ admitted: false, ...full, resetSeconds: 15 })
      await elapse(15)
      expect(await limiter().consume(client, 1)).toMatchObject({ admitted: true, ...full, resetSeconds: 60 })
    })

    it('does not extend the window for refused requests', async () => {
      await limiter().consume(client, 1)
      await elapse(30)
      for (let i = 0; i < 20; i++) await limiter().consume(client, 1)
      expect(await limiter().consume(client, 1)).toMatchObject({ admitted: false, resetSeconds: 30 })
      await elapse(30)
      expect(await limiter().consume(client, 1)).toMatchObject({ admitted: true, remaining: 0 })
    })

    it('reports the wait in whole seconds, at least one', async () => {
      await limiter().consume(client, 1)
      await elapse(0.5)
      expect(await limiter().consume(client, 1)).toMatchObject({ resetSeconds: 60 })
      await elapse(59)
      expect(await limiter().consume(client, 1)).toMatchObject({ admitted: false, resetSeconds: 1 })
    })

    it('peeks without consuming', async () => {
      expect(await limiter().peek(client, 2)).toEqual({ limit: 2, remaining: 2, resetSeconds: 60 })
      await limiter().consume(client, 2)
      await elapse(20)
      for (let i = 0; i < 5; i++) {
        expect(await limiter().peek(client, 2)).toEqual({ limit: 2, remaining: 1, resetSeconds: 40 })
      }
      await elapse(40)
      expect(await limiter().peek(client, 2)).toMatchObject({ remaining: 2, resetSeconds: 60 })
    })

    it('refunds a request', async () => {
      const { window } = await limiter().consume(client, 3)
      for (let i = 0; i < 2; i++) await limiter().consume(client, 3)
      await limiter().refund(client, window)
      expect(await limiter().peek(client, 3)).toMatchObject({ remaining: 1 })
      await elapse(20)
      await limiter().refund(client, window)
      expect(await limiter().consume(client, 3)).toMatchObject({ admitted: true, remaining: 1, window })
    })

    it('does not refund a request of an earlier window', async () => {
      const { window } = await limiter().consume(client, 2)
      await elapse(60)
      await limiter().refund(client, window)
      expect(await limiter().peek(client, 2)).toMatchObject({ remaining: 2 })
      await limiter().consume(client, 2)
      await limiter().refund(client, window)
      expect(await limiter().consume(client, 2)).toMatchObject({ admitted: true, remaining: 0 })
      expect(await limiter().consume(client, 2)).toMatchObject({ admitted: false })
    })

    it('never refunds more than was consumed', async () => {
      const { window } = await limiter().consume(client, 2)
      for (let i = 0; i < 5; i++) await limiter().refund(client, window)
      expect(await limiter().consume(client, 2)).toMatchObject({ remaining: 1 })
    })

    it('does not count refused requests, so that a refund is available at once', async () => {
      const { window } = await limiter().consume(client, 1)
      for (let i = 0; i < 20; i++) await limiter().consume(client, 1)
      await limiter().refund(client, window)
      expect(await limiter().consume(client, 1)).toMatchObject({ admitted: true, remaining: 0 })
    })

    it('applies the limit passed with each request', async () => {
      for (let i = 0; i < 4; i++) await limiter().consume(client, 600)
      expect(await limiter().consume(client, 3)).toMatchObject({ admitted: false, limit: 3, remaining: 0 })
      expect(await limiter().consume(client, 600)).toMatchObject({ admitted: true, limit: 600, remaining: 595 })
    })

    it.each(['203.0.113.7', '2001:db8:1:2::/64', 'key_0123456789ab', "'; drop table rate_limits; --", 'città:*'])(
      'counts %s separately from other clients',
      async (other) => {
        await limiter().consume(client, 1)
        expect(await limiter().consume(`${client} ${other}`, 1)).toMatchObject({ admitted: true })
        expect(await limiter().consume(`${client} ${other}`, 1)).toMatchObject({ admitted: false })
      },
    )

    it('admits exactly the limit to parallel requests through two limiters, including refunds', async () => {
      const [one, other] = [limiter(), limiter()]
      const { window } = await one.consume(client, 20)
      const windows = await Promise.all(
        Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? one : other).consume(client, 20)),
      )
      expect(windows.filter(({ admitted }) => admitted)).toHaveLength(19)
      expect(await other.peek(client, 20)).toMatchObject({ remaining: 0 })
      const refunds = Array.from({ length: 5 }, () => other.refund(client, window))
      const more = await Promise.all(Array.from({ length: 30 }, () => one.consume(client, 20)))
      await Promise.all(refunds)
      const last = await Promise.all(Array.from({ length: 30 }, () => one.consume(client, 20)))
      expect([...more, ...last].filter(({ admitted }) => admitted)).toHaveLength(5)
    })
  })
}
