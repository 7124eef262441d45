/** Hourly trainings and replays: test days are unseen, the selected model beats the naive one, issues use data as known then. */
import { describe, expect, it } from 'vitest'
import { performTask } from '../../../jobs/forecasts/perform-task.ts'
import { usualPublication } from '../../../jobs/forecasts/price-record.ts'
import type { MadeHours } from '../../../jobs/forecasts/task.ts'
import { dayNumber } from '../../../models/calendar.ts'
import { hourOn, lastPricedDay } from '../../../models/hourly/history.ts'
import { sameHour } from '../../../models/hourly/same-hour/same-hour.ts'
import { type HourlyModel, hoursOf, TooLittleHistory } from '../../../models/model.ts'
import { INPUT_STEPS } from '../../../src/market/forecast-scope.ts'
import { hoursInMarketDay } from '../../../src/market/market-day.ts'
import type { FundamentalVersion } from '../../../src/store/fundamentals.ts'
import type { PriceVersion } from '../../../src/store/price-versions.ts'
import { plainHourlyModel } from './plain-models.ts'

const FIRST = Temporal.PlainDate.from('2025-12-01')
const DAYS = 140
/** Hours that rise by one step each day: yesterday's predict better than those of a week ago. */
const versions: PriceVersion[] = Array.from({ length: DAYS }, (_, i) => {
  const day = FIRST.add({ days: i })
  const intervals = Array.from({ length: hoursInMarketDay(day) }, (_, hour) => 100 + i + hour)
  return {
    ...{ day: day.toString(), price: 100 + i, intervals, synthetic: false },
    fetchedAtMs: usualPublication('PUN', day).epochMilliseconds,
  }
})
const NOW = Temporal.Instant.from('2026-04-19T20:00:00Z')
const wind: FundamentalVersion[] = (['wind-forecast', 'solar-forecast'] as const).flatMap((series) =>
  versions.map(({ day }) => ({
    ...{ series, area: 'IT' as const, day, values: Array(24).fill(1) },
    knownAtMs: Temporal.PlainDate.from(day).subtract({ days: 1 }).toZonedDateTime({
      timeZone: 'Europe/Rome',
      plainTime: '10:00',
    }).epochMilliseconds,
  })),
)
const prices = { versions: { PUN: versions, PSV: [], TTF: [] }, holidays: [], nowMs: NOW.epochMilliseconds }

/** Repeats the hours of the last day plus one step; `offset` makes it worse. */
const lastDayModel = (offset = 1): HourlyModel => ({
  ...plainHourlyModel('last-day', ({ prices: known }, hour) => {
    return hourOn(known, lastPricedDay(known) as number, hour) + offset
  }),
  steps: ['without-neighbours', 'prices-only'],
})

