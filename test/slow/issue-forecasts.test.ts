/** Issuing on a database, with the models in a separate process; a kill leaves no partial data. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { runModels } from '../../jobs/forecasts/run-models.ts'
import type { IssueTask } from '../../jobs/forecasts/task.ts'
import { issueForecasts } from '../../jobs/issue-forecasts.ts'
import { FORECAST_REACH_DAYS, HOURLY_REACH_DAYS } from '../../src/market/forecast-scope.ts'
import { LedgerVerifier } from '../../src/market/ledger.ts'
import type { DailyPrice, ZoneDay } from '../../src/publishers/observations.ts'
import type { Context } from '../../src/service/context.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { ledgerRows } from '../../src/store/forecast-ledger.ts'
import { saveTraining } from '../../src/store/forecast-models.ts'
import { databaseOfFile } from '../support/database.ts'
import { trainedArtefact } from '../support/forecasts.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { testContext } from '../support/test-context.ts'

const FIRST = Temporal.PlainDate.from('2025-01-01')
const dayAt = (i: number) => FIRST.add({ days: i })
/** 452 days, up to 28 March 2026, published on the 27th. */
const DAYS = 452
const price = (i: number) => 100 + 10 * Math.sin(i / 30) + 3 * Math.sin(i * 12.9898)

const db = await databaseOfFile()
let ctx: Context
let now = Temporal.Instant.from('2026-03-27T12:05:00Z')
beforeAll(async () => {
  const { sql } = db.database
  const days = Array.from({ length: DAYS }, (_, i) => i)
  await store(days.map((i) => zoneDay('nazionale', dayAt(i).toString(), 60, (hour) => price(i) + hour - 12)))
  await store(days.slice(0, -1).map((i) => dailyPrice('PSV', dayAt(i).toString(), 30 + price(i) / 50)))
  await refreshAggregates(sql)
  ctx = await testContext(db, () => now, { FORECAST_TRAINING: 'off' })
})
afterAll(() => ctx.stop())

const store = (items: (ZoneDay | DailyPrice)[]) =>
  storePrices(db.database.sql, items, { at: now.subtract({ minutes: 5 }) })
const issue = (signal = new AbortController().signal) => issueForecasts.run({ payload: {}, ctx, signal })
const entered = async () => {
  const verifier = new LedgerVerifier({ isWhole: true })
  const faults = []
  const issues = new Map<string, number>()
  for await (const row of ledgerRows(db.database.sql)) {
    const key = `${row.asset} ${row.infoDate} ${row.role} ${row.model}`
    issues.set(key, (issues.get(key) ?? 0) + 1)
    faults.push(...[verifier.check(row) ?? []].flat())
  }
  expect(faults).toEqual([])
  return Object.fromEntries(issues)
}
const statusOf = async (asset: string) => {
  const [row] = await db.database.sql`select outcome, detail from forecast_status where asset = ${asset}`
  return row
}

