import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextAttemptAt } from '../../../../src/delivery/webhooks/retry-schedule.ts'

const start = Temporal.Instant.from('2026-11-21T12:00:00Z')
const giveUpAt = start.add({ hours: 24 })
const middle = () => 0.5
const waitAfter = (attempts: number, random = middle, retryAfter?: number) => {
  const next = nextAttemptAt({ attempts, now: start, giveUpAt, retryAfterSeconds: retryAfter }, random)
  return next && start.until(next).total('seconds')
}

describe('retries of a delivery', () => {
  it('follow after 1 min, 10 min, 1 h, 6 h and 15 h, and then stop', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempts) => waitAfter(attempts))).toEqual([
      60,
      600,
      3600,
      21_600,
      54_000,
      undefined,
    ])
  })

  it('have a jitter of ±10 %', () => {
    expect(waitAfter(1, () => 0)).toBe(54)
    expect(waitAfter(2, () => 0)).toBe(540)
    expect(waitAfter(2, () => 1)).toBe(660)
  })

  it('respect a longer Retry-After, up to 6 hours', () => {
    expect(waitAfter(1, middle, 300)).toBe(300)
    expect(waitAfter(1, middle, 10)).toBe(60)
    expect(waitAfter(1, middle, 1_000_000)).toBe(21_600)
  })

  it('number five, at least 30 s apart, and end within 24 hours of the event, whatever Retry-After is sent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 5, maxLength: 5 }),
        fc.nat(100_000),
        (jitter, asked) => {
          let now = start
          for (const [i, random] of jitter.entries()) {
            const next = nextAttemptAt({ attempts: i + 1, now, giveUpAt, retryAfterSeconds: asked }, () => random)
            if (next === undefined) throw new Error('given up too early')
            expect(now.until(next).total('seconds')).toBeGreaterThanOrEqual(30)
            now = next.add({ seconds: 10 })
          }
          expect(Temporal.Instant.compare(now, giveUpAt)).toBeLessThan(0)
        },
      ),
    )
  })

  it('stop at the end of the window', () => {
    const waitBefore = (seconds: number) => {
      const now = giveUpAt.subtract({ seconds })
      const next = nextAttemptAt({ attempts: 1, now, giveUpAt, retryAfterSeconds: undefined }, middle)
      return next && now.until(next).total('seconds')
    }
    expect([340, 100, 31, 30, 0, -5].map(waitBefore)).toEqual([40, 30, 30, undefined, undefined, undefined])
  })
})