describe('training of hourly models', () => {
  const task = {
    ...{ kind: 'train' as const, subject: 'hours:nord' as const, artefacts: [], ...prices },
    hours: { versions: { nord: versions }, fundamentals: [] },
  }

  it('tests on 60 unseen days, and selects a model that beats the naive forecast', async () => {
    const result = await performTask(task, undefined, { ofDays: [], ofHours: [lastDayModel(), sameHour] })
    expect(result).toMatchObject({ activeModel: 'last-day', failed: [], missingDays: undefined })
    expect(result.errors['last-day']).toMatchObject({ n: 60 })
    expect(result.errors['last-day']?.mae).toBeLessThan(1)
    expect(result.errors['same-hour']?.mae).toBeGreaterThan(6)
    const [earlier, newest] = result.trained.map(({ dataTo }) => dayNumber(Temporal.PlainDate.from(dataTo)))
    expect(newest).toBe(dayNumber(FIRST) + DAYS - 1)
    expect((newest ?? 0) - (earlier ?? 0)).toBe(70)
  })

  it('tests on the days before a gap if a single day is known after it, whose forecast lacks the days before', async () => {
    const later = versions.map((one, i) =>
      i < DAYS - 1 ? one : { ...one, day: '2027-01-10', fetchedAtMs: NOW.epochMilliseconds },
    )
    const hours = { versions: { nord: later }, fundamentals: [] }
    const models = { ofDays: [], ofHours: [lastDayModel(), sameHour] }
    const known = { ...prices, versions: { ...prices.versions, PUN: later }, hours }
    expect(await performTask({ ...task, ...known }, undefined, models)).toMatchObject({
      activeModel: 'last-day',
      errors: { 'last-day': { n: 60 } },
    })
    const request = { subject: task.subject, model: 'same-hour', artefacts: [] }
    const issue = await performTask({ kind: 'issue', ...known, requests: [request] }, undefined, models)
    const reason = 'hours:nord has 140 days of prices, but too many of those before the last one are missing'
    expect(issue.issues).toMatchObject([{ outcome: 'rejected', reason }])
  })

  it('keeps the naive forecast if no model beats it', async () => {
    const result = await performTask(task, undefined, { ofDays: [], ofHours: [lastDayModel(50), sameHour] })
    expect(result).toMatchObject({
      activeModel: 'same-hour',
      reason: expect.stringContaining('no model beat same-hour'),
    })
  })

  it('reports the number of missing days if the history is too short', async () => {
    const few = { ...task, hours: { versions: { nord: versions.slice(-30) }, fundamentals: [] } }
    const train = () => Promise.reject(new TooLittleHistory('hours:nord', 400, 30))
    const demanding: HourlyModel = { ...lastDayModel(), train }
    expect(await performTask(few, undefined, { ofDays: [], ofHours: [demanding, sameHour] })).toMatchObject({
      activeModel: 'same-hour',
      failed: [{ model: 'last-day', outcome: 'too_little_history' }],
      missingDays: 60,
    })
  })
})

describe('a replay of hourly forecasts', () => {
  const replay = async (...[issue, inputs]: ['pre-auction' | 'midday' | 'evening', 'prices-only'?]) => {
    const about = { kind: 'replay', subject: 'hours:nazionale', issue, inputs } as const
    const hours = { versions: {}, fundamentals: wind }
    const task = { ...about, from: '2026-03-27', to: '2026-03-30', ...prices, hours }
    const { forecasts } = await performTask(task, undefined, { ofDays: [], ofHours: [lastDayModel(), sameHour] })
    return forecasts as MadeHours[]
  }

  it('makes each issue from inputs known then, such as tomorrow’s wind before the auction', async () => {
    const stepOf = async (...args: Parameters<typeof replay>) => {
      const forecasts = await replay(...args)
      return forecasts.filter(({ role, infoDate, targetDate }) => role === 'published' && infoDate < targetDate)[0]
    }
    expect(await stepOf('pre-auction')).toMatchObject({ inputs: 'without-neighbours', infoDate: '2026-03-27' })
    expect(await stepOf('evening')).toMatchObject({ inputs: 'prices-only', infoDate: '2026-03-27' })
    expect(await stepOf('pre-auction', 'prices-only')).toMatchObject({ inputs: 'prices-only' })
  })

  it('includes the actual hours, 23 on the change day', async () => {
    const forecasts = await replay('evening')
    const next = forecasts.filter(({ role, targetDate }) => role === 'published' && targetDate === '2026-03-29')
    expect(next[0]?.p50).toHaveLength(23)
    expect(next[0]?.actual).toEqual(versions.find(({ day }) => day === '2026-03-29')?.intervals)
  })
})

