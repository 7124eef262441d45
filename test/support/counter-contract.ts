/** What every counter owes the minute limiter, whatever store it counts in. */
import { beforeEach, describe, expect, it } from 'vitest'
import { type Counter, minuteLimiter } from '../../src/api/access/minute-limiter.ts'

export interface CounterUnderTest {
  counter(): Counter
  /** Lets the store's time go on. */
  elapse(seconds: number): Promise<void>
}

let clients = 0

export function describeCounter(name: string, { counter, elapse }: CounterUnderTest): void {
  describe(`a minute limiter counting ${name}`, () => {
    let client: string
    const limiter = () => minuteLimiter(counter())
    beforeEach(() => {
      client = `client-${clients++}`
    })

    it('admits as many as the limit says, then refuses', async () => {
      const windows = []
      for (let i = 0; i < 5; i++) windows.push(await limiter().take(client, 3))
      expect(windows.map(({ admitted, remaining }) => [admitted, remaining])).toEqual([
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ])
    })

    it('opens a window of one minute with the first request, and another when it is over', async () => {
      expect(await limiter().take(client, 1)).toEqual({ admitted: true, limit: 1, remaining: 0, resetSeconds: 60 })
      await elapse(45)
      expect(await limiter().take(client, 1)).toEqual({ admitted: false, limit: 1, remaining: 0, resetSeconds: 15 })
      await elapse(15)
      expect(await limiter().take(client, 1)).toEqual({ admitted: true, limit: 1, remaining: 0, resetSeconds: 60 })
    })

    it('does not prolong the wait for refused requests', async () => {
      await limiter().take(client, 1)
      await elapse(30)
      for (let i = 0; i < 20; i++) await limiter().take(client, 1)
      expect(await limiter().take(client, 1)).toMatchObject({ admitted: false, resetSeconds: 30 })
      await elapse(30)
      expect(await limiter().take(client, 1)).toMatchObject({ admitted: true, remaining: 0 })
    })

    it('says the wait in whole seconds, never less than one', async () => {
      await limiter().take(client, 1)
      await elapse(0.5)
      expect(await limiter().take(client, 1)).toMatchObject({ resetSeconds: 60 })
      await elapse(59)
      expect(await limiter().take(client, 1)).toMatchObject({ admitted: false, resetSeconds: 1 })
    })

    it('looks without counting', async () => {
      expect(await limiter().look(client, 2)).toEqual({ admitted: true, limit: 2, remaining: 2, resetSeconds: 60 })
      await limiter().take(client, 2)
      await elapse(20)
      for (let i = 0; i < 5; i++) {
        expect(await limiter().look(client, 2)).toEqual({ admitted: true, limit: 2, remaining: 1, resetSeconds: 40 })
      }
      await elapse(40)
      expect(await limiter().look(client, 2)).toMatchObject({ remaining: 2, resetSeconds: 60 })
    })

    it('gives a request back', async () => {
      for (let i = 0; i < 3; i++) await limiter().take(client, 3)
      await limiter().giveBack(client)
      expect(await limiter().look(client, 3)).toMatchObject({ remaining: 1 })
    })

    it('gives nothing back that belongs to a window that is over', async () => {
      await limiter().take(client, 2)
      await elapse(60)
      await limiter().giveBack(client)
      expect(await limiter().take(client, 2)).toMatchObject({ remaining: 1 })
    })

    it('never gives back more than was taken', async () => {
      await limiter().take(client, 2)
      for (let i = 0; i < 5; i++) await limiter().giveBack(client)
      expect(await limiter().take(client, 2)).toMatchObject({ remaining: 1 })
    })

    it('measures each request by the limit of its caller', async () => {
      for (let i = 0; i < 4; i++) await limiter().take(client, 600)
      expect(await limiter().take(client, 3)).toMatchObject({ admitted: false, limit: 3, remaining: 0 })
      expect(await limiter().take(client, 600)).toMatchObject({ admitted: true, limit: 600, remaining: 594 })
    })

    it.each(['203.0.113.7', '2001:db8:1:2::/64', 'key_0123456789ab', "'; drop table rate_limits; --", 'città:*'])(
      'keeps %s apart from everybody else',
      async (other) => {
        await limiter().take(client, 1)
        expect(await limiter().take(`${client} ${other}`, 1)).toMatchObject({ admitted: true })
        expect(await limiter().take(`${client} ${other}`, 1)).toMatchObject({ admitted: false })
      },
    )

    it('admits exactly the limit of many requests at once, shared by two limiters', async () => {
      const [one, other] = [limiter(), limiter()]
      const windows = await Promise.all(
        Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? one : other).take(client, 20)),
      )
      expect(windows.filter(({ admitted }) => admitted)).toHaveLength(20)
      expect(await other.look(client, 20)).toMatchObject({ remaining: 0 })
    })
  })
}
