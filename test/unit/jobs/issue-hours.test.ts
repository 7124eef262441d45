/** Daily and hourly forecasts of an issue: the best available inputs of each day, hours of change days, days consistent with their hours. */
import { describe, expect, it } from 'vitest'
import { encodeArtefact } from '../../../jobs/forecasts/artefact-bytes.ts'
import { issueOf } from '../../../jobs/forecasts/issue-task.ts'
import { pipelineOfHours } from '../../../jobs/forecasts/pipeline-of-hours.ts'
import { reconcile } from '../../../jobs/forecasts/reconcile.ts'
import type { ArtefactBytes, MadeForecast, MadeHours } from '../../../jobs/forecasts/task.ts'
import { dayNumber } from '../../../models/calendar.ts'
import { historyAt } from '../../../models/history.ts'
import { type Fundamentals, HOURS, type HourlyHistory, lastPricedDay } from '../../../models/hourly/history.ts'
import { sameHour } from '../../../models/hourly/same-hour/same-hour.ts'
import { type HourlyModel, hoursOf, INPUT_STEPS, TooLittleHistory } from '../../../models/model.ts'
import { syntheticHours } from '../../support/invented-hours.ts'
import { plainHourlyModel } from './plain-models.ts'

/** A model that forecasts the number of its step; `without` is a step it was not trained for. */
const stepModel = (without?: string): HourlyModel =>
  plainHourlyModel('step', ({ zone }, hour, step) => {
    if (step === without) throw new TooLittleHistory(hoursOf(zone), 1, 0)
    return INPUT_STEPS.indexOf(step) + hour / 100
  })

/** Weather reaches two days beyond 28 March 2026, load three, a neighbour one. */
const TOMORROW = dayNumber(Temporal.PlainDate.from('2026-03-29'))
const ahead = (days: number) => ({ firstDay: TOMORROW, values: new Float64Array(days * HOURS).fill(1) })
const fundamentals: Fundamentals = { load: ahead(3), wind: ahead(2), solar: ahead(2), neighbours: { CH: ahead(1) } }
const history = syntheticHours({ from: '2025-08-01', days: 240, fundamentals })

async function hoursOfIssue(models: HourlyModel[], known = history, stored: Partial<ArtefactBytes> = {}) {
  const [model] = models as [HourlyModel]
  const content = encodeArtefact(await model.train(known))
  const artefact = { model: 'step', version: '1', dataTo: '2026-03-28', content }
  const artefacts = models.length > 1 ? [{ ...artefact, ...stored }] : []
  const record = { revisions: { PUN: [], PSV: [], TTF: [] }, holidays: [] }
  const none = { record, hours: { zones: {}, fundamentals: {} }, daily: historyAt(record, known.knownAt) }
  const made = await issueOf(
    { ...pipelineOfHours(known.zone, none, models), history: known },
    { model: undefined, artefacts },
  )
  return made.outcome === 'made' ? { ...made, forecasts: made.forecasts as MadeHours[] } : expect.fail(made.reason)
}
const issueBy = async (model: HourlyModel) => {
  const { forecasts, artefactProblems } = await hoursOfIssue([model, sameHour])
  expect(artefactProblems).toEqual([])
  return forecasts
}
const published = (made: MadeHours[]) => made.filter(({ role }) => role === 'published')

