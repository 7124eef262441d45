/** The times of a day's three issues. */
import { expect, it } from 'vitest'
import { issueKindAt } from '../../../src/market/forecast-scope.ts'

it.each([
  ['midday', '2026-03-27T12:00:00Z', '2026-03-28'],
  ['midday', '2026-03-27T16:29:59Z', '2026-03-28'],
  ['evening', '2026-03-27T16:30:00Z', '2026-03-28'],
  ['evening', '2026-03-28T10:14:59Z', '2026-03-28'],
  ['pre-auction', '2026-03-28T10:15:00Z', '2026-03-28'],
  // Local time in Rome, on both change days.
  ['evening', '2026-03-29T09:14:59Z', '2026-03-29'],
  ['pre-auction', '2026-03-29T09:15:00Z', '2026-03-29'],
  ['evening', '2026-10-25T10:14:59Z', '2026-10-25'],
  ['pre-auction', '2026-10-25T10:15:00Z', '2026-10-25'],
])('the %s issue is made at %s from prices up to %s', (kind, now, infoDate) => {
  expect(issueKindAt(Temporal.Instant.from(now), Temporal.PlainDate.from(infoDate))).toBe(kind)
})
