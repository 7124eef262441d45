import { describe, expect, it } from 'vitest'
import { DATASETS } from '../../../../src/delivery/bulk/datasets/index.ts'
import { divide, splitYears } from '../../../../src/delivery/lake/partitions.ts'

/** The parts and periods that rows fall into while 2026 is the open year, each with its rows: zones and starts, or codes and days. */
function periodsOf(dataset: 'pun-hourly' | 'prices-daily', rows: [part: string, at: string][]) {
  const { columns, partitionedBy } = DATASETS[dataset]
  const values = columns.map(({ name }) =>
    rows.map(([part, at], row) => {
      if (name === partitionedBy.part) return part
      if (name !== partitionedBy.time) return row
      return dataset === 'pun-hourly' ? Temporal.Instant.from(at).epochMilliseconds : at
    }),
  )
  const untouched = columns.findIndex(({ name }) => name !== partitionedBy.part && name !== partitionedBy.time)
  const found = divide(DATASETS[dataset], { rows: rows.length, columns: values }, splitYears([], 2026))
  return found.map(({ part, period, columns }) => [part, period, columns[untouched]])
}

function hoursOf(zone: string, starts: string[]) {
  const rows = starts.map((at): [string, string] => [zone, at])
  return periodsOf('pun-hourly', rows)
}

describe('rows of a dataset', () => {
  it('are partitioned by the year of their market day in Rome', () => {
    const starts = ['2024-12-31T22:45:00Z', '2024-12-31T23:00:00Z', '2025-12-31T22:45:00Z', '2025-12-31T23:00:00Z']
    starts.push('2024-03-31T00:00:00Z') // an earlier row after a later one
    expect(hoursOf('nord', starts)).toEqual([
      ['nord', '2024', [0, 4]],
      ['nord', '2025', [1, 2]],
      ['nord', '2026-01', [3]],
    ])
  })

  it('are partitioned by two months in the open year, across both change days', () => {
    const starts = [
      ['2026-02-28T22:00:00Z', '2026-02-28T23:00:00Z', '2026-03-29T01:00:00Z', '2026-04-30T21:00:00Z'],
      ['2026-04-30T22:00:00Z', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z', '2026-10-31T22:00:00Z'],
      ['2026-10-31T23:00:00Z'],
    ].flat()
    expect(hoursOf('sici', starts)).toEqual([
      ['sici', '2026-01', [0]],
      ['sici', '2026-03', [1, 2, 3]],
      ['sici', '2026-05', [4]],
      ['sici', '2026-09', [5, 6, 7]],
      ['sici', '2026-11', [8]],
    ])
  })

  it('are partitioned in the same way by days as by instants, in any order', () => {
    const rows: [string, string][] = [
      ['PSV', '2025-12-31'],
      ['TTF', '2026-02-28'],
      ['PSV', '2026-01-01'],
      ['TTF', '2026-03-01'],
      ['PSV', '2025-01-01'],
    ]
    expect(periodsOf('prices-daily', rows)).toEqual([
      ['PSV', '2025', [0, 4]],
      ['TTF', '2026-01', [1]],
      ['PSV', '2026-01', [2]],
      ['TTF', '2026-03', [3]],
    ])
  })
})

describe('years that have ended', () => {
  const files = ['nord', 'sud'].flatMap((part) => ['2025-11', '2026-01'].map((period) => ({ part, period })))

  it('are merged one zone per night', () => {
    const isSplit = splitYears(files, 2026)
    expect([isSplit('nord', 2025), isSplit('sud', 2025)]).toEqual([false, true])
    expect([isSplit('nord', 2026), isSplit('sud', 2026), isSplit('sud', 2024)]).toEqual([true, true, false])
  })
})
