/** A training that diverges because of its prices: it is discarded and reported, and the active model remains in use. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { priceRecord } from '../../jobs/forecasts/price-record.ts'
import { issueForecasts } from '../../jobs/issue-forecasts.ts'
import { trainForecasts } from '../../jobs/train-forecasts.ts'
import { seededRandom } from '../../models/numeric/random.ts'
import { punEnsemble } from '../../models/pun-ensemble/pun-ensemble.ts'
import type { Context } from '../../src/service/context.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { findActiveModel, listArtefacts, saveTraining } from '../../src/store/forecast-models.ts'
import { databaseOfFile } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { recordedLog } from '../support/recorded-log.ts'
import { smallTraining } from '../support/small-training.ts'
import { testContext } from '../support/test-context.ts'

const NOW = Temporal.Instant.from('2026-03-27T12:05:00Z')
const LAST_DAY = Temporal.PlainDate.from('2026-03-28')
const DAYS = 1180
/** Before the 60 test days. */
const TRAINED_ON = LAST_DAY.subtract({ days: 72 })
const CORRECTED_DAYS = 200
const MEAN = 100

const { log, lines: logged } = recordedLog()
const db = await databaseOfFile()
let ctx: Context
beforeAll(async () => {
  ctx = { ...(await testContext(db, () => NOW)), log }
  await storeNoise()
  const loaded = await loadVersions(db.database.sql, LAST_DAY)
  const small = { trainedOn: TRAINED_ON, epochs: 60, learWindowDays: 728 }
  await saveTraining(db.database.sql, await smallTraining(priceRecord(loaded), small))
})
afterAll(() => ctx.stop())

/** Stores noise around a mean that predicts nothing about the next day: a trained model learns to predict the mean. */
async function storeNoise(): Promise<void> {
  const random = seededRandom(7)
  const days = Array.from({ length: DAYS }, (_, i) => {
    const price = MEAN * Math.exp(0.3 * (2 * random() - 1))
    return flatDay(LAST_DAY.subtract({ days: DAYS - 1 - i }), price)
  })
  await storePrices(db.database.sql, days, { at: NOW.subtract({ minutes: 5 }) })
  await refreshAggregates(db.database.sql)
}

/**
 * Corrects the test days and the days before them to the mean. The base model, a recent level, then has no error on them,
 * so the experts of a new training are too far from it.
 */
async function correctToMean(): Promise<void> {
  const days = Array.from({ length: CORRECTED_DAYS }, (_, i) => flatDay(LAST_DAY.subtract({ days: i }), MEAN))
  await storePrices(db.database.sql, days, { at: NOW.subtract({ minutes: 1 }) })
  await refreshAggregates(db.database.sql)
}

const flatDay = (day: Temporal.PlainDate, price: number) => zoneDay('nazionale', day.toString(), 60, () => price)

const activeModels = async () => ({
  active: { ...(await findActiveModel(db.database.sql, 'PUN', false)), decidedAt: undefined },
  artefacts: await listArtefacts(db.database.sql, 'PUN', false, () => {}),
})

it('a training that diverges is reported, and the active model is unchanged', async () => {
  const before = await activeModels()
  await correctToMean()
  const run = { ctx, signal: new AbortController().signal }
  await trainForecasts.run({ ...run, payload: { again: false } })
  expect(logged()).toContainEqual(
    expect.objectContaining({
      event: 'forecast_training_failed',
      level: 'error',
      asset: 'PUN',
      model: 'pun-ensemble',
      outcome: 'diverged',
      reason: expect.stringMatching(/the error is .* times that of the base/),
    }),
  )
  expect(await activeModels()).toEqual(before)
  expect(before).toMatchObject({ active: { model: 'pun-ensemble' }, artefacts: [{ dataTo: TRAINED_ON.toString() }] })
  const [decision] = await db.database.sql`select model from forecast_promotions order by decided_at desc limit 1`
  expect(decision).toEqual({ model: 'pun-ensemble' })

  await issueForecasts.run({ ...run, payload: {} })
  const issued = await db.database.sql`select distinct model, version from forecasts where role = 'published'`
  const version = `${punEnsemble.version}+${TRAINED_ON.toString().replaceAll('-', '')}`
  expect([...issued]).toEqual([{ model: 'pun-ensemble', version }])
})
