/** October 2026 with its 25-hour day, a week of it alone, and the days about the 23-hour day of March 2026. */
import type { Scenario } from './scenario.ts'

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

export const OCTOBER: Scenario = {
  historyFrom: '2026-09-24',
  starts: '2026-09-30T22:00:00Z',
  ends: '2026-11-01T04:00:00Z',
  lastDay: '2026-11-01',
  corrections: [
    { day: '2026-10-08', at: '2026-10-09T08:00:00Z', zone: 'nord', ordinals: range(10, 13) },
    // The hour that the clock repeats, corrected when the day is over.
    { day: '2026-10-25', at: '2026-10-26T09:00:00Z', zone: 'nazionale', ordinals: range(9, 12) },
  ],
  priceCorrections: [
    { asset: 'PSV', day: '2026-10-12', at: '2026-10-13T09:00:00Z' },
    { asset: 'CO2', day: '2026-10-19', at: '2026-10-20T09:00:00Z' },
  ],
  // The hour that only this day has.
  zeros: [{ day: '2026-10-25', until: '2026-10-24T12:10:00Z', ordinals: range(97, 100) }],
  outages: [
    { source: 'gme-mgp', from: '2026-10-05T10:00:00Z', to: '2026-10-05T14:40:00Z', fault: 'late' },
    { source: 'gme-mgp', from: '2026-10-13T10:00:00Z', to: '2026-10-16T10:00:00Z', fault: 'error-500' },
    { source: 'entsoe', from: '2026-10-14T10:00:00Z', to: '2026-10-15T08:00:00Z', fault: 'unreachable' },
    { source: 'eex-ttf', from: '2026-10-19T10:00:00Z', to: '2026-10-19T21:15:00Z', fault: 'empty' },
    { source: 'eia-brent', from: '2026-10-19T10:00:00Z', to: '2026-10-22T10:00:00Z', fault: 'busy-429' },
    { source: 'gme-mgas', from: '2026-10-22T10:00:00Z', to: '2026-10-23T06:30:00Z', fault: 'refused-401' },
    { source: 'gme-mgp', from: '2026-10-28T10:00:00Z', to: '2026-10-28T12:30:00Z', fault: 'previous-day' },
  ],
  fallbacks: [
    { day: '2026-10-06', at: '2026-10-05T12:30:00Z' },
    { day: '2026-10-14', at: '2026-10-13T12:30:00Z' },
    { day: '2026-10-15', at: '2026-10-15T08:00:00Z' },
    { day: '2026-10-16', at: '2026-10-15T12:30:00Z' },
  ],
  events: [
    // Late for an afternoon; the second source was the fallback.
    '2026-10-05T13:00Z gme-mgp late 2026-10-06',
    '2026-10-05T15:00Z gme-mgp back',
    // Corrections, seen when the last days are read again at night.
    '2026-10-10T01:40Z gme-mgp corrected 2026-10-08',
    // Three days without the first source, one of them without the second as well.
    '2026-10-13T13:00Z gme-mgp late 2026-10-14',
    '2026-10-14T01:40Z gme-mgas corrected 2026-10-12',
    '2026-10-14T13:00Z gme-mgp late 2026-10-15',
    '2026-10-14T15:00Z entsoe late 2026-10-15',
    '2026-10-15T08:00Z entsoe back',
    '2026-10-15T13:00Z gme-mgp late 2026-10-16',
    '2026-10-16T10:00Z gme-mgp back',
    // Empty answers for an evening, then the settlement after all.
    '2026-10-19T16:00Z eex-ttf quarantined',
    '2026-10-19T20:00Z eex-ttf late 2026-10-20',
    '2026-10-20T01:40Z eex-ttf back',
    // The report of the year is read whole every time.
    '2026-10-20T09:15Z eex-eua corrected 2026-10-19',
    // Credentials refused overnight.
    '2026-10-22T17:00Z gme-mgas refused',
    '2026-10-22T21:00Z gme-mgas late 2026-10-23',
    '2026-10-23T07:00Z gme-mgas back',
    // Zeros on the day of 25 hours, put right before it was late; corrected once more when it was over.
    '2026-10-24T10:55Z gme-mgp quarantined 2026-10-25',
    '2026-10-27T02:40Z gme-mgp corrected 2026-10-25',
    // Yesterday's data under the name of today's.
    '2026-10-28T11:55Z gme-mgp quarantined 2026-10-28',
  ],
}

/** What began before is left out; what comes after must not be missed. */
function within(scenario: Scenario, span: Pick<Scenario, 'historyFrom' | 'starts' | 'ends' | 'lastDay'>): Scenario {
  const isAfter = (instant: string) => instant >= span.starts
  return {
    ...scenario,
    ...span,
    corrections: scenario.corrections.filter(({ at }) => isAfter(at)),
    priceCorrections: scenario.priceCorrections.filter(({ at }) => isAfter(at)),
    outages: scenario.outages.filter(({ from }) => isAfter(from)),
    fallbacks: scenario.fallbacks.filter(({ at }) => isAfter(at)),
    events: scenario.events.filter(isAfter),
  }
}

export const LATE_OCTOBER = within(OCTOBER, {
  historyFrom: '2026-10-15',
  starts: '2026-10-21T22:00:00Z',
  ends: '2026-10-29T04:00:00Z',
  lastDay: '2026-10-29',
})

export const MARCH: Scenario = {
  historyFrom: '2026-03-24',
  starts: '2026-03-27T23:00:00Z',
  ends: '2026-03-31T04:00:00Z',
  lastDay: '2026-03-31',
  corrections: [{ day: '2026-03-29', at: '2026-03-30T08:00:00Z', zone: 'sici', ordinals: range(9, 12) }],
  priceCorrections: [],
  zeros: [{ day: '2026-03-29', until: '2026-03-28T12:40:00Z', ordinals: range(9, 12) }],
  outages: [{ source: 'gme-mgp', from: '2026-03-29T10:00:00Z', to: '2026-03-29T13:40:00Z', fault: 'late' }],
  fallbacks: [{ day: '2026-03-30', at: '2026-03-29T12:30:00Z' }],
  events: [
    '2026-03-28T11:55Z gme-mgp quarantined 2026-03-29',
    '2026-03-29T13:00Z gme-mgp late 2026-03-30',
    '2026-03-29T14:00Z gme-mgp back',
    '2026-03-31T01:40Z gme-mgp corrected 2026-03-29',
  ],
}
