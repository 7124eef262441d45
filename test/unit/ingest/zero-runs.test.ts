import { describe, expect, it } from 'vitest'
import { gateZoneDay } from '../../../src/ingest/gate.ts'
import { contradictedZeroRuns, zeroRuns } from '../../../src/ingest/zero-runs.ts'
import type { ResolutionMinutes } from '../../../src/market/market-day.ts'
import type { ZoneCode } from '../../../src/market/zones.ts'
import { type GmeTag, gmeXml, plainPrice } from '../../support/gme-documents.ts'
import { readAll } from '../../support/parsed-documents.ts'
import { zoneDay } from '../../support/prices.ts'

it('zeroRuns finds runs of exact zeros', () => {
  expect(zeroRuns([5, 0, 0, 7, 0, undefined, -0, 0.01])).toEqual([
    { first: 2, last: 3 },
    { first: 5, last: 5 },
    { first: 7, last: 7 },
  ])
})

describe('zeros of the PUN and the mainland zones', () => {
  it.each<[string, Record<number, number>, boolean]>([
    ['a solar midday that comes down to zero', { 11: 8, 12: 2, 13: 0, 14: 0, 15: 0, 16: 3 }, false],
    ['between negative prices near zero', { 12: -1, 13: 0, 14: -2 }, false],
    ['on the way from negative to positive', { 12: -40, 13: 0, 14: 45 }, false],
    ['next to a cheap hour on one side', { 12: 7.61, 13: 0 }, false],
    ['in the middle of ordinary prices', { 10: 0, 11: 0 }, true],
    ['one hour alone', { 10: 0 }, true],
    ['at the beginning', { 1: 0, 2: 0 }, true],
    ['at the end', { 24: 0 }, true],
    ['between deeply negative prices', { 12: -60, 13: 0, 14: -60 }, true],
  ])('are judged by the surrounding prices: %s', (_, changes, contradicted) => {
    for (const zone of ['nazionale', 'nord', 'csud'] as const) {
      expect(contradictedZeroRuns(dayOf(zone, changes)).length > 0).toBe(contradicted)
    }
  })

  it('are judged in quarter-hours by the same rule', () => {
    const quarters = dayOf('nord', { 50: 0, 51: 0 }, '2026-01-14', 15)
    expect(contradictedZeroRuns(quarters)).toEqual([{ first: 50, last: 51 }])
  })
})

describe('zeros of the islands and Calabria', () => {
  /** The zone-days of a document with some zeros, and whether each is accepted. */
  async function gatedWithZeros(isZero: (tag: GmeTag, hour: number) => boolean) {
    const prices = (tag: GmeTag, hour: number) => (isZero(tag, hour) ? '0,000000' : plainPrice(tag, hour))
    const { zoneDays } = await readAll(gmeXml({ day: '2026-01-14', prices }))
    const context = { priceLimits: { min: -500, max: 4000 } }
    return zoneDays.map((item) => ({ ...item, accepted: gateZoneDay(item, context).accepted }))
  }

  it.each(['sard', 'sici', 'cala'] as const)('are accepted in %s even after an abrupt fall', (zone) => {
    expect(contradictedZeroRuns(dayOf(zone, { 10: 0, 11: 0, 12: 0 }))).toEqual([])
    expect(contradictedZeroRuns(dayOf(zone, { 9: 0 }))).toEqual([])
  })

  it('are refused for a whole day', () => {
    expect(contradictedZeroRuns(zoneDay('sard', '2026-01-14', 60, () => 0))).toEqual([{ first: 1, last: 24 }])
  })

  it('are refused if the same document has zeros for the mainland', async () => {
    const zoneDays = await gatedWithZeros((tag, hour) => hour === 10 || (tag === 'SARD' && hour > 20))
    expect(zoneDays.map(({ accepted }) => accepted)).toEqual(new Array(8).fill(false))
    expect(zoneDays.find(({ zone }) => zone === 'sard')?.faults).toMatchObject([
      { code: 'zero_run', place: 'sard 2026-01-14', detail: expect.stringMatching(/states as 0 for nazionale too/) },
    ])
  })

  it('are accepted if the document has no zeros for the mainland in those intervals', async () => {
    const zoneDays = await gatedWithZeros((tag, hour) => (tag === 'SARD' ? hour > 20 : tag === 'NORD' && hour === 10))
    expect(zoneDays.filter(({ accepted }) => !accepted).map(({ zone }) => zone)).toEqual(['nord'])
  })
})

describe('a zero during a daylight-saving change between low night prices', () => {
  it.each([
    ['2026-03-29', 60, { 2: 6, 3: 0, 4: 5 }],
    ['2026-10-25', 60, { 2: 6, 3: 0, 4: 7 }],
    ['2026-10-25', 60, { 3: 6, 4: 0, 5: 7 }],
    ['2026-10-25', 60, { 2: 6, 3: 0, 4: 0, 5: 7 }],
    ['2026-10-25', 15, { 8: 6, 9: 0, 10: 0, 11: 0, 12: 0, 13: 6 }],
  ] as const)('is refused in every zone: %s in intervals of %i minutes, %j', (day, resolution, changes) => {
    for (const zone of ['nazionale', 'sard'] as const) {
      expect(contradictedZeroRuns(dayOf(zone, changes, day, resolution))).toHaveLength(1)
    }
  })

  it('is accepted on an ordinary day, and next to zeros of the night before', () => {
    expect(contradictedZeroRuns(dayOf('sard', { 2: 6, 3: 0, 4: 5 }))).toEqual([])
    expect(contradictedZeroRuns(dayOf('sard', { 1: 0, 2: 0, 3: 0 }, '2026-10-25'))).toEqual([])
    expect(contradictedZeroRuns(dayOf('nord', { 2: 1, 3: 0, 4: 1 }, '2026-10-25'))).toEqual([])
  })
})

/** A day at 100 €/MWh except in the given intervals. */
function dayOf(
  zone: ZoneCode,
  changes: Record<number, number>,
  day = '2026-01-14',
  resolution: ResolutionMinutes = 60,
) {
  return zoneDay(zone, day, resolution, (ordinal) => changes[ordinal] ?? 100)
}
