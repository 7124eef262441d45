import { expect, it } from 'vitest'
import { spansOf } from '../../../src/ingest/fetch-span.ts'

const spans = (days: string[], max: number) =>
  spansOf(
    days.map((day) => Temporal.PlainDate.from(day)),
    max,
  ).map(({ from, to }) => `${from}/${to}`)

it('spans begin with the newest days, in groups as large as the publisher allows', () => {
  expect(spans(['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'], 2)).toEqual([
    '2026-03-30/2026-03-31',
    '2026-03-28/2026-03-29',
    '2026-03-27/2026-03-27',
  ])
})

it('a span bridges a weekend, but not more days than allowed', () => {
  expect(spans(['2026-10-22', '2026-10-23', '2026-10-26', '2026-10-27'], 5)).toEqual([
    '2026-10-23/2026-10-27',
    '2026-10-22/2026-10-22',
  ])
})

it('no days result in no spans', () => {
  expect(spans([], 7)).toEqual([])
})
