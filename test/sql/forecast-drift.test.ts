/** A model that performs worse than in its test: retrained at once, replaced after two weeks, kept if it recovers. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { watchDrift } from '../../jobs/forecasts/watch-drift.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { driftingSubjects } from '../../src/store/forecast-drift.ts'
import { scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { findActiveModel, saveTraining } from '../../src/store/forecast-models.ts'
import { databaseOfFile } from '../support/database.ts'
import { trainedArtefact } from '../support/forecasts.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { testContext } from '../support/test-context.ts'

const FIRST = Temporal.PlainDate.from('2026-03-01')
const NOW = Temporal.Instant.from('2026-04-06T12:00:00Z')
const db = await databaseOfFile()
const { sql } = db.database
const ctx = await testContext(db, () => NOW, { FORECAST_TRAINING: 'off' })
beforeAll(async () => {
  for (let day = 0; day < 36; day++) {
    const infoDate = FIRST.add({ days: day })
    await storePrices(sql, [zoneDay('nord', infoDate.toString(), 60, (hour) => 105 + hour)])
    const issuedAt = `${infoDate.subtract({ days: 1 })}T18:00:00Z`
    await seedHours(sql, { zone: 'nord', infoDate: infoDate.toString(), issuedAt, issue: 'evening', days: 1 })
  }
  await refreshAggregates(sql)
  expect(await scoreForecasts(sql, 'hours', NOW)).toBe(35)
})
afterAll(() => ctx.stop())

/** Saves the model's rMAE in its test; in these tests the naive error is 2 where the model's is 5. */
const saveTestedModel = (rmae: number, decidedAt: string) =>
  saveTraining(sql, {
    artefacts: [trainedArtefact('2026-03-01', { asset: 'hours:nord', model: 'ridge' })],
    decision: {
      ...{ asset: 'hours:nord', synthetic: false, model: 'ridge', reason: 'a test' },
      decidedAt: Temporal.Instant.from(decidedAt),
      metrics: { ridge: { mae: rmae }, 'same-hour': { mae: 1 } },
    },
  })
const active = async () => (await findActiveModel(sql, 'hours:nord', false))?.model
const drifting = async () => (await driftingSubjects(sql)).map(({ subject }) => subject)

it('a model that needs no training is not watched for drift', async () => {
  expect(await watchDrift(ctx, NOW)).toBe(false)
  expect(await drifting()).toEqual([])
})

it('a model that performs as in its test is not reported as drifting', async () => {
  await saveTestedModel(2.4, '2026-03-01T05:00:00Z')
  expect(await watchDrift(ctx, NOW)).toBe(false)
  expect(await drifting()).toEqual([])
})

it('a drifting model is queued for training once and replaced after two weeks', async () => {
  await saveTestedModel(0.7, '2026-03-02T05:00:00Z')
  expect(await watchDrift(ctx, NOW)).toBe(true)
  expect(await drifting()).toEqual(['hours:nord'])
  expect(await watchDrift(ctx, NOW.add({ hours: 13 * 24 }))).toBe(false)
  expect(await active()).toBe('ridge')
  expect(await watchDrift(ctx, NOW.add({ hours: 14 * 24 }))).toBe(false)
  expect(await active()).toBe('same-hour')
  expect(await drifting()).toEqual([])
})

it('a model that recovers is no longer reported as drifting', async () => {
  await saveTestedModel(0.7, '2026-05-01T05:00:00Z')
  expect(await watchDrift(ctx, NOW)).toBe(true)
  await saveTestedModel(2.4, '2026-05-02T05:00:00Z')
  expect(await watchDrift(ctx, NOW.add({ hours: 24 }))).toBe(false)
  expect(await drifting()).toEqual([])
})
