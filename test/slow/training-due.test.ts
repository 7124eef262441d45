/** When training is due: as soon as publishers' prices exist, again when there are many more, never twice on the same data. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { priceRecord } from '../../jobs/forecasts/price-record.ts'
import { isTrainingDue, retrainFromDays } from '../../jobs/forecasts/training-inputs.ts'
import { issueForecasts } from '../../jobs/issue-forecasts.ts'
import { trainForecasts } from '../../jobs/train-forecasts.ts'
import { hoursOf } from '../../src/market/forecast-scope.ts'
import { STORED_ZONES } from '../../src/market/zones.ts'
import type { Context } from '../../src/service/context.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { saveTraining } from '../../src/store/forecast-models.ts'
import { beginTraining, endTraining } from '../../src/store/forecast-trainings.ts'
import { databaseOfFile } from '../support/database.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { smallTraining } from '../support/small-training.ts'
import { testContext } from '../support/test-context.ts'

const LAST_DAY = Temporal.PlainDate.from('2026-03-28')
const NOW = Temporal.Instant.from('2026-03-27T19:05:00Z')

let now = NOW
const db = await databaseOfFile()
let ctx: Context
/** Jobs enqueued since the last check. */
let enqueuedJobs: { queue: string; payload: object }[] = []

beforeAll(async () => {
  const made = await testContext(db, () => now)
  const send: Context['queue']['send'] = async ({ queue }, payload) => {
    enqueuedJobs.push({ queue, payload })
    return undefined
  }
  ctx = { ...made, queue: { ...made.queue, send } }
})
afterAll(() => ctx.stop())

const signal = new AbortController().signal
const train = (again = false) => trainForecasts.run({ payload: { again }, ctx, signal })
const decisions = async () =>
  (await db.database.sql`select asset, model from forecast_promotions order by id`).map(({ asset }) => asset)

/** Whether the issue enqueues a training. */
async function issueQueuesTraining(): Promise<boolean> {
  enqueuedJobs = []
  await issueForecasts.run({ payload: {}, ctx, signal })
  return enqueuedJobs.some(({ queue }) => queue === trainForecasts.queue)
}

const price = (day: Temporal.PlainDate) => 30 + 5 * Math.sin(day.dayOfYear / 20) + Math.sin(day.dayOfYear * 12.9898)
/** That many days of gas prices, ending `before` days before the last day. */
function gas(days: number, before = 0) {
  return Array.from({ length: days }, (_, i) => LAST_DAY.subtract({ days: before + i })).map((day) =>
    dailyPrice('PSV', day.toString(), price(day)),
  )
}

describe('a training', () => {
  it('is not requested for synthetic prices, and does nothing with them', async () => {
    await storePrices(db.database.sql, gas(400), { source: 'sample', at: NOW.subtract({ hours: 2 }) })
    expect(await issueQueuesTraining()).toBe(false)
    await train()
    await train(true)
    expect(await decisions()).toEqual([])
    const [issue] = await db.database.sql`select distinct chain, model from forecasts where role = 'published'`
    expect(issue).toEqual({ chain: 'sample', model: 'base' })
  })

  it('is requested once with the first publisher’s prices', async () => {
    await storePrices(db.database.sql, gas(150), { source: 'gme-mgas', at: NOW.subtract({ hours: 1 }) })
    expect(await issueQueuesTraining()).toBe(true)
    await train()
    expect(await decisions()).toEqual(['PSV'])
    expect(await issueQueuesTraining()).toBe(false)
  })

  it('is not repeated on the same prices, unless no artefact is usable', async () => {
    await train()
    expect(await decisions()).toEqual(['PSV'])
    await train(true)
    expect(await decisions()).toEqual(['PSV', 'PSV'])
  })

  it('is requested once after a large import, though the last price is the same', async () => {
    await storePrices(db.database.sql, gas(15, 150), { source: 'gme-mgas', at: NOW.subtract({ minutes: 40 }) })
    expect(await issueQueuesTraining()).toBe(false)
    await storePrices(db.database.sql, gas(400, 165), { source: 'gme-mgas', at: NOW.subtract({ minutes: 30 }) })
    expect(await issueQueuesTraining()).toBe(true)
    await train()
    expect(await decisions()).toHaveLength(3)
    expect(await issueQueuesTraining()).toBe(false)
  })

  it('that did not finish is repeated on the same prices', async () => {
    await db.database.sql`update forecast_trainings set ended_at = null`
    await train()
    expect(await decisions()).toHaveLength(4)
  })

  it.each([
    [10, undefined, 70],
    [300, undefined, 360],
    [1000, undefined, 1200],
    [1100, 52, 1152],
    [100, 5000, 160],
  ])('on %i days, with %s missing, is due again at %i days', (known, missing, again) => {
    expect(retrainFromDays(known, missing)).toBe(again)
  })
})

it('a newly selected model is used at once, in exactly one issue', async () => {
  const { sql } = db.database
  const days = Array.from({ length: 1180 }, (_, i) => LAST_DAY.subtract({ days: i }))
  const items = days.map((day) => zoneDay('nazionale', day.toString(), 60, (hour) => 3 * price(day) + hour))
  await storePrices(sql, items, { at: NOW.subtract({ minutes: 5 }) })
  // An import that is still running has stored prices since the last refresh; its end triggers a refresh, then an issue.
  expect(await isTrainingDue(sql, LAST_DAY)).toBe(false)
  await refreshAggregates(sql)
  expect(await isTrainingDue(sql, LAST_DAY)).toBe(true)
  const models = async () =>
    (
      await sql`select model from forecasts where asset = 'PUN' and role = 'published' group by issued_at, model order by issued_at`
    ).map(({ model }) => model)
  await issueForecasts.run({ payload: {}, ctx, signal })
  expect(await models()).toEqual(['base'])

  now = NOW.add({ minutes: 20 })
  const record = priceRecord(await loadVersions(sql, LAST_DAY))
  const small = await smallTraining(record, {
    trainedOn: LAST_DAY.subtract({ days: 72 }),
    epochs: 3,
    learWindowDays: 364,
  })
  await saveTraining(sql, { ...small, decision: { ...small.decision, decidedAt: now } })
  now = NOW.add({ minutes: 30 })
  for (const _again of [1, 2]) await issueForecasts.run({ payload: {}, ctx, signal })
  expect(await models()).toEqual(['base', 'pun-ensemble'])
})

it('training is due once a model is two months behind the prices, whatever their number', async () => {
  const { sql } = db.database
  for (const asset of ['PUN', 'PSV', 'TTF', ...STORED_ZONES.map(hoursOf)] as const) {
    await beginTraining(sql, { asset, inputsSha256: 'ab'.repeat(32), againFromDays: 10_000 }, now)
    await endTraining(sql, { asset, againFromDays: 10_000 }, now)
  }
  expect(await isTrainingDue(sql, LAST_DAY)).toBe(true) // the model of the PUN has seen all but 72 days
  await sql`update forecast_artefacts set data_to = ${LAST_DAY.subtract({ days: 59 }).toString()}::date where asset = 'PUN'`
  expect(await isTrainingDue(sql, LAST_DAY)).toBe(false)
})