describe('issuing forecasts', () => {
  it('saves nothing if it is killed or stopped while the models run', async () => {
    const { versions, holidays } = await loadVersions(db.database.sql, dayAt(DAYS))
    const task: IssueTask = {
      kind: 'issue',
      versions,
      holidays,
      nowMs: now.epochMilliseconds,
      requests: [{ subject: 'PUN', model: undefined, artefacts: [] }],
    }
    const killed = runModels(task, {
      signal: new AbortController().signal,
      onStart: (pid) => process.kill(pid, 'SIGKILL'),
    })
    await expect(killed).rejects.toThrow('ended (SIGKILL) without an answer')
    const stopping = new AbortController()
    const stopped = issue(stopping.signal)
    stopping.abort(new Error('the service stops'))
    await expect(stopped).rejects.toThrow('the service stops')
    expect(await entered()).toEqual({})
  })

  it('forecasts each asset from its last published day, and reports assets without prices', async () => {
    await issue()
    expect(await entered()).toEqual({
      'PUN 2026-03-28 published base': FORECAST_REACH_DAYS,
      'PUN 2026-03-28 benchmark conformal-walk': FORECAST_REACH_DAYS,
      'PSV 2026-03-27 published base': FORECAST_REACH_DAYS,
      'PSV 2026-03-27 benchmark conformal-walk': FORECAST_REACH_DAYS,
    })
    expect(await statusOf('TTF')).toEqual({
      outcome: 'too_little_history',
      detail: 'There is no forecast of TTF: no price of it is known.',
    })
    const issued = await ctx.forecasts.latestIssue('issued', 'PUN')
    expect(issued?.points[0]).toMatchObject({ targetDate: '2026-03-29', horizonDays: 1 })
    for (const { p10, p50, p90 } of issued?.points ?? []) expect(p10 <= p50 && p50 <= p90).toBe(true)
  })

  it('provides forecast errors at once, from a separate replay', async () => {
    const span = { from: dayAt(DAYS - 60), to: dayAt(DAYS), horizonDays: undefined }
    expect(await ctx.forecasts.errors('issued', 'PUN', span, { basis: 'issued', days: 30 })).toBeUndefined()
    const replayed = await ctx.forecasts.errors('issued', 'PUN', span, { basis: 'replay', days: 30 })
    expect(replayed).toMatchObject({ n: 30, benchmark: { name: 'conformal-walk' } })
    // From models that need no training: an issue never waits for one.
    const models = await db.database
      .sql`select asset, models from forecast_replays where purpose = 'accuracy' order by asset`
    expect(models).toContainEqual({ asset: 'PUN', models: ['base', 'conformal-walk'] })
    expect(models).toContainEqual({ asset: 'hours:nazionale', models: ['same-hour'] })
  })

  it('changes nothing when repeated', async () => {
    const before = await entered()
    await issue()
    expect(await entered()).toEqual(before)
  })

  it('continues from the next publication, which scores the previous forecast', async () => {
    now = Temporal.Instant.from('2026-03-28T12:05:00Z')
    await store([zoneDay('nazionale', '2026-03-29', 60, () => 104)])
    await refreshAggregates(db.database.sql)
    await issue()
    const issues = await entered()
    expect(issues['PUN 2026-03-29 published base']).toBe(FORECAST_REACH_DAYS)
    const span = { from: Temporal.PlainDate.from('2026-03-29'), to: Temporal.PlainDate.from('2026-03-30') }
    const [scored, next] = await ctx.forecasts.records('issued', 'PUN', { ...span, horizonDays: undefined }, 'live')
    expect(scored).toMatchObject({ targetDate: '2026-03-29', infoDate: '2026-03-28', actual: 104 })
    expect(next).toMatchObject({ targetDate: '2026-03-30', infoDate: '2026-03-29', actual: undefined })
  })

  it('is not attempted from a price that is too old', async () => {
    now = Temporal.Instant.from('2026-05-01T12:05:00Z')
    const before = await entered()
    await issue()
    expect(await statusOf('PUN')).toMatchObject({
      outcome: 'history_ended',
      detail: expect.stringContaining('its last known price is of 2026-03-29'),
    })
    expect(await entered()).toEqual(before)
  })

  it('leaves one replay from the last price, whose days and hours agree', async () => {
    const replays = async () => [
      ...(await db.database.sql`select asset, first_day, last_day, made_at from forecast_replays order by id`),
    ]
    const made = await replays()
    const days = await ctx.forecasts.replayedIssue('issued', 'PUN', '2026-03-29')
    const hours = await ctx.hourlyForecasts.replayedIssue('issued', 'nazionale', '2026-03-29')
    expect(days?.points).toHaveLength(FORECAST_REACH_DAYS)
    expect(days?.points[0]).toMatchObject({ targetDate: '2026-03-30' })
    expect(hours).toMatchObject({ issue: 'evening', points: { length: HOURLY_REACH_DAYS } })
    const [first] = hours?.points ?? []
    expect(first?.targetDate).toBe('2026-03-30')
    const mean = (first?.p50 ?? []).reduce((sum, price) => sum + price, 0) / 24
    expect(mean).toBeCloseTo(days?.points[0]?.p50 as number, 2)
    expect((await ctx.forecasts.replayedIssue('issued', 'PSV', '2026-03-27'))?.points[0]?.targetDate).toBe('2026-03-28')
    await issue()
    expect(await replays()).toEqual(made)
    now = Temporal.Instant.from('2026-03-28T12:05:00Z')
  })
})

describe('the evening gas price', () => {
  const evening = Temporal.Instant.from('2026-03-28T18:10:00Z')

  it('does not reissue PUN while no trained model is active', async () => {
    now = evening
    await storePrices(db.database.sql, [dailyPrice('PSV', '2026-03-29', 31)], { at: now.subtract({ seconds: 30 }) })
    const before = await entered()
    await issue()
    const after = await entered()
    expect(after['PUN 2026-03-29 published base']).toBe(before['PUN 2026-03-29 published base'])
    expect(after['PSV 2026-03-29 published base']).toBe(FORECAST_REACH_DAYS)
  })

  it('reissues PUN once if a trained model is active; the benchmark is unchanged', async () => {
    const { sql } = db.database
    await saveTraining(sql, {
      artefacts: [trainedArtefact('2026-03-27', { asset: 'PUN', model: 'pun-ensemble' })],
      decision: {
        asset: 'PUN',
        synthetic: false,
        model: 'pun-ensemble',
        decidedAt: now,
        reason: 'a test',
        metrics: { 'pun-ensemble': { mae: 1 } },
      },
      replay: { asset: 'PUN', synthetic: false, purpose: 'accuracy', codeVersion: '1.0.0', madeAt: now, forecasts: [] },
    })
    await issue() // the artefact is unusable, so the base model is used
    const again = await entered()
    expect(again['PUN 2026-03-29 published base']).toBe(2 * FORECAST_REACH_DAYS)
    expect(again['PUN 2026-03-29 benchmark conformal-walk']).toBe(FORECAST_REACH_DAYS)
    expect((await ctx.forecasts.latestIssue('issued', 'PUN'))?.issuedAt.toString()).toBe(evening.toString())
    await issue()
    expect(await entered()).toEqual(again)
  })
})

it('forecasts from a price that is a day old still fill 180 days', async () => {
  now = Temporal.Instant.from('2026-04-01T12:05:00Z')
  await store([dailyPrice('PSV', '2026-03-31', 31)])
  await issue()
  const issued = await ctx.forecasts.latestIssue('issued', 'PSV')
  expect(issued?.infoDate).toBe('2026-03-31')
  const days = Array.from({ length: 180 }, (_, i) => Temporal.PlainDate.from('2026-04-02').add({ days: i }).toString())
  expect(issued?.points.slice(0, 180).map(({ targetDate }) => targetDate)).toEqual(days)
})
