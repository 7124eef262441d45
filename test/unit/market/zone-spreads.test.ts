import { describe, expect, it } from 'vitest'
import { type DailyMeans, meanSpread, spreadMovers, spreadSpans } from '../../../src/market/zone-spreads.ts'
import type { ZoneCode } from '../../../src/market/zones.ts'

const means = (zones: Partial<Record<ZoneCode, Record<string, [number, number]>>>): DailyMeans =>
  new Map(
    Object.entries(zones).map(([zone, days]) => [
      zone as ZoneCode,
      new Map(Object.entries(days).map(([date, [price, hours]]) => [date, { price, hours }])),
    ]),
  )
const spans = spreadSpans('month', Temporal.PlainDate.from('2026-10-31'))

describe('spreads between zones', () => {
  it.each([
    ['month', '2026-11-25', '2026-10-01 2026-10-31', '2026-09-01 2026-09-30'],
    ['month', '2026-02-28', '2026-02-01 2026-02-28', '2026-01-01 2026-01-31'],
    ['month', '2026-01-30', '2025-12-01 2025-12-31', '2025-11-01 2025-11-30'],
    ['30d', '2026-03-01', '2026-01-31 2026-03-01', '2026-01-01 2026-01-30'],
    ['week', '2026-03-31', '2026-03-23 2026-03-29', '2026-03-16 2026-03-22'],
    ['week', '2026-03-29', '2026-03-23 2026-03-29', '2026-03-16 2026-03-22'],
  ] as const)('for a %s up to %s compare %s with %s', (kind, end, now, then) => {
    const { span, before } = spreadSpans(kind, Temporal.PlainDate.from(end))
    expect([span, before].map(({ from, to }) => `${from} ${to}`)).toEqual([now, then])
  })

  it('are means over days with both prices, weighted by their hours', () => {
    const found = means({
      nord: { '2026-10-24': [10, 24], '2026-10-25': [20, 25], '2026-10-26': [99, 24], '2026-11-01': [99, 24] },
      sud: { '2026-10-24': [0, 24], '2026-10-25': [0, 25], '2026-11-01': [0, 24] },
    })
    expect(meanSpread(found, ['nord', 'sud'], spans.span)).toBeCloseTo((24 * 10 + 25 * 20) / 49, 12)
    expect(meanSpread(found, ['nord', 'sici'], spans.span)).toBeUndefined()
  })

  it('are ranked by their change, with the dearer zone first', () => {
    const days = (then: number, now: number): Record<string, [number, number]> => ({
      '2026-09-30': [then, 24],
      '2026-10-01': [now, 24],
    })
    const found = means({ nazionale: days(0, 90), nord: days(50, 50), sud: days(60, 65), sici: days(52, 49), cala: {} })
    expect(spreadMovers(found, spans)).toEqual([
      { zones: ['sud', 'sici'], mean: 16, before: 8 },
      { zones: ['sud', 'nord'], mean: 15, before: 10 },
      { zones: ['nord', 'sici'], mean: 1, before: -2 },
    ])
  })
})
