/** Files are due at 04:40 in Rome, also on days of 23 and 25 hours. */
import { expect, it } from 'vitest'
import { lastExportTime } from '../../../jobs/plan-exports.ts'

it.each([
  ['an ordinary day, just before', '2026-11-21T03:39:59.999Z', '2026-11-20T03:40:00Z'],
  ['an ordinary day, at the minute', '2026-11-21T03:40:00Z', '2026-11-21T03:40:00Z'],
  ['an ordinary day, just after', '2026-11-21T03:40:00.001Z', '2026-11-21T03:40:00Z'],
  ['the last second of a day', '2026-11-20T22:59:59Z', '2026-11-20T03:40:00Z'],
  ['the first of the next', '2026-11-20T23:00:00Z', '2026-11-20T03:40:00Z'],
  ['the day of 23 hours, before its change', '2026-03-29T00:59:59Z', '2026-03-28T03:40:00Z'],
  ['the day of 23 hours, just before', '2026-03-29T02:39:59.999Z', '2026-03-28T03:40:00Z'],
  ['the day of 23 hours, at the minute', '2026-03-29T02:40:00Z', '2026-03-29T02:40:00Z'],
  ['the day of 23 hours, just after', '2026-03-29T02:40:00.001Z', '2026-03-29T02:40:00Z'],
  ['the day behind it, just before', '2026-03-30T02:39:59Z', '2026-03-29T02:40:00Z'],
  ['the day of 25 hours, in its first 02:30', '2026-10-25T00:30:00Z', '2026-10-24T02:40:00Z'],
  ['the day of 25 hours, in its second 02:30', '2026-10-25T01:30:00Z', '2026-10-24T02:40:00Z'],
  ['the day of 25 hours, just before', '2026-10-25T03:39:59.999Z', '2026-10-24T02:40:00Z'],
  ['the day of 25 hours, at the minute', '2026-10-25T03:40:00Z', '2026-10-25T03:40:00Z'],
  ['the day of 25 hours, just after', '2026-10-25T03:40:00.001Z', '2026-10-25T03:40:00Z'],
  ['the day behind it, just before', '2026-10-26T03:39:59Z', '2026-10-25T03:40:00Z'],
])('the last export was due at 04:40 in Rome on %s', (_when, now, due) => {
  expect(lastExportTime(Temporal.Instant.from(now)).toString()).toBe(due)
})
