import { beforeAll, describe, expect, it } from 'vitest'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { queryText } from '../../src/store/sql-files.ts'
import { databaseOfFile } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'

const { sql } = (await databaseOfFile()).database
beforeAll(async () => {
  await storePrices(sql, [
    zoneDay('nord', '2026-03-29', 15, (n) => n),
    zoneDay('nord', '2026-10-25', 60, (n) => 100 - n),
    zoneDay('sud', '2026-10-25', 60, (n) => (n === 1 ? undefined : 80)),
    zoneDay('sud', '2026-10-24', 60, () => 80),
    zoneDay('nord', '2024-10-25', 60, () => 40),
    zoneDay('sud', '2024-10-25', 60, (n) => n),
    zoneDay('nord', '2026-06-01', 60, () => 10),
    zoneDay('nord', '2026-06-02', 60, () => 10),
    zoneDay('nord', '2026-06-06', 60, () => 10),
  ])
  await refreshAggregates(sql)
})

const ask = async (name: string, from: string, to = from) => [
  ...(await sql.unsafe(queryText(name), ['nord', from, to])),
]

describe('hours of a zone', () => {
  it('are 23 on the March change day, averaged from quarter-hours', async () => {
    const [day] = await ask('zone_hours_list_days', '2026-03-29')
    expect(day).toMatchObject({ expected: 23, minimum: 2.5, maximum: 90.5, cheapest_hours: [1, 2, 3] })
    expect(day?.hours).toEqual(Array.from({ length: 23 }, (_, i) => i + 1))
    expect(day?.starts_at_epoch[0]).toBe(Date.parse('2026-03-28T23:00:00Z') / 1000)
    expect(day?.bands).toEqual(Array(23).fill('F3'))
  })

  it('are 25 on the October change day, with the last ones the cheapest', async () => {
    const [day] = await ask('zone_hours_list_days', '2026-10-25')
    expect(day).toMatchObject({ expected: 25, cheapest_hours: [25, 24, 23], average: 87 })
  })

  it.each([
    ['a Monday', '2026-06-01', 'F3*7 F2*1 F1*11 F2*4 F3*1'],
    ['a holiday', '2026-06-02', 'F3*24'],
    ['a Saturday', '2026-06-06', 'F3*7 F2*16 F3*1'],
  ])('fall in the bands of %s', async (_, date, expected) => {
    const [day] = await ask('zone_hours_list_days', date)
    expect(runs(day?.bands as string[])).toBe(expected)
    expect(day?.cheapest_hours).toEqual([1, 2, 3])
  })
})

describe('quarter-hours of a zone', () => {
  it('are 92 on the March change day, four per hour, with the cheapest whole hours', async () => {
    const [day] = await ask('zone_quarters_list_days', '2026-03-29')
    expect(day?.ordinals).toEqual(Array.from({ length: 92 }, (_, i) => i + 1))
    expect(day?.hours.slice(0, 5)).toEqual([1, 1, 1, 1, 2])
    expect(day).toMatchObject({ expected: 92, cheapest_hours: [1, 2, 3], minimum: 1, maximum: 92, average: 46.5 })
  })

  it('are empty for a day that has hours only', async () => {
    expect(await ask('zone_quarters_list_days', '2026-10-25')).toEqual([])
  })
})

/** Run lengths of equal values: `F3*7 F2*1`. */
function runs(values: string[]): string {
  const list: { value: string; count: number }[] = []
  for (const value of values) {
    const last = list.at(-1)
    if (last?.value === value) last.count += 1
    else list.push({ value, count: 1 })
  }
  return list.map(({ value, count }) => `${value}*${count}`).join(' ')
}

it('the spread of two zones is distributed over common hours, in this year and in earlier years that have any', async () => {
  const rows = await sql.unsafe(queryText('zone_spreads_list_years'), ['nord', 'sud', '2026-10-24', '2026-10-25', 5])
  expect([...rows]).toEqual([
    { from: '2026-10-24', hours: 24, p10: expect.closeTo(-2.7, 9), median: 6.5, p90: expect.closeTo(15.7, 9) },
    { from: '2024-10-24', hours: 24, p10: expect.closeTo(18.3, 9), median: 27.5, p90: expect.closeTo(36.7, 9) },
  ])
})