describe('hourly forecasts of an issue', () => {
  it('use the best available inputs of each day, and record them', async () => {
    expect(lastPricedDay(history.prices)).toBe(TOMORROW - 1)
    const made = published(await issueBy(stepModel()))
    expect(made.map(({ inputs, p50 }) => [inputs, p50[0]])).toEqual([
      ['everything', 0],
      ['without-neighbours', 1],
      ['without-weather', 3],
      ...Array(5).fill(['prices-only', 4]),
    ])
    expect(made[0]).toMatchObject({ model: 'step', version: '1+20260328', targetDate: '2026-03-29' })
  })

  it('fall back to the next step the model was trained for, or to the naive model', async () => {
    const [first] = published(await issueBy(stepModel('everything')))
    expect(first?.inputs).toBe('without-neighbours')
    const none = { ...stepModel(), forecast: stepModel('x').forecast, steps: [] } as HourlyModel
    expect(new Set(published(await issueBy(none)).map(({ model, inputs }) => `${model} ${inputs}`))).toEqual(
      new Set(['same-hour prices-only']),
    )
  })

  it('use the naive model for a day with non-numeric output', async () => {
    const broken = stepModel()
    const forecast: HourlyModel['forecast'] = (...all) =>
      broken
        .forecast(...all)
        .map((day, i) => (i === 1 ? { ...day, hours: day.hours.map((hour) => ({ ...hour, p50: Number.NaN })) } : day))
    const made = published(await issueBy({ ...broken, forecast }))
    expect(made.map(({ model }) => model)).toEqual(['step', 'same-hour', ...Array(6).fill('step')])
  })

  it('number 23 in March, without the skipped hour, and 25 in October, with 02:00 twice', async () => {
    const [march, next] = published(await issueBy(stepModel()))
    expect([march?.p50.length, next?.p50.length]).toEqual([23, 24])
    expect(march?.p50.slice(0, 4)).toEqual([0, 0.01, 0.03, 0.04])
    const autumn = syntheticHours({ from: '2026-08-01', days: 85 })
    const [october] = published((await hoursOfIssue([sameHour], autumn)).forecasts)
    expect(october).toMatchObject({ targetDate: '2026-10-25' })
    expect(october?.p50).toHaveLength(25)
    expect(october?.p50[2]).toBe(october?.p50[3])
  })

  it('are hashed with all inputs of the model', async () => {
    const hashOf = async (known: HourlyHistory) => (await hoursOfIssue([sameHour], known)).inputsSha256
    const hash = await hashOf(history)
    expect(await hashOf(syntheticHours({ from: '2025-08-01', days: 240, fundamentals }))).toBe(hash)
    expect(await hashOf({ ...history, fundamentals: { ...fundamentals, solar: ahead(3) } })).not.toBe(hash)
    expect((await hoursOfIssue([stepModel(), sameHour])).inputsSha256).not.toBe(hash)
  })

  it('use the naive model if the artefact is damaged or its model is gone, and report why', async () => {
    const damaged = await hoursOfIssue([stepModel(), sameHour], history, { content: new Uint8Array(3) })
    expect(damaged.artefactProblems).toEqual([expect.stringContaining('not the bytes of an artefact')])
    expect(damaged.forecasts[0]?.model).toBe('same-hour')
    const unknown = await hoursOfIssue([stepModel(), sameHour], history, { model: 'gone' })
    expect(unknown.artefactProblems).toEqual(['there is no model gone for hours:nazionale any more'])
  })
})

describe('reconciled daily and hourly forecasts', () => {
  const ISSUE = { infoDate: '2026-03-28', issuedAtMs: 0, horizonDays: 1, actual: undefined }
  const day = (targetDate: string, p50: number): MadeForecast => ({
    ...{ role: 'published', model: 'pun-ensemble', version: '7', ...ISSUE },
    ...{ targetDate, p10: p50 - 10, p50, p90: p50 + 10 },
  })
  const hours = (targetDate: string, inputs: MadeHours['inputs'], prices: number[]): MadeHours => ({
    ...{ role: 'published', model: 'ridge', version: '1', inputs, targetDate, mean: undefined, ...ISSUE },
    ...{ p10: prices.map((price) => price - 5), p50: prices, p90: prices.map((price) => price + 5) },
  })
  const mean = (prices: readonly number[]) => prices.reduce((sum, price) => sum + price, 0) / prices.length

  it('shift hours forecast from prices alone to the daily forecast', () => {
    const prices = Array.from({ length: 23 }, (_, i) => 80 + i / 3)
    const made = reconcile([day('2026-03-29', 100.1234)], [hours('2026-03-29', 'prices-only', prices)])
    expect(made.hoursDecided).toBe(false)
    const [moved] = made.hours
    expect(moved?.p50[0]).toBeCloseTo(80 + 100.1234 - mean(prices), 3)
    const [daily] = made.daily
    expect(daily?.p50).toBe(Number(mean(moved?.p50 ?? []).toFixed(4)))
    expect(daily?.p50).toBeCloseTo(100.1234, 3)
    expect(daily?.version).toBe('7')
  })

  it('shift the day and its band to hours with better inputs, and mark the version', () => {
    const benchmark = { ...day('2026-03-29', 70), role: 'benchmark' as const }
    const all = [day('2026-03-29', 100), day('2026-03-30', 90), benchmark]
    const { daily, hoursDecided } = reconcile(all, [hours('2026-03-29', 'everything', Array(23).fill(60))])
    expect(hoursDecided).toBe(true)
    expect(daily.map(({ p10, p50, p90, version }) => [p10, p50, p90, version])).toEqual([
      [50, 60, 70, '7+hours'],
      [80, 90, 100, '7+hours'],
      [60, 70, 80, '7'],
    ])
  })

  it("use the hours' band of the mean, extended to include the median", () => {
    const own = { ...hours('2026-03-29', 'everything', Array(23).fill(60)), mean: { p10: 61, p50: 60, p90: 66 } }
    const { daily } = reconcile([day('2026-03-29', 100)], [own])
    expect(daily[0]).toMatchObject({ p10: 60, p50: 60, p90: 66 })
  })
})