describe('the input steps of an hourly forecast', () => {
  /** 480 days up to 2026-04-10; each is known from `known` on: an offset in days from the day, and a time. */
  const daily = (
    series: FundamentalVersion['series'],
    area: FundamentalVersion['area'],
    known: [number, string],
    value: (hour: number, day: number) => number,
  ) =>
    Array.from({ length: 480 }, (_, i): FundamentalVersion => {
      const day = Temporal.PlainDate.from('2026-04-10').subtract({ days: i })
      const values = Array.from({ length: hoursInMarketDay(day) }, (_, hour) => value(hour, i))
      const plainTime = Temporal.PlainTime.from(known[1])
      const knownAt = day.add({ days: known[0] }).toZonedDateTime({ timeZone: 'Europe/Rome', plainTime })
      return { series, area, day: day.toString(), values, knownAtMs: knownAt.epochMilliseconds }
    })
  const sun = (hour: number, day: number) =>
    Math.max(0, Math.sin((Math.PI * (hour - 5)) / 14)) * (400 + 10 * (day % 31))
  const speed = (hour: number, day: number) => 5 + ((day * 7 + hour) % 40) / 8
  const runsOf = (area: 'IT' | 'nord') => [
    ...daily('wind-speed', area, [-1, '06:00'], speed),
    ...daily('solar-radiation', area, [-1, '06:00'], sun),
    ...daily('temperature', area, [-1, '06:00'], () => 15),
  ]
  const meteredOf = (area: 'IT' | 'nord') => [
    ...daily('generation-wind-onshore', area, [1, '03:00'], (hour, day) => 900 * speed(hour, day)),
    ...daily('generation-solar', area, [1, '03:00'], (hour, day) => 20 * sun(hour, day)),
  ]
  const inputs = {
    swiss: daily('day-ahead-price', 'CH', [-1, '11:10'], () => 90),
    load: daily('load-forecast', 'IT', [-1, '10:00'], () => 30_000),
    runs: runsOf('IT'),
    metered: meteredOf('IT'),
    runsInTheNorth: runsOf('nord'),
    meteredInTheNorth: meteredOf('nord'),
    officialOfTheNorth: [
      ...daily('wind-forecast', 'nord', [-1, '18:00'], (hour, day) => 900 * speed(hour, day)),
      ...daily('solar-forecast', 'nord', [-1, '18:00'], (hour, day) => 20 * sun(hour, day)),
    ],
  }
  const inputsOfTomorrow = (...kinds: (keyof typeof inputs)[]) => inputsOf('nazionale', kinds)
  const inputsOf = async (zone: 'nazionale' | 'nord', kinds: (keyof typeof inputs)[]) => {
    const all = { ...lastDayModel(), steps: INPUT_STEPS }
    const day = { issue: 'pre-auction' as const, inputs: 'everything' as const, from: '2026-03-28', to: '2026-03-28' }
    const hours = { versions: { nord: versions }, fundamentals: kinds.flatMap((kind) => inputs[kind]) }
    const task = { kind: 'replay' as const, subject: hoursOf(zone), ...day, ...prices, hours }
    const { forecasts } = await performTask(task, undefined, { ofDays: [], ofHours: [all, sameHour] })
    const published = forecasts.filter(({ role }) => role === 'published')
    return (published as MadeHours[]).map(({ inputs: used }) => used).slice(0, 2)
  }

  it('decrease as inputs are missing, and are prices only for the day after tomorrow', async () => {
    expect(await inputsOfTomorrow('swiss', 'load', 'runs', 'metered')).toEqual(['everything', 'prices-only'])
    expect(await inputsOfTomorrow('load', 'runs', 'metered')).toEqual(['without-neighbours', 'prices-only'])
    expect(await inputsOfTomorrow('swiss', 'load', 'metered')).toEqual(['usual-weather', 'prices-only'])
    expect(await inputsOfTomorrow('load', 'runs')).toEqual(['without-weather', 'prices-only'])
    expect(await inputsOfTomorrow('metered')).toEqual(['prices-only', 'prices-only'])
  })

  it('use the weather of the zone until its official forecast is published in the evening', async () => {
    const official = ['swiss', 'load', 'officialOfTheNorth'] as const
    expect(await inputsOf('nord', [...official])).toEqual(['without-weather', 'prices-only'])
    expect(await inputsOf('nord', [...official, 'runs', 'metered'])).toEqual(['without-weather', 'prices-only'])
    const own = ['runsInTheNorth', 'meteredInTheNorth'] as const
    expect(await inputsOf('nord', [...official, ...own])).toEqual(['everything', 'prices-only'])
  })
})
