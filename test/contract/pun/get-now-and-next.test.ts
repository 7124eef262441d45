import { describe, expect, it } from 'vitest'
import type { NowAndNext } from '../../../src/api/contract/now-and-next.ts'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { withoutLast } from './change-days.ts'

const FRIDAY = '2026-11-20'
const SATURDAY = '2026-11-21'
const UNPUBLISHED = '2026-11-22'
const MARCH = '2026-03-29'
const OCTOBER = '2026-10-25'
const WITH_GAPS = '2026-06-10'
const IN_HOURS = '2025-09-30'

const service = await serviceOfFile({ now: `${FRIDAY}T10:30:00Z` })
await service.seed([
  zoneDay('nazionale', FRIDAY, 15, (quarter) => 100 + quarter),
  zoneDay('cala', FRIDAY, 60, () => 90),
  ...[MARCH, OCTOBER].flatMap((text) => {
    const day = Temporal.PlainDate.from(text)
    return [day, day.add({ days: 1 })].map((one) => zoneDay('nazionale', one.toString(), 15, (quarter) => quarter))
  }),
  withoutLast(zoneDay('nazionale', WITH_GAPS, 60, (hour) => hour)),
  zoneDay('nazionale', IN_HOURS, 60, () => 50),
])

async function getNowAndNext(now: string, query = ''): Promise<NowAndNext> {
  service.setNow(now)
  const answer = await service.ask(`/v1/pun/now-and-next${query}`)
  expect(answer.status).toBe(200)
  return answer.json() as NowAndNext
}

/** Only the first is current and contains the instant; each begins where the one before it ends. */
function expectUnbroken({ intervals, count }: NowAndNext, now: string): void {
  expect(intervals).toHaveLength(count)
  expect(intervals.map(({ current }) => current)).toEqual([true, ...Array(count - 1).fill(false)])
  const [start, end] = [intervals[0]?.starts_at, intervals[0]?.ends_at].map((text) => Date.parse(text as string))
  expect(start).toBeLessThanOrEqual(Date.parse(now))
  expect(end).toBeGreaterThan(Date.parse(now))
  expect(intervals.slice(1).map(({ starts_at }) => starts_at)).toEqual(
    intervals.slice(0, -1).map(({ ends_at }) => ends_at),
  )
}

