import { describe, expect, it } from 'vitest'
import type { HourlyDay } from '../../../src/api/contract/hourly.ts'
import type { HourlyForecast } from '../../../src/api/contract/hourly-forecasts.ts'
import { hoursInMarketDay, intervalStart, toRomeIso } from '../../../src/market/market-day.ts'
import { hoursChart } from '../../../src/web/parts/hours-chart.ts'
import { makeView } from '../../../src/web/view.ts'

const view = makeView({ language: 'en', isChosen: true, address: '/' })

function hoursOf(date: string) {
  const day = Temporal.PlainDate.from(date)
  const start = (hour: number) => toRomeIso(intervalStart(day, hour, 60))
  return Array.from({ length: hoursInMarketDay(day) }, (_, i) => {
    return { date, hour: i + 1, starts_at: start(i + 1), ends_at: start(i + 2), value: 100 + i, band: 'F3' as const }
  })
}

function dayOf(date: string, kept: (hour: number) => boolean = () => true): HourlyDay {
  const hours = hoursOf(date)
    .filter(({ hour }) => kept(hour))
    .map(({ date: _, ...hour }) => hour)
  const values = hours.map(({ value }) => value)
  const stats = { min: Math.min(...values), max: Math.max(...values), avg: 110 }
  return { date, unit: '€/MWh', hours, count: hours.length, expected: 24, stats, cheapest_hours: [1] } as HourlyDay
}

const forecastOf = (date: string): HourlyForecast['points'] =>
  hoursOf(date).map(({ band: _, ...hour }) => ({
    ...hour,
    price: 'forecast',
    p10: hour.value - 5,
    p90: hour.value + 5,
  }))

const chart = (shown: Partial<Parameters<typeof hoursChart>[0]>, now: string) =>
  hoursChart({ before: undefined, days: [], forecast: [], ...shown }, Temporal.Instant.from(now), view).text
/** The points of each line of a class, with the hour as `x`. */
const lines = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`<polyline class="${name}" points="([^"]*)"`, 'g'))].map(([, all = '']) =>
    all.split(' ').map((point) => {
      const [x, y] = point.split(',').map(Number)
      return { x, y }
    }),
  )
const ends = (line: { x?: number }[] = []) => [line[0]?.x, line.at(-1)?.x]

describe('the chart of 48 hours', () => {
  it.each([
    ['2026-03-28', '2026-03-29', 47],
    ['2026-03-29', '2026-03-30', 47],
    ['2026-10-24', '2026-10-25', 49],
    ['2026-10-25', '2026-10-26', 49],
  ])('of %s continues with the forecast of %s and its band, %i hours in all', (today, tomorrow, width) => {
    const text = chart({ days: [dayOf(today)], forecast: forecastOf(tomorrow) }, `${today}T10:00:00Z`)
    const start = hoursOf(today).length
    expect(text).toContain(`data-hours="${width}"`)
    expect(text.match(/<rect class="band"/g)).toHaveLength(width - start)
    expect(ends(lines(text, 'median')[0])).toEqual([start, width])
  })

  it('aligns the day before by clock time, and has a gap for missing prices', () => {
    const text = chart(
      { before: dayOf('2026-03-28'), days: [dayOf('2026-03-29', (hour) => hour !== 10)] },
      '2026-03-29T10:00:00Z',
    )
    const [ghost] = lines(text, 'ghost')
    const [actual, afternoon] = lines(text, 'run')
    expect([ends(actual), ends(afternoon)]).toEqual([
      [0, 9],
      [10, 23],
    ])
    expect(ghost?.[2]?.y).toBe(actual?.[2]?.y) // 01:00 is the second hour of both days
    expect(ghost?.[4]?.y).toBe(actual?.[6]?.y) // 03:00 is the fourth hour of the day before and the third of a day without 02:00
  })

  it('starts its scale near the lowest price and states it, or at zero for low prices', () => {
    expect(chart({ days: [dayOf('2026-11-20')] }, '2026-11-20T10:00:00Z')).toContain('scale from 100')
    const low = dayOf('2026-11-20')
    for (const hour of low.hours ?? []) hour.value -= 99
    expect(chart({ days: [low] }, '2026-11-20T10:00:00Z')).not.toContain('scale from')
  })
})
