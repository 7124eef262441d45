import { describe, expect, it } from 'vitest'
import { gateZoneDay } from '../../../src/ingest/gate.ts'
import { intervalStart, intervalsInMarketDay } from '../../../src/market/market-day.ts'
import { NATIONAL_ZONE } from '../../../src/market/zones.ts'
import { namesOf, readAll } from '../../support/parsed-documents.ts'

const LIMITS = { priceLimits: { min: -500, max: 4000 } }
const HEADER = 'flow_date,ora,start_utc,pun,nord'

describe('rows of intervals', () => {
  it.each([
    ['2026-01-14', 'ora', 60, 24],
    ['2026-03-29', 'ora', 60, 23],
    ['2026-10-25', 'ora', 60, 25],
    ['2026-01-14', 'quarter', 15, 96],
    ['2026-03-29', 'periodo', 15, 92],
    ['2026-10-25', 'periodo', 15, 100],
  ] as const)('of %s by %s yield whole zone-days of %i minutes', async (day, ordinal, resolution, count) => {
    const csv = `flow_date,${ordinal},start_utc,pun,nord\n${rowsOf(day, resolution)}`
    const { documents, zoneDays, faults } = await readAll(csv)
    expect(documents[0]?.kind).toBe('price-csv-intervals')
    expect(faults).toEqual([])
    expect(namesOf(zoneDays)).toEqual([`${NATIONAL_ZONE} ${day} ${resolution}`, `nord ${day} ${resolution}`])
    for (const item of zoneDays) {
      expect(item.prices).toHaveLength(count)
      expect(gateZoneDay(item, LIMITS)).toEqual({ accepted: true })
    }
    expect(zoneDays[0]?.prices[2]).toBe(103.5)
  })

  it.each(['quarter', 'periodo'])('with an hour and a %s of the day yield quarter-hours', async (ordinal) => {
    const rows = rowsOf('2026-03-29', 15).replaceAll(
      /^([^,]+,)(\d+)/gm,
      (_, day, n) => `${day}${Math.ceil(n / 4)},${n}`,
    )
    const { zoneDays, faults } = await readAll(`flow_date,ora,${ordinal},start_utc,pun,nord\n${rows}`)
    expect(faults).toEqual([])
    expect(namesOf(zoneDays)).toEqual([`${NATIONAL_ZONE} 2026-03-29 15`, 'nord 2026-03-29 15'])
    expect(zoneDays.map((item) => gateZoneDay(item, LIMITS))).toEqual([{ accepted: true }, { accepted: true }])
  })

  it('have a fault if quarters are counted within the hour', async () => {
    const { zoneDays } = await readAll('flow_date,ora,quarter,nord\n2026-01-14,1,4,10\n2026-01-14,2,1,10\n')
    const detail = 'ora is 2, but quarter 1 is in hour 1 of the day'
    expect(zoneDays[0]?.faults).toEqual([{ code: 'wrong_instant', place: 'line 3', detail }])
  })

  it('may have semicolons, decimal commas, quotes, CRLF, a byte order mark and capitals', async () => {
    const rows = rowsOf('2026-01-14', 60).replaceAll(',', ';').replaceAll('.5', ',5').replaceAll('\n', '\r\n')
    const { zoneDays, faults } = await readAll(`\uFEFF"FLOW_DATE";Ora;START_UTC;PUN_eur_mwh;Nord\r\n${rows}`)
    expect(faults).toEqual([])
    expect(zoneDays.map(({ prices }) => prices[0])).toEqual([101.5, 91.5])
    expect(zoneDays.flatMap(({ faults }) => faults)).toEqual([])
  })

  it('may have a decimal point with semicolons', async () => {
    const { zoneDays } = await readAll(`flow_date;ora;nord\n2026-01-14;1;101.5\n2026-01-14;2;17\n`)
    expect(zoneDays[0]?.prices.slice(0, 3)).toEqual([101.5, 17, undefined])
  })

  it('leave an empty cell missing, and omit a zone without any price', async () => {
    const { zoneDays } = await readAll(`flow_date,ora,nord,cala\n2026-01-14,1,10,\n2026-01-14,2,,\n2026-01-14,3,12, \n`)
    expect(namesOf(zoneDays)).toEqual(['nord 2026-01-14 60'])
    expect(zoneDays[0]?.prices.slice(0, 4)).toEqual([10, undefined, 12, undefined])
  })

  it('with mixed days yield whole days', async () => {
    const rows = [...rowsOf('2026-01-14', 60).trim().split('\n'), ...rowsOf('2026-01-15', 60).trim().split('\n')]
    const byHour = rows.toSorted((a, b) => Number(a.split(',')[1]) - Number(b.split(',')[1]))
    const { zoneDays } = await readAll(`${HEADER}\n${byHour.join('\n')}\n`)
    expect(zoneDays).toHaveLength(4)
    expect(zoneDays.every((item) => gateZoneDay(item, LIMITS).accepted)).toBe(true)
  })

  it('yield each day once and in order, beyond the number of days held in memory', async () => {
    const first = Temporal.PlainDate.from('2019-01-01')
    const days = Array.from({ length: 1_500 }, (_, index) => String(first.add({ days: index })))
    const rows = days.flatMap((day) =>
      Array.from({ length: intervalsInMarketDay(Temporal.PlainDate.from(day), 60) }, (_, n) => `${day},${n + 1},50.5`),
    )
    const { zoneDays, faults } = await readAll(`flow_date,ora,pun\n${rows.join('\n')}\n`)
    expect(faults).toEqual([])
    expect(zoneDays.map(({ day }) => String(day))).toEqual(days)
    expect(zoneDays.filter((item) => !gateZoneDay(item, LIMITS).accepted)).toEqual([])
  })
})