describe('GET /v1/pun/now-and-next', () => {
  it('200 without a key, from the current hour to the end of the day if tomorrow is unpublished', async () => {
    const body = await getNowAndNext(`${FRIDAY}T10:30:00Z`)
    const head = { zone: 'nazionale', unit: '€/MWh', timezone: 'Europe/Rome', granularity: 'hour' }
    expect(body).toMatchObject({ ...head, count: 13 })
    expectUnbroken(body, `${FRIDAY}T10:30:00Z`)
    expect(body.intervals[0]).toEqual({
      date: FRIDAY,
      starts_at: `${FRIDAY}T11:00:00+01:00`,
      ends_at: `${FRIDAY}T12:00:00+01:00`,
      value: 146.5,
      band: 'F1',
      rank: 12,
      level: 'normal',
      current: true,
    })
    expect(body.intervals.at(-1)).toMatchObject({ rank: 24, level: 'high', ends_at: `${SATURDAY}T00:00:00+01:00` })
  })

  it('200 by quarter-hour and for the requested zone', async () => {
    const quarters = await getNowAndNext(`${FRIDAY}T10:29:59.999Z`, '?granularity=quarter')
    expectUnbroken(quarters, `${FRIDAY}T10:29:59.999Z`)
    expect(quarters.intervals[0]).toMatchObject({ starts_at: `${FRIDAY}T11:15:00+01:00`, value: 146, rank: 46 })
    expect(quarters.count).toBe(51)
    const calabria = await getNowAndNext(`${FRIDAY}T10:30:00Z`, '?zone=cala')
    expect(calabria).toMatchObject({ zone: 'cala', count: 13 })
    expect(new Set(calabria.intervals.map(({ level }) => level))).toEqual(new Set(['normal']))
  })

  it('200 as CSV', async () => {
    service.setNow(`${FRIDAY}T22:10:00Z`)
    const { text, headers } = await service.ask('/v1/pun/now-and-next?format=csv')
    expect(text).toBe(
      'zone;unit;date;starts_at;ends_at;value;band;rank;level;current\r\n' +
        `nazionale;€/MWh;${FRIDAY};${FRIDAY}T23:00:00+01:00;${SATURDAY}T00:00:00+01:00;194,5;F3;24;high;true\r\n`,
    )
    expect(headers.get('content-disposition')).toBe('attachment; filename="pun_now_and_next_nazionale_hour.csv"')
  })

  it('200 with tomorrow once published, ranked within its day and continuous over midnight', async () => {
    expect((await getNowAndNext(`${FRIDAY}T12:01:00Z`)).count).toBe(11)
    await service.seed([zoneDay('nazionale', SATURDAY, 15, (quarter) => -quarter)])
    const body = await getNowAndNext(`${FRIDAY}T12:01:00Z`)
    expectUnbroken(body, `${FRIDAY}T12:01:00Z`)
    expect(body.count).toBe(11 + 24)
    expect(body.intervals.at(-1)).toMatchObject({ date: SATURDAY, value: -94.5, rank: 1, level: 'low' })
    expect(body.intervals[11]).toMatchObject({ date: SATURDAY, value: -2.5, rank: 24, level: 'high' })
    const before = await getNowAndNext(`${FRIDAY}T22:59:59Z`)
    expect(before.intervals[0]).toMatchObject({ date: FRIDAY, starts_at: `${FRIDAY}T23:00:00+01:00`, current: true })
    expect(before.count).toBe(25)
    const after = await getNowAndNext(`${FRIDAY}T23:00:00Z`)
    expect(after.intervals).toEqual(before.intervals.slice(1).map((one, i) => ({ ...one, current: i === 0 })))
  })

  it.each([
    ['the hour before the clock skips one', `${MARCH}T00:00:00Z`, `${MARCH}T01:00:00+01:00`, 22 + 24, 88 + 96],
    ['the hour after', `${MARCH}T01:00:00Z`, `${MARCH}T03:00:00+02:00`, 21 + 24, 84 + 96],
    ['the first hour at 02:00', `${OCTOBER}T00:00:00Z`, `${OCTOBER}T02:00:00+02:00`, 23 + 24, 92 + 96],
    ['the second hour at 02:00', `${OCTOBER}T01:00:00Z`, `${OCTOBER}T02:00:00+01:00`, 22 + 24, 88 + 96],
    ['the day before it', `2026-10-25T22:59:00Z`, `${OCTOBER}T23:00:00+01:00`, 1 + 24, 1 + 96],
  ])('200 in %s', async (_name, now, startsAt, hours, quarters) => {
    const byHour = await getNowAndNext(now)
    expectUnbroken(byHour, now)
    expect(byHour.count).toBe(hours)
    expect(byHour.intervals[0]?.starts_at).toBe(startsAt)
    const byQuarter = await getNowAndNext(now, '?granularity=quarter')
    expectUnbroken(byQuarter, now)
    expect(byQuarter.count).toBe(quarters)
  })

  it('200 on a day with gaps, with prices but no rank or level', async () => {
    const [current] = (await getNowAndNext(`${WITH_GAPS}T10:00:00Z`)).intervals
    expect(current).toMatchObject({ value: 13, current: true })
    expect(current).not.toHaveProperty('rank')
    expect(current).not.toHaveProperty('level')
  })

  it.each([
    [503, 'if the current hour is missing', `${WITH_GAPS}T21:30:00Z`, '', `${WITH_GAPS}T23:30:00+02:00`],
    [503, 'if today is not published', `${UNPUBLISHED}T10:00:00Z`, '', UNPUBLISHED],
    [503, 'if today is not, tomorrow is', '2026-11-19T10:00:00Z', '', '2026-11-19'],
    [503, 'if the zone has no prices', `${FRIDAY}T10:00:00Z`, '?zone=sard', FRIDAY],
    [404, 'for quarters of a day that has hours', `${IN_HOURS}T10:00:00Z`, '?granularity=quarter', 'hours only'],
    [404, 'for a zone that is still to come', '2020-06-01T10:00:00Z', '?zone=cala', 'has been a zone since 2021-01-01'],
  ])('%i %s', async (status, _name, now, query, message) => {
    service.setNow(now)
    const answer = await service.ask(`/v1/pun/now-and-next${query}`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, status === 503 ? '60' : null])
    expect(answer.json()).toMatchObject({
      error: status === 503 ? 'no_data' : 'not_found',
      message: expect.stringContaining(message),
    })
  })
})

describe('caching of GET /v1/pun/now-and-next', () => {
  const DAY = '2026-11-21'
  const askAt = (time: string, query = '', headers: Record<string, string> = {}) => {
    service.setNow(`${DAY}T${time}Z`)
    return service.ask(`/v1/pun/now-and-next${query}`, { headers })
  }

  it.each([
    ['09:45:00', 900],
    ['09:52:30', 450],
    ['09:59:59.500', 0],
  ])('is public at %s for the %i seconds to the end of the quarter-hour, and never stale', async (time, left) => {
    for (const query of ['', '?granularity=quarter', '?format=csv']) {
      const { headers } = await askAt(time, query)
      expect(headers.get('cache-control')).toBe(`public, max-age=${left}, must-revalidate`)
    }
  })

  it('does not reuse the response of one interval in the next', async () => {
    const starts = async (time: string) =>
      ((await askAt(time, '?granularity=quarter')).json() as NowAndNext).intervals.find(({ current }) => current)
        ?.starts_at
    expect(await starts('10:14:59')).toBe(`${DAY}T11:00:00+01:00`)
    expect(await starts('10:15:00')).toBe(`${DAY}T11:15:00+01:00`)
    expect(await starts('10:14:59')).toBe(`${DAY}T11:00:00+01:00`)
  })

  it('returns 304 for a matching entity tag, with the remaining max-age', async () => {
    const etag = String((await askAt('11:00:00')).headers.get('etag'))
    const again = await askAt('11:10:00', '', { 'if-none-match': etag })
    expect(again.status).toBe(304)
    expect(again.headers.get('cache-control')).toBe('public, max-age=300, must-revalidate')
    expect((await askAt('12:00:00', '', { 'if-none-match': etag })).status).toBe(200)
  })
})
