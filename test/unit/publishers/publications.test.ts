import { describe, expect, it } from 'vitest'
import { nextPublication, secondsToNextPublication } from '../../../src/publishers/publications.ts'
import { defaultSourceFor } from '../../../src/publishers/sources.ts'

const at = Temporal.Instant.from

describe('the next expected publication', () => {
  it.each([
    ['PUN', '2026-11-21T10:00:00Z', '2026-11-21T11:55:00Z'],
    ['PUN', '2026-11-21T11:55:00Z', '2026-11-22T11:55:00Z'],
    ['PUN', '2026-07-01T10:00:00Z', '2026-07-01T10:55:00Z'], // summer time
    ['PUN', '2026-03-28T12:00:00Z', '2026-03-29T10:55:00Z'], // daylight-saving change that night
    ['PUN', '2026-10-24T12:00:00Z', '2026-10-25T11:55:00Z'],
    ['PSV', '2026-11-21T23:30:00Z', '2026-11-22T18:00:00Z'],
    ['CO2', '2026-11-20T10:14:59Z', '2026-11-20T10:15:00Z'],
    ['CO2', '2026-11-20T10:15:00Z', '2026-11-23T10:15:00Z'], // over the weekend
    ['CO2', '2026-11-24T12:00:00Z', '2026-11-26T10:15:00Z'], // no auctions on Wednesdays
    ['CO2', '2025-12-12T12:00:00Z', '2025-12-15T10:15:00Z'],
    ['CO2', '2025-12-15T12:00:00Z', '2026-01-08T10:15:00Z'], // nor from 16 December to 6 January
    ['CO2', '2026-12-15T12:00:00Z', '2027-01-07T10:15:00Z'],
    ['Brent', '2026-11-21T12:00:00Z', '2026-11-23T19:00:00Z'],
    ['TTF', '2026-03-27T18:00:00Z', '2026-03-30T16:00:00Z'], // daylight-saving change that weekend
    ['TTF', '2026-04-02T17:00:00Z', '2026-04-07T16:00:00Z'], // Easter
  ] as const)('of %s after %s is at %s', (asset, now, expected) => {
    expect(nextPublication(defaultSourceFor(asset), at(now)).toString()).toBe(expected)
  })

  it.each([
    ['at least a minute away', ['PUN'], '2026-11-21T11:54:59Z', 60],
    ['at most a day away, even if the exchange is closed', ['Brent'], '2026-11-20T19:00:00Z', 24 * 3600],
    ['the earliest of several assets', ['PSV', 'PUN'], '2026-11-21T11:45:00.5Z', 600],
  ] as const)('is reported as %s', (_, assets, now, seconds) => {
    expect(secondsToNextPublication(assets, at(now))).toBe(seconds)
  })
})
