/** The replay that is shown until an issued forecast is scored: later days are added, and it is never mixed with issued forecasts. */
import { describe, expect, it } from 'vitest'
import { HOURLY_REACH_DAYS } from '../../src/market/forecast-scope.ts'
import { saveTraining } from '../../src/store/forecast-models.ts'
import {
  accuracyReplayEnd,
  lastReplayFrom,
  type ReplayedForecast,
  saveReplay,
} from '../../src/store/forecast-replays.ts'
import { forecastStore, hourlyForecastStore } from '../../src/store/forecasts.ts'
import { databaseOfFile } from '../support/database.ts'
import { seedIssue } from '../support/forecasts.ts'

const { sql } = (await databaseOfFile()).database

const MADE_AT = Temporal.Instant.from('2026-11-10T12:00:00Z')
const day = (text: string) => Temporal.PlainDate.from(text)

/** Three days from each info date; the first price is known. */
function replayFrom(infoDate: string): ReplayedForecast[] {
  return [1, 2, 3].map((ahead) => ({
    ...{ role: 'published' as const, model: 'base', version: '1', infoDate, p10: 90, p50: 100, p90: 110 },
    ...{ targetDate: day(infoDate).add({ days: ahead }).toString(), horizonDays: ahead },
    ...{ actual: ahead === 1 ? 104 : undefined, issuedAt: Temporal.Instant.from(`${infoDate}T10:00:00Z`) },
  }))
}

const about = { synthetic: false, purpose: 'accuracy', codeVersion: '1.0.0', madeAt: MADE_AT } as const
const extend = (asset: 'PUN' | 'TTF', infoDate: string) =>
  saveReplay(sql, { ...about, asset, forecasts: replayFrom(infoDate) }, { extend: true })

describe('a replay', () => {
  it('is extended by later info dates and stays separate from issued forecasts', async () => {
    expect(await accuracyReplayEnd(sql, 'PUN', false)).toBeUndefined()
    await extend('PUN', '2026-10-24')
    await extend('PUN', '2026-10-25')
    expect(await accuracyReplayEnd(sql, 'PUN', false)).toBe('2026-10-25')
    expect(await sql`select * from forecast_replays where asset = 'PUN'`).toHaveLength(1)
    const span = { from: day('2026-10-20'), to: day('2026-11-10'), horizonDays: undefined }
    const scored = await forecastStore(sql).scored('issued', 'PUN', span, 'replay')
    expect(scored.map(({ targetDate, actual }) => [targetDate, actual])).toEqual([
      ['2026-10-25', 104],
      ['2026-10-26', 104],
    ])
    expect(await forecastStore(sql).scored('issued', 'PUN', span, 'issued')).toEqual([])
  })

  it('saved with a training replaces the replay up to its last info date and keeps later dates', async () => {
    for (const infoDate of ['2026-10-23', '2026-10-24', '2026-10-30']) await extend('TTF', infoDate)
    const trained = replayFrom('2026-10-24').map((one) => ({ ...one, model: 'lear' }))
    await saveTraining(sql, {
      artefacts: [],
      decision: { asset: 'TTF', synthetic: false, model: 'lear', decidedAt: MADE_AT, reason: 'a test', metrics: {} },
      replay: { ...about, asset: 'TTF', forecasts: trained },
    })
    const rows = await sql`
      select distinct f.info_date as day, f.model from replayed_forecasts f join forecast_replays r on r.id = f.replay_id
      where r.asset = 'TTF' order by day`
    expect([...rows]).toEqual([
      { day: '2026-10-24', model: 'lear' },
      { day: '2026-10-30', model: 'base' },
    ])
    expect(await accuracyReplayEnd(sql, 'TTF', false)).toBe('2026-10-30')
  })

  it('of hourly forecasts replaces the replay of the same info date', async () => {
    const hours = Array<number>(24).fill(100)
    const from = (infoDate: string, madeAt: Temporal.Instant) =>
      saveReplay(sql, {
        ...{ ...about, asset: 'hours:nord', issue: 'evening', madeAt },
        forecasts: Array.from({ length: HOURLY_REACH_DAYS }, (_, i) => ({
          ...{ role: 'published', model: 'same-hour', version: '1', inputs: 'prices-only' as const, infoDate },
          ...{ p10: hours, p50: hours, p90: hours, issuedAt: MADE_AT },
          targetDate: String(day(infoDate).add({ days: i + 1 })),
        })),
      })
    const subject = { asset: 'hours:nord' as const, synthetic: false, infoDate: '2026-11-01' }
    expect(await lastReplayFrom(sql, subject)).toBeUndefined()
    await from('2026-11-01', MADE_AT)
    expect(await lastReplayFrom(sql, subject)).toEqual(MADE_AT)
    const later = MADE_AT.add({ hours: 1 })
    await from('2026-11-01', later)
    expect(await lastReplayFrom(sql, subject)).toEqual(later)
    const shown = await hourlyForecastStore(sql).replayedIssue('issued', 'nord', '2026-11-01')
    expect(shown).toMatchObject({ infoDate: '2026-11-01', points: { length: HOURLY_REACH_DAYS } })
    expect(shown?.issuedAt).toEqual(later)
    expect(await hourlyForecastStore(sql).replayedIssue('sample', 'nord', '2026-11-01')).toBeUndefined()
  })

  it('is superseded by issued forecasts, one info date at a time', async () => {
    const issue = { asset: 'PUN' as const, issuedAt: '2026-10-25T10:00:00Z', days: 3 }
    await seedIssue(sql, { ...issue, infoDate: '2026-10-25' })
    const store = forecastStore(sql)
    const said = await store.ofDay('issued', 'PUN', day('2026-10-27'), 30)
    expect(said.map(({ infoDate, basis }) => [infoDate, basis])).toEqual([
      ['2026-10-24', 'replay'],
      ['2026-10-25', 'issued'],
    ])
    expect((await store.issuedFrom('issued', 'PUN', day('2026-10-25'), 30))[0]).toMatchObject({ p50: 100.1 })
    expect((await store.issuedFrom('issued', 'PUN', day('2026-10-24'), 2)).map(({ p50 }) => p50)).toEqual([100, 100])
  })

  it('of hourly forecasts has 25 hours on the October change day', async () => {
    const hours = (value: number) => Array<number>(25).fill(value)
    await saveReplay(sql, {
      ...{ ...about, asset: 'hours:nazionale', issue: 'evening' },
      forecasts: (['published', 'benchmark'] as const).map((role) => ({
        ...{ role, model: 'same-hour', version: '1', inputs: 'prices-only' as const, infoDate: '2026-10-24' },
        ...{ targetDate: '2026-10-25', p10: hours(90), p50: hours(100), p90: hours(110), actual: hours(104) },
        issuedAt: Temporal.Instant.from('2026-10-23T17:30:00Z'),
      })),
    })
    const span = { from: day('2026-10-20'), to: day('2026-11-10'), horizonDays: undefined, issue: undefined }
    const [scored] = await hourlyForecastStore(sql).scored('issued', 'nazionale', span, 'replay')
    expect(scored?.actual).toHaveLength(25)
    expect(scored?.benchmark).toEqual(hours(100))
    expect(await hourlyForecastStore(sql).scored('sample', 'nazionale', span, 'replay')).toEqual([])
  })
})
