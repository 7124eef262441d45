/** Contract of every hourly model: shape, order of the quantiles, rejections; and the step that each set of inputs allows. */
import { describe, expect, it } from 'vitest'
import { dayKind, dayNumber, marketDay } from '../../../models/calendar.ts'
import { type DailyHours, HOURS, hasDay, hourOn, lastPricedDay } from '../../../models/hourly/history.ts'
import { stepsFor } from '../../../models/hourly/steps.ts'
import { HOURLY_REACH_DAYS, TooLittleHistory } from '../../../models/model.ts'
import { HOURLY_MODELS } from '../../../models/registry.ts'
import { syntheticHours } from '../../support/invented-hours.ts'

const sameHour = HOURLY_MODELS.find(({ id }) => id === 'same-hour') ?? expect.fail('no same-hour')
const OPTIONS = { days: HOURLY_REACH_DAYS, step: 'prices-only' } as const

describe('the same hour last week', () => {
  it('forecasts 24 hours for each of the following days, with a band about the median', async () => {
    const history = syntheticHours()
    const last = lastPricedDay(history.prices) as number
    const made = sameHour.forecast(await sameHour.train(history), history, OPTIONS)
    expect(made.map(({ day }) => dayNumber(day) - last)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    for (const { hours } of made) {
      expect(hours).toHaveLength(HOURS)
      expect(hours.filter(({ p10, p50, p90 }) => !(p10 < p50 && p50 < p90))).toEqual([])
    }
    const at = (day: number) => Array.from({ length: HOURS }, (_, hour) => hourOn(history.prices, day, hour))
    expect(made[0]?.hours.map(({ p50 }) => p50)).toEqual(at(last - 6))
    expect(made[7]?.hours.map(({ p50 }) => p50)).toEqual(at(last - 6))
  })

  it('uses the week before if an hour is missing', async () => {
    const days = 240
    const history = syntheticHours({
      days,
      change: (price, day, hour) => (day === days - 7 && hour === 3 ? Number.NaN : price),
    })
    const last = lastPricedDay(history.prices) as number
    const [next] = sameHour.forecast(await sameHour.train(history), history, OPTIONS)
    expect(next?.hours[3]?.p50).toBe(hourOn(history.prices, last - 13, 3))
    expect(next?.hours[4]?.p50).toBe(hourOn(history.prices, last - 6, 4))
  })

  it('refuses too few days, not counting days with only a daily mean', async () => {
    await expect(sameHour.train(syntheticHours({ days: 34 }))).rejects.toThrow(TooLittleHistory)
    const meansOnly = syntheticHours({ change: (price, day) => (day < 220 ? Number.NaN : price) })
    await expect(sameHour.train(meansOnly)).rejects.toThrow('20 are known')
  })

  it("refuses another zone's artefact", async () => {
    const artefact = await sameHour.train(syntheticHours({ zone: 'sici' }))
    expect(() => sameHour.forecast(artefact, syntheticHours({ zone: 'nord' }), OPTIONS)).toThrow(RangeError)
  })
})

describe('kinds of days', () => {
  it('are working days, Saturdays, and Sundays with holidays such as 15 August 2024', () => {
    const days = ['2024-08-14', '2024-08-15', '2024-08-16', '2024-08-17', '2024-08-18', '2024-08-19']
    const numbers = days.map((day) => dayNumber(Temporal.PlainDate.from(day)))
    expect(numbers.map((day) => dayKind(day, new Set(numbers.slice(1, 2))))).toEqual([0, 2, 0, 1, 2, 0])
  })
})

describe('the input steps', () => {
  const day = dayNumber(Temporal.PlainDate.from('2026-03-29'))
  const whole: DailyHours = { firstDay: day, values: new Float64Array(HOURS).fill(1) }
  const broken: DailyHours = { firstDay: day, values: Float64Array.from(whole.values).fill(Number.NaN, 23) }

  it.each([
    ['everything', { load: whole, wind: whole, solar: whole, neighbours: { CH: whole } }],
    ['without-neighbours', { load: whole, wind: whole, solar: whole, neighbours: {} }],
    ['without-neighbours', { wind: whole, solar: whole, neighbours: { CH: broken } }],
    ['usual-weather', { load: whole, wind: broken, usual: { wind: whole, solar: whole }, neighbours: { CH: whole } }],
    ['without-weather', { load: whole, usual: { wind: whole, solar: broken } }],
    ['prices-only', { usual: { wind: whole, solar: whole } }],
    ['without-weather', { load: whole, wind: broken, solar: whole, neighbours: { CH: whole } }],
    ['prices-only', {}],
  ])('begin with %s for the available inputs', (step, fundamentals) => {
    expect(stepsFor(fundamentals, day)[0]).toBe(step)
    expect(stepsFor(fundamentals, day).at(-1)).toBe('prices-only')
    expect(stepsFor(fundamentals, day + 1)).toEqual(['prices-only'])
  })

  it('require complete days', () => {
    expect(hasDay(whole, day)).toBe(true)
    expect(hasDay(broken, day)).toBe(false)
    expect(marketDay(day).toString()).toBe('2026-03-29')
  })
})
