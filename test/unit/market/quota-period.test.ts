import { describe, expect, it } from 'vitest'
import { quotaPeriod } from '../../../src/market/quota-period.ts'

describe('a quota period', () => {
  it.each([
    ['in winter', '2026-12-31T22:59:59.999Z', '2026-12-01', '2026-12-31T23:00:00Z'],
    ['in winter, a moment later', '2026-12-31T23:00:00Z', '2027-01-01', '2027-01-31T23:00:00Z'],
    ['in summer', '2026-07-31T21:59:59Z', '2026-07-01', '2026-07-31T22:00:00Z'],
    ['in summer, a second later', '2026-07-31T22:00:00Z', '2026-08-01', '2026-08-31T22:00:00Z'],
    ['of March, over the change of clocks', '2026-03-15T12:00:00Z', '2026-03-01', '2026-03-31T22:00:00Z'],
    ['of October, over the change of clocks', '2026-10-15T12:00:00Z', '2026-10-01', '2026-10-31T23:00:00Z'],
    ['that ends on the day of the change, 31 March', '2024-03-31T21:59:59Z', '2024-03-01', '2024-03-31T22:00:00Z'],
    ['after the hour that does not exist', '2024-03-31T01:00:00Z', '2024-03-01', '2024-03-31T22:00:00Z'],
    ['that ends on the day of the change, 31 October', '2027-10-31T22:59:59Z', '2027-10-01', '2027-10-31T23:00:00Z'],
    ['in the hour that comes twice', '2027-10-31T00:30:00Z', '2027-10-01', '2027-10-31T23:00:00Z'],
    ['in the same hour for the second time', '2027-10-31T01:30:00Z', '2027-10-01', '2027-10-31T23:00:00Z'],
    ['of a leap year', '2028-02-29T22:59:59Z', '2028-02-01', '2028-02-29T23:00:00Z'],
  ])('%s', (_name, now, month, endsAt) => {
    const period = quotaPeriod(Temporal.Instant.from(now))
    expect(period).toMatchObject({ month })
    expect(period.endsAt.toString()).toBe(endsAt)
    expect(quotaPeriod(period.endsAt).startsAt).toEqual(period.endsAt)
    expect(quotaPeriod(period.startsAt).month).toBe(month)
  })
})
