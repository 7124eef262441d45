import { expect, it } from 'vitest'
import { pastIssues } from '../../../jobs/forecasts/past-issues.ts'
import { usualPublication } from '../../../jobs/forecasts/price-record.ts'
import { dayNumber, marketDay } from '../../../models/calendar.ts'
import { type PriceRecord, priceOn } from '../../../models/history.ts'
import type { ForecastAsset } from '../../../models/model.ts'
import { syntheticRecord } from '../../support/invented-prices.ts'

/** Includes the change day in March; 27 March 2026 is a Friday. */
const RECORD = syntheticRecord({ firstDay: '2026-03-01', days: 40 })
const number = (day: string) => dayNumber(Temporal.PlainDate.from(day))

function issues(record: PriceRecord, asset: ForecastAsset, from: string, to: string): [string, string][] {
  const all = [...pastIssues(record, asset, number(from), number(to))]
  return all.map(({ info, history }) => [marketDay(info).toString(), history.knownAt.toString()])
}

/** The record with one price known at another instant, or never. */
function withKnownAt(asset: ForecastAsset, date: string, knownAt: string | undefined): PriceRecord {
  const revisions = RECORD.revisions[asset].flatMap((one) => {
    if (one.day.toString() !== date) return [one]
    return knownAt === undefined ? [] : [{ ...one, knownAt: Temporal.Instant.from(knownAt) }]
  })
  return { ...RECORD, revisions: { ...RECORD.revisions, [asset]: revisions } }
}

it('past PUN issues are made in the evening after the gas prices, on both sides of a change day', () => {
  expect(issues(RECORD, 'PUN', '2026-03-28', '2026-03-31')).toEqual([
    ['2026-03-28', '2026-03-27T18:00:00Z'],
    ['2026-03-29', '2026-03-28T18:00:00Z'],
    ['2026-03-30', '2026-03-29T17:00:00Z'],
    ['2026-03-31', '2026-03-30T17:00:00Z'],
  ])
})

it('past PUN issues use the PSV of the info date, the TTF of the day before, and no later PUN', () => {
  const [issue] = [...pastIssues(RECORD, 'PUN', number('2026-03-28'), number('2026-03-28'))]
  const { series } = issue?.history ?? expect.fail('no issue')
  expect(priceOn(series.PSV, number('2026-03-28'))).toBeGreaterThan(0)
  expect(priceOn(series.TTF, number('2026-03-27'))).toBeGreaterThan(0)
  expect(priceOn(series.PUN, number('2026-03-29'))).toBeNaN()
})

it('past PUN issues are made at midday without gas prices, or when late gas prices arrive', () => {
  expect(issues(withKnownAt('PSV', '2026-03-29', undefined), 'PUN', '2026-03-29', '2026-03-29')).toEqual([
    ['2026-03-29', '2026-03-28T11:55:00Z'], // no TTF on Saturday either
  ])
  expect(issues(withKnownAt('PSV', '2026-03-28', '2026-03-27T22:30:00Z'), 'PUN', '2026-03-28', '2026-03-28')).toEqual([
    ['2026-03-28', '2026-03-27T22:30:00Z'],
  ])
})

it('past PUN issues do not wait for gas prices published after the next PUN', () => {
  const late = usualPublication('PUN', Temporal.PlainDate.from('2026-03-29')).toString()
  expect(issues(withKnownAt('PSV', '2026-03-28', late), 'PUN', '2026-03-28', '2026-03-28')).toEqual([
    ['2026-03-28', '2026-03-27T17:00:00Z'], // that Friday's TTF
  ])
})

it('past gas issues are made at the publication of their own price', () => {
  expect(issues(RECORD, 'PSV', '2026-03-29', '2026-03-29')).toEqual([['2026-03-29', '2026-03-28T18:00:00Z']])
  expect(issues(RECORD, 'TTF', '2026-03-27', '2026-03-30')).toEqual([
    ['2026-03-27', '2026-03-27T17:00:00Z'],
    ['2026-03-30', '2026-03-30T16:00:00Z'],
  ])
})
