import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import type { MonthlyBands } from '../../../src/api/contract/bands.ts'
import { intervalStart, intervalsInMarketDay } from '../../../src/market/market-day.ts'
import { PRICE_BANDS, type PriceBand } from '../../../src/store/zone-prices.ts'
import { zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { withoutLast } from './change-days.ts'

const NOW = '2026-11-21T10:00:00Z'
/** Months in quarter-hours, each with its hours: both change days, holidays on a Monday and on a Thursday. */
const MONTHS: [month: string, hours: number][] = [
  ['2026-03', 743],
  ['2026-04', 720],
  ['2026-10', 745],
  ['2026-11', 22 * 24],
]
const LAST_DAY = '2026-11-22'
const HOLIDAYS = ['2026-04-06', '2026-04-25', '2026-11-01', '2024-08-15']

const service = await serviceOfFile({ now: NOW })
const developer = await service.asPlan('Developer')
await service.seed([
  ...MONTHS.flatMap(([month]) => daysOf(month)).map((day) =>
    zoneDay('nazionale', day, 15, (quarter) => priceOf(day, quarter)),
  ),
  ...['2024-11-02', '2024-11-30', '2024-10-31', '2024-08-15'].map((day) => zoneDay('nazionale', day, 60, () => 50)),
  withoutLast(zoneDay('nord', '2026-10-05', 15, () => 900)),
  zoneDay('nord', '2026-10-10', 15, () => 80),
])

function daysOf(month: string): string[] {
  const { daysInMonth } = Temporal.PlainYearMonth.from(month)
  const days = Array.from({ length: daysInMonth }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
  return days.filter((day) => day <= LAST_DAY)
}

function priceOf(day: string, quarter: number): number {
  return ((Number(day.slice(8)) * 7 + quarter * 3) % 41) - 5 + quarter / 10
}

/** The definitions implemented again, by the local time of each quarter-hour. */
function bandsOf(day: Temporal.PlainDate, hour: number): PriceBand[] {
  const weekday = day.dayOfWeek
  const isHoliday = HOLIDAYS.includes(day.toString())
  const isPeak = weekday <= 5 && hour >= 8 && hour < 20
  let band: PriceBand = 'f3'
  if (!isHoliday && weekday <= 5 && hour >= 8 && hour < 19) band = 'f1'
  else if (!isHoliday && weekday <= 6 && hour >= 7 && hour < 23) band = 'f2'
  return ['f0', band, ...(band === 'f1' ? [] : ['f23' as const]), isPeak ? 'peak' : 'off_peak']
}

function expectedMonth(month: string) {
  const sums = new Map<PriceBand, { sum: number; quarters: number }>()
  for (const text of daysOf(month)) {
    const day = Temporal.PlainDate.from(text)
    for (let quarter = 1; quarter <= intervalsInMarketDay(day, 15); quarter++) {
      const { hour } = intervalStart(day, quarter, 15).toZonedDateTimeISO('Europe/Rome')
      for (const band of bandsOf(day, hour)) {
        const { sum, quarters } = sums.get(band) ?? { sum: 0, quarters: 0 }
        sums.set(band, { sum: sum + priceOf(text, quarter), quarters: quarters + 1 })
      }
    }
  }
  return Object.fromEntries(
    [...sums].map(([band, { sum, quarters }]) => [
      band,
      { value: expect.closeTo(sum / quarters, 5), hours: quarters / 4 },
    ]),
  )
}

const ask = (query: string, headers = developer) => service.ask(`/v1/pun/bands${query}`, { headers })
const askMonths = async (query: string) => (await ask(query)).json() as unknown as MonthlyBands

describe('GET /v1/pun/bands', () => {
  it.each(MONTHS)('200 has the means and hours of every band in %s, %i in all', async (month, hours) => {
    const { months } = await askMonths(`?from=${month}&to=${month}`)
    const isComplete = month !== '2026-11'
    expect(months).toEqual([
      {
        month,
        complete: isComplete,
        ...(!isComplete && { until: LAST_DAY }),
        days: daysOf(month).length,
        days_of_month: Temporal.PlainYearMonth.from(month).daysInMonth,
        ...expectedMonth(month),
      },
    ])
    expect(months[0]?.f0?.hours).toBe(hours)
  })

  it('200 for twelve months up to the current one by default', async () => {
    expect(await askMonths('')).toMatchObject({ from: '2025-12', to: '2026-11', zone: 'nazionale', count: 4 })
  })

  it('200 omits days with gaps and bands without a complete day', async () => {
    const { months } = await askMonths('?zone=nord&from=2026-10&to=2026-10')
    expect(months).toEqual([
      {
        ...{ month: '2026-10', complete: false, until: '2026-10-10', days: 1, days_of_month: 31 },
        ...{ f0: { value: 80, hours: 24 }, f2: { value: 80, hours: 16 }, f3: { value: 80, hours: 8 } },
        ...{ f23: { value: 80, hours: 24 }, off_peak: { value: 80, hours: 24 } },
      },
    ])
  })

  it('200 reflects a correction', async () => {
    await service.seed([zoneDay('nord', '2026-10-10', 15, () => 81)])
    const { months } = await askMonths('?zone=nord&from=2026-10&to=2026-10')
    expect(months[0]?.f0).toEqual({ value: 81, hours: 24 })
  })

  it('200 truncated to the history of the plan, and marked as truncated; 403 for months beyond it', async () => {
    const cut = await ask('?from=2024-08&to=2024-12')
    expect(cut.json()).toMatchObject({ from: '2024-11', truncated: true, required_tier: 'API', count: 1 })
    expect(cut.headers.get('x-interval-truncated')).toBe('API')
    const reached = await ask('?from=2024-11&to=2024-12')
    expect(reached.json()).not.toHaveProperty('truncated')
    expect(reached.json()).toMatchObject({ months: [{ month: '2024-11', days: 2, until: '2024-11-30' }] })
    const whole = await ask('?from=2024-08&to=2024-12', await service.asPlan('API'))
    expect(whole.json()).toMatchObject({ from: '2024-08', count: 3 })
    const beyond = (await ask('?from=2024-08&to=2024-10')).json()
    expect(beyond).toMatchObject({ error: 'tier_required', required_tier: 'API' })
  })

  it('200 as CSV and Arrow with one row per month', async () => {
    const lines = (await ask('?zone=nord&from=2026-10&to=2026-10&format=csv')).text.split('\r\n')
    expect(lines[0]).toMatch(/^zone;unit;month;complete;until;days;days_of_month;f0_value;f0_hours;f1_value;/)
    expect(lines[1]).toMatch(/^nord;€\/MWh;2026-10;false;2026-10-10;1;31;81;24;;;81;16;81;8;81;24;;;81;24$/)
    const url = `${service.baseUrl}/v1/pun/bands?from=2026-03&format=arrow`
    const response = await fetch(url, { headers: developer })
    const rows = tableFromIPC(await response.arrayBuffer()).toArray()
    const { months } = await askMonths('?from=2026-03')
    expect(rows.map((row) => [row.month, ...PRICE_BANDS.map((band) => row[`${band}_value`])])).toEqual(
      months.map((month) => [month.month, ...PRICE_BANDS.map((band) => month[band]?.value)]),
    )
  })

  it.each([
    ['a day', 'from=2026-10-01', 'from'],
    ['an impossible month', 'to=2026-13', 'to'],
    ['an interval backwards', 'from=2026-10&to=2026-09', 'from'],
  ])('400 for %s', async (_name, query, param) => {
    const answer = await ask(`?${query}`)
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param }])
  })
})

describe('the analyst view of bands', () => {
  it('has the same values as GET /v1/pun/bands', async () => {
    const rows = await service.sql`
      select to_char(month, 'YYYY-MM') as month, f1_eur_mwh as value, f1_hours as hours, is_complete, source
      from analytics.bands_by_month where zone = 'nazionale' and month >= '2026-01-01' order by 1`
    const { months } = await askMonths('?from=2026-01')
    expect([...rows]).toEqual(
      months.map(({ month, complete, f1 }) => ({
        ...{ month, value: expect.closeTo(f1?.value as number, 5), hours: f1?.hours },
        ...{ is_complete: complete, source: 'gme-mgp' },
      })),
    )
  })
})
