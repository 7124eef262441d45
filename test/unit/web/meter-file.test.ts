import { describe, expect, it } from 'vitest'

interface Month {
  month: string
  f1: number
  f2: number
  f3: number
  isComplete: boolean
}
type Read = { months: Month[] } | { refusal: { kind: string; line: string; columns: number; separator: string } }
interface MeterFile {
  readMeterFiles(texts: string[], holidays: string[]): Read
  everyMonth(months: Month[]): Month[] | undefined
  meanMonth(months: Month[]): { count: number; f1: number; f2: number; f3: number } | undefined
}

/** A browser script, which the compiler of the tests does not read. */
const { readMeterFiles, everyMonth, meanMonth } = (await import(
  new URL('../../../src/web/client/meter-file.js', import.meta.url).href
)) as MeterFile

const HOLIDAYS = ['2026-04-06']
const QUARTER_KWH = 0.125

const daysOf = (month: string) => {
  const { daysInMonth } = Temporal.PlainYearMonth.from(month)
  return Array.from({ length: daysInMonth }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
}
/** Quarter-hours of a day: 92, 96 or 100. */
const quartersOf = (day: string) => Temporal.PlainDate.from(day).toZonedDateTime('Europe/Rome').hoursInDay * 4
const italian = (day: string) => day.split('-').toReversed().join('/')

interface Form {
  separator: string
  kwh: string
  date: (day: string) => string
}
const ITALIAN: Form = { separator: ';', kwh: '0,125', date: italian }

const wide = (month: string, { separator, kwh, date }: Form = ITALIAN) =>
  daysOf(month).map((day) => [date(day), ...Array(quartersOf(day)).fill(kwh)].join(separator))

/** One interval per row, from the instants of the days. */
function long(month: string, minutes: number, row: (start: Temporal.ZonedDateTime) => string): string[] {
  const first = Temporal.PlainDate.from(`${month}-01`).toZonedDateTime('Europe/Rome')
  const rows: string[] = []
  for (let at = first; at.toPlainDate().toPlainYearMonth().toString() === month; at = at.add({ minutes }))
    rows.push(row(at))
  return rows
}
const dateOf = (at: Temporal.ZonedDateTime) => at.toPlainDate().toString()
const clock = (at: Temporal.ZonedDateTime) => at.toPlainTime().toString().slice(0, 5)
const text = (...lines: string[]) => lines.join('\r\n')
const monthsIn = (read: Read) => ('months' in read ? read.months : [])
const refusalOf = (read: Read) => ('refusal' in read ? read.refusal : undefined)

/** Expected totals for a constant quarter-hour, calculated from the band rules by day and hour. */
function expected(month: string): Omit<Month, 'isComplete'> {
  const kwh = { f1: 0, f2: 0, f3: 0 }
  for (const day of daysOf(month)) {
    const { dayOfWeek } = Temporal.PlainDate.from(day)
    const hours = quartersOf(day) / 4
    const isSunday = dayOfWeek === 7 || HOLIDAYS.includes(day)
    const [f1, f2] = isSunday ? [0, 0] : dayOfWeek === 6 ? [0, 16] : [11, 5]
    kwh.f1 += f1 * 4 * QUARTER_KWH
    kwh.f2 += f2 * 4 * QUARTER_KWH
    kwh.f3 += (hours - f1 - f2) * 4 * QUARTER_KWH
  }
  return { month, ...kwh }
}

describe('a distributor’s file', () => {
  const header = `Giorno;${Array.from({ length: 96 }, (_, i) => `Q${i + 1}`).join(';')}`
  const filled = (month: string) =>
    wide(month).map((line) => (line.split(';').length < 101 ? line + ';'.repeat(101 - line.split(';').length) : line))
  const withPod = (month: string) => wide(month).map((line) => `IT001E1;${line}`)
  const point: Form = { separator: ',', kwh: '0.125', date: (day) => day }
  const quoted: Form = { separator: ',', kwh: '"0,125"', date: (day) => `"${day}"` }

  it.each<[string, (month: string) => string[]]>([
    ['a day a row, decimal comma, BOM', (month) => [`\uFEFF${header}`, ...wide(month), '']],
    ['rows filled up to 100 columns', (month) => [header, ...filled(month)]],
    ['comma between columns, decimal point', (month) => ['date', ...wide(month, point)]],
    ['comma between columns, quoted decimal comma', (month) => wide(month, quoted)],
    [
      'lines before and after, other columns before the date',
      (month) => ['Periodo;01/01/2026;31/12/2026', 'POD;Giorno', ...withPod(month), 'Totale;1'],
    ],
    ['timestamp;kWh', (month) => ['inizio;kWh', ...long(month, 15, (at) => `${at.toString().slice(0, 25)};0,125`)]],
    ['date;time;kWh;unit', (month) => long(month, 15, (at) => `${italian(dateOf(at))};${clock(at)};0,125;kWh`)],
    ['hours, tab', (month) => long(month, 60, (at) => `${dateOf(at)} ${clock(at)}:00\t0.5`)],
  ])('is read in the format "%s", on change days too', (_form, linesOf) => {
    for (const month of ['2026-03', '2026-04', '2026-10']) {
      const [read, ...others] = monthsIn(readMeterFiles([text(...linesOf(month))], HOLIDAYS))
      expect(read, month).toEqual({ ...expected(month), isComplete: true })
      expect(others).toEqual([])
    }
  })

  it('is combined with those of other months, and the mean is that of complete months', () => {
    const missing = wide('2026-04').slice(1)
    const gap = wide('2026-05').map((line, i) => (i === 3 ? line.replace('0,125', '') : line))
    const files = [wide('2026-02'), missing, gap, wide('2026-01')].map((lines) => text(...lines))
    const months = monthsIn(readMeterFiles(files, HOLIDAYS))
    expect(months.map(({ month, isComplete }) => [month, isComplete])).toEqual([
      ['2026-01', true],
      ['2026-02', true],
      ['2026-04', false],
      ['2026-05', false],
    ])
    const [january, february] = [expected('2026-01'), expected('2026-02')]
    expect(meanMonth(months)).toEqual({
      count: 2,
      f1: (january.f1 + february.f1) / 2,
      f2: (january.f2 + february.f2) / 2,
      f3: (january.f3 + february.f3) / 2,
    })
    expect(meanMonth(months.slice(2))).toBeUndefined()
    expect(everyMonth(months)).toBeUndefined()
  })

  it('covers a year with the latest complete month for each calendar month', () => {
    const year = Array.from({ length: 14 }, (_, i) => ({
      month: Temporal.PlainYearMonth.from('2025-09').add({ months: i }).toString(),
      ...{ f1: i, f2: 0, f3: 0, isComplete: i < 13 },
    }))
    expect(everyMonth(year)?.map(({ month, f1 }) => [month, f1])).toEqual([
      ...year.slice(4, 12).map(({ month, f1 }) => [month, f1]),
      ['2026-09', 12],
      ...year.slice(1, 4).map(({ month, f1 }) => [month, f1]),
    ])
  })

  it.each([
    ['an empty one', [''], 'unknown', { line: '', columns: 1 }],
    ['prose', ['Your meter', 'is fine'], 'unknown', { line: 'Your meter', columns: 1 }],
    ['monthly totals', ['mese;F1;F2', '01/2026;10;20'], 'unknown', { line: 'mese;F1;F2', columns: 3, separator: ';' }],
    ['daily totals', ['01/01/2026;8,5'], 'unknown', { line: '01/01/2026;8,5', columns: 2, separator: ';' }],
    ['instants in UTC', ['2026-01-01T00:00:00Z;0,1'], 'unknown', { columns: 2 }],
    ['an unquoted decimal comma between commas', ['2026-01-01 00:00,0,125'], 'unknown', { columns: 3 }],
    ['a number that is none', [wide('2026-01')[0]?.replace('0,125', 'n.d.') ?? ''], 'unknown', { columns: 97 }],
    ['two kinds of energy', [...wide('2026-01'), ...wide('2026-01')], 'twice', { line: wide('2026-01')[0] }],
    [
      'two kinds of energy by interval',
      [0, 1].flatMap(() => long('2026-01', 15, (at) => `${dateOf(at)} ${clock(at)};0.1`)),
      'twice',
      { line: '2026-01-01' },
    ],
  ])('is refused with a description of its content: %s', (_name, lines, kind, seen) => {
    expect(refusalOf(readMeterFiles([text(...lines)], []))).toMatchObject({ kind, ...seen })
  })
})
