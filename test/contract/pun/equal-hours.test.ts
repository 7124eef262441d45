/** Hours whose quarter-hours have the same mean: binary means may differ in the last digit, but none counts as cheaper than another. */
import { describe, expect, it } from 'vitest'
import type { NowAndNext } from '../../../src/api/contract/now-and-next.ts'
import { queryText } from '../../../src/store/sql-files.ts'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const DAY = '2026-11-20'
const MEAN = 92.9175
const MORE = [92.75, 91.29, 92.41, 95.22]
const LESS = [91.29, 95.22, 92.75, 92.41]

const service = await serviceOfFile({ now: `${DAY}T00:30:00Z` })
const headers = await service.asPlan('API')
const priceOf = (quarter: number) => (Math.ceil(quarter / 4) % 2 === 0 ? LESS : MORE)[(quarter - 1) % 4]
await service.seed([zoneDay('nazionale', DAY, 15, priceOf)])

describe('hours of equal mean price', () => {
  it('have stored means that differ in the last digit', async () => {
    const [day] = await service.sql.unsafe(queryText('zone_hours_list_days'), ['nazionale', DAY, DAY])
    expect(new Set(day?.prices).size).toBe(2)
  })

  it.each([
    '',
    '&granularity=quarter',
    '&as_of=2026-11-19T23:00:00Z',
    '&granularity=quarter&as_of=2026-11-19T23:00:00Z',
  ])('are listed as cheapest in chronological order: /pun/hourly?date%s', async (more) => {
    const answer = await service.ask(`/v1/pun/hourly?date=${DAY}${more}`, { headers })
    expect(answer.json().cheapest_hours).toEqual([1, 2, 3])
  })

  it('share the first rank in /pun/now-and-next', async () => {
    const { intervals } = (await service.ask('/v1/pun/now-and-next')).json() as NowAndNext
    expect(intervals.map(({ rank }) => rank)).toEqual(Array(23).fill(1))
    expect(new Set(intervals.map(({ value }) => value))).toEqual(new Set([MEAN]))
  })

  it('form one calendar event at the start of the day, even with contiguous=false', async () => {
    const { events } = (await service.ask('/v1/feeds/calendar?hours=3&contiguous=false', { headers })).json()
    expect(events).toMatchObject([{ start: `${DAY}T00:00:00+01:00`, end: `${DAY}T03:00:00+01:00` }])
  })

  it('share rank 1 and cover all hours in the duration curve for analysts', async () => {
    const rows = await service.sql`
      select distinct rank::integer, share_of_hours from analytics.duration_curve('nazionale', ${DAY}, ${DAY})`
    expect([...rows]).toEqual([{ rank: 1, share_of_hours: 1 }])
  })

  it('are neither below nor above their mean for analysts', async () => {
    const [row] = await service.sql`
      select hours, hours_below, hours_at, hours_above from analytics.hours_at_level(${MEAN}, ${DAY}, ${DAY})`
    expect(row).toEqual({ hours: 24, hours_below: 0, hours_at: 24, hours_above: 0 })
  })
})