describe('faults of a zone-day', () => {
  it.each([
    ['n/a', 'not_a_number', '"n/a" is not a number'],
    ['"88,5"', 'mixed_decimal_marks', '"88,5" is not written with the decimal point of this document'],
  ])('include the price %s with its line and column', async (text, code, detail) => {
    const { zoneDays } = await readAll(`flow_date,ora,nord,sud\n2026-01-14,1,10.5,20.5\n2026-01-14,2,${text},21\n`)
    expect(zoneDays.map(({ faults }) => faults)).toEqual([[{ code, place: 'line 3, column nord', detail }], []])
  })

  it('include a decimal point after decimal commas', async () => {
    const rows = '2026-01-14;1;10,5\n2026-01-14;2;1.234,5\n2026-01-14;3;11.5\n'
    const { zoneDays } = await readAll(`flow_date;ora;nord\n${rows}`)
    expect(zoneDays[0]?.faults).toMatchObject([{ code: 'mixed_decimal_marks', place: 'line 4, column nord' }])
    expect(zoneDays[0]?.prices[1]).toBe(1234.5)
  })

  it.each([
    ['2026-03-29,3,2026-03-29T02:00:00Z', false],
    ['2026-03-29,3,2026-03-29T01:00:00Z', true],
    ['2026-03-29,3,2026-03-29 01:00:00+00:00', true],
    ['2026-03-29,3,2026-03-29T03:00:00+02:00', true],
    ['2026-03-29,3,2026-03-29T01:00:00', false],
    ['2026-03-29,3,yesterday', false],
    ['2026-03-29,3,', true],
  ])('start_utc in %s belongs to the interval: %s', async (cells, belongs) => {
    const { zoneDays } = await readAll(`flow_date,ora,start_utc,nord\n${cells},50\n`)
    expect(zoneDays[0]?.faults.map(({ code }) => code)).toEqual(belongs ? [] : ['wrong_instant'])
  })

  it('include the correct start of the interval', async () => {
    const { zoneDays } = await readAll('flow_date,ora,start_utc,nord\n2026-10-25,4,2026-10-25T02:00:00Z,50\n')
    expect(zoneDays[0]?.faults[0]?.detail).toBe(
      'start_utc is 2026-10-25T02:00:00Z, but interval 4 of 2026-10-25 starts at 2026-10-25T01:00:00Z',
    )
  })

  it.each([
    ['24', 'interval_out_of_day'],
    ['0', 'interval_out_of_day'],
    ['1.5', 'not_a_number'],
    ['', 'not_a_number'],
  ])('include the hour %j of a day with 23 hours', async (ordinal, code) => {
    const { zoneDays } = await readAll(`flow_date,ora,nord\n2026-03-29,${ordinal},50\n`)
    expect(zoneDays[0]?.faults).toMatchObject([{ code }])
  })

  it('include an interval with two different prices', async () => {
    const { zoneDays } = await readAll('flow_date,ora,nord,sud\n2026-01-14,1,10,20\n2026-01-14,1,10,21\n')
    expect(zoneDays.map(({ faults }) => faults.map(({ code }) => code))).toEqual([[], ['duplicate_interval']])
  })
})

describe('a document', () => {
  it('with an impossible date reports it once and keeps its other days', async () => {
    const { zoneDays, faults } = await readAll(
      `${HEADER}\n${rowsOf('2026-01-14', 60)}2026-02-30,1,,50,50\n2026-02-30,2,,51,51\n`,
    )
    const detail = '"2026-02-30" is not a day of the calendar (YYYY-MM-DD)'
    expect(faults).toEqual([{ code: 'impossible_date', place: 'line 26, column flow_date', detail }])
    expect(namesOf(zoneDays)).toEqual([`${NATIONAL_ZONE} 2026-01-14 60`, 'nord 2026-01-14 60'])
  })

  it('that is truncated keeps its complete days', async () => {
    const csv = `${HEADER}\n${rowsOf('2026-01-14', 60)}${rowsOf('2026-01-15', 60)}`
    const { zoneDays, faults } = await readAll(csv.slice(0, csv.lastIndexOf('2026-01-15,20') + 15))
    expect(faults).toMatchObject([{ code: 'unreadable_document', place: expect.stringMatching(/^line \d+$/) }])
    expect(namesOf(zoneDays)).toEqual([`${NATIONAL_ZONE} 2026-01-14 60`, 'nord 2026-01-14 60'])
  })

  it('with an unclosed quote stops with a fault', async () => {
    const { faults } = await readAll(`${HEADER}\n2026-01-14,1,,"50,50\n${'2026-01-14,2,,50,50\n'.repeat(100_000)}`)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(/not sound CSV/) }])
  })

  it('with only impossible dates is abandoned after 100 faults', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => `day ${index},1,50\n`).join('')
    const { faults } = await readAll(`flow_date,ora,nord\n${rows}`)
    expect(faults).toHaveLength(101)
    expect(faults.at(-1)).toMatchObject({ code: 'unreadable_document' })
  })
})

/** `101.5` in the first interval of PUN and `91.5` in that of nord, 1 more in each following one. */
function rowsOf(day: string, resolution: 15 | 60): string {
  const marketDay = Temporal.PlainDate.from(day)
  return Array.from({ length: intervalsInMarketDay(marketDay, resolution) }, (_, index) => {
    const start = intervalStart(marketDay, index + 1, resolution)
    return `${day},${index + 1},${start},${101 + index}.5,${91 + index}.5\n`
  }).join('')
}
