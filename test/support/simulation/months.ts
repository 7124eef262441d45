/** October 2026 with its 25-hour day, and the week of March 2026 with its 23-hour day. */
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
  events: [],
}

export const MARCH: Scenario = {
  historyFrom: '2026-03-24',
  starts: '2026-03-25T23:00:00Z',
  ends: '2026-04-01T04:00:00Z',
  lastDay: '2026-04-01',
  corrections: [{ day: '2026-03-29', at: '2026-03-30T08:00:00Z', zone: 'sici', ordinals: range(9, 12) }],
  priceCorrections: [],
  zeros: [{ day: '2026-03-29', until: '2026-03-28T12:40:00Z', ordinals: range(9, 12) }],
  outages: [{ source: 'gme-mgp', from: '2026-03-29T10:00:00Z', to: '2026-03-29T13:40:00Z', fault: 'late' }],
  events: [],
}
