/** Trainings and replays of hours: each test day unseen, the model selected that beats the naive one, issues as they were known. */
import { describe, expect, it } from 'vitest'
import { usualPublication } from '../../../jobs/forecasts/price-record.ts'
import { runReplayHoursTask } from '../../../jobs/forecasts/replay-hours-task.ts'
import { runTrainHoursTask } from '../../../jobs/forecasts/train-hours-task.ts'
import { dayNumber, marketDay } from '../../../models/calendar.ts'
import { HOURS, hourOn, lastPricedDay } from '../../../models/hourly/history.ts'
import type { HourlyModel } from '../../../models/hourly/model.ts'
import { sameHour } from '../../../models/hourly/same-hour/same-hour.ts'
import { hoursOf } from '../../../models/model.ts'
import { hoursInMarketDay } from '../../../src/market/market-day.ts'
import type { FundamentalVersion } from '../../../src/store/fundamentals.ts'
import type { PriceVersion } from '../../../src/store/price-versions.ts'

const FIRST = Temporal.PlainDate.from('2025-12-01')
const DAYS = 140
/** Hours that rise by a step every day: yesterday's are a better guess than those of a week ago. */
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
const prices = {
  versions: { PUN: versions, PSV: [], TTF: [] },
  holidays: [],
  nowMs: NOW.epochMilliseconds,
}

/** The hours of the last day and one more; `offset` makes it worse. */
function lastDayModel(offset = 1): HourlyModel {
  return {
    ...{ id: 'last-day', version: '1', isBaseline: false, description: 'a test', daysNeeded: 1, lookBackDays: 1 },
    steps: ['without-neighbours', 'prices-only'],
    async train({ prices: known, zone }) {
      const to = marketDay(lastPricedDay(known) as number).toString()
      const rest = { backend: 'none' as const, seed: 1, metrics: {}, state: null, arrays: {} }
      return { model: 'last-day', version: '1', asset: hoursOf(zone), span: { from: '2025-12-01', to }, ...rest }
    },
    forecast(_, { prices: known }, { days }) {
      const last = lastPricedDay(known) as number
      const hours = Array.from({ length: HOURS }, (_, hour) => {
        const p50 = hourOn(known, last, hour) + offset
        return { p10: p50 - 1, p50, p90: p50 + 1 }
      })
      return Array.from({ length: days }, (_, i) => ({ day: marketDay(last + 1 + i), hours }))
    },
  }
}

describe('a training of hours', () => {
  const task = {
    ...{ kind: 'train-hours' as const, zone: 'nord' as const, artefacts: [], ...prices },
    hours: { versions: { nord: versions }, fundamentals: [] },
  }

  it('tests on 60 days with an artefact that has not seen them, and selects what beats the naive forecast', async () => {
    const result = await runTrainHoursTask(task, [lastDayModel(), sameHour])
    expect(result).toMatchObject({ zone: 'nord', activeModel: 'last-day', failed: [], missingDays: undefined })
    expect(result.errors['last-day']).toMatchObject({ n: 60 })
    expect(result.errors['last-day']?.mae).toBeLessThan(1)
    expect(result.errors['same-hour']?.mae).toBeGreaterThan(6)
    const [earlier, newest] = result.trained.map(({ dataTo }) => dayNumber(Temporal.PlainDate.from(dataTo)))
    expect(newest).toBe(dayNumber(FIRST) + DAYS - 1)
    expect((newest ?? 0) - (earlier ?? 0)).toBe(60)
  })

  it('keeps the naive forecast where no model beats it', async () => {
    const result = await runTrainHoursTask(task, [lastDayModel(50), sameHour])
    expect(result).toMatchObject({
      activeModel: 'same-hour',
      reason: expect.stringContaining('no model beat same-hour'),
    })
  })

  it('of few days says how many are missing', async () => {
    const few = { ...task, hours: { versions: { nord: versions.slice(-30) }, fundamentals: [] } }
    const demanding: HourlyModel = {
      ...lastDayModel(),
      train: async () => {
        throw new (await import('../../../models/model.ts')).TooLittleHistory('hours:nord', 400, 30)
      },
    }
    expect(await runTrainHoursTask(few, [demanding, sameHour])).toMatchObject({
      activeModel: 'same-hour',
      failed: [{ model: 'last-day', outcome: 'too_little_history' }],
      missingDays: 370,
    })
  })
})

describe('a replay of hours', () => {
  const replay = (issue: 'pre-auction' | 'midday' | 'evening', inputs: 'everything' | 'prices-only' = 'everything') =>
    runReplayHoursTask(
      {
        ...{ kind: 'replay-hours', zone: 'nazionale', issue, inputs, from: '2026-03-27', to: '2026-03-30', ...prices },
        hours: { versions: {}, fundamentals: wind },
      },
      [lastDayModel(), sameHour],
      () => {},
    )

  it('makes each issue with what was known then: before the auction tomorrow’s wind is', async () => {
    const stepOf = async (...args: Parameters<typeof replay>) => {
      const { forecasts } = await replay(...args)
      return forecasts.filter(({ role, infoDate, targetDate }) => role === 'published' && infoDate < targetDate)[0]
    }
    expect(await stepOf('pre-auction')).toMatchObject({ inputs: 'without-neighbours', infoDate: '2026-03-27' })
    expect(await stepOf('evening')).toMatchObject({ inputs: 'prices-only', infoDate: '2026-03-27' })
    expect(await stepOf('pre-auction', 'prices-only')).toMatchObject({ inputs: 'prices-only' })
  })

  it('has the hours that came beside it, 23 on the change day', async () => {
    const { forecasts } = await replay('evening')
    const next = forecasts.filter(({ role, targetDate }) => role === 'published' && targetDate === '2026-03-29')
    expect(next[0]?.p50).toHaveLength(23)
    expect(next[0]?.actual).toEqual(versions.find(({ day }) => day === '2026-03-29')?.intervals)
  })
})
