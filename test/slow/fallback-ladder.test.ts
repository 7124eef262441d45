/** The hours of a running service whose inputs are taken away one after another: each forecast comes from the best that is left, and says so. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { artefactBytes } from '../../jobs/forecasts/artefact-bytes.ts'
import { hourlyRecord } from '../../jobs/forecasts/hourly-record.ts'
import { loadHours, loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { priceRecord } from '../../jobs/forecasts/price-record.ts'
import { historyAt } from '../../models/history.ts'
import { hourlyEnsemble } from '../../models/hourly/ensemble/ensemble.ts'
import { hourlyHistoryAt } from '../../models/hourly/record.ts'
import { INPUT_STEPS } from '../../models/model.ts'
import { hoursOf, type InputStep } from '../../src/market/forecast-scope.ts'
import { marketDayOf } from '../../src/market/market-day.ts'
import { NATIONAL_ZONE } from '../../src/market/zones.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import type { Database, Sql } from '../../src/store/database.ts'
import { saveTraining } from '../../src/store/forecast-models.ts'
import { type ProductDatabase, productDatabase } from '../support/database.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { endProcess, type Product, runCommand, startProduct } from '../support/product.ts'
import { isLongRun } from '../support/repetitions.ts'

const FIRST = Temporal.PlainDate.from('2024-12-01')
/** The last day that the model has learned from. */
const LEARNED = Temporal.PlainDate.from('2026-03-26')
type Input = 'load' | 'weather' | 'neighbours' | 'metered'
const LADDER: { has: Input[]; inputs: InputStep; missing: Input[] }[] = [
  { has: ['load', 'metered', 'weather', 'neighbours'], inputs: 'everything', missing: [] },
  { has: ['load', 'metered', 'weather'], inputs: 'without-neighbours', missing: ['neighbours'] },
  { has: ['load', 'metered'], inputs: 'usual-weather', missing: ['weather', 'neighbours'] },
  { has: ['load'], inputs: 'without-weather', missing: ['weather', 'neighbours'] },
  { has: [], inputs: 'prices-only', missing: ['load', 'weather', 'neighbours'] },
]
/** From everything to nothing, a day each; the third is the change day. */
const RUNGS = isLongRun ? LADDER : LADDER.filter((_, i) => i % 2 === 0)

let copy: ProductDatabase
let key: string
let product: Product | undefined
beforeAll(async () => {
  copy = await productDatabase()
  await withDatabase(async ({ sql }) => {
    await storeDays(sql, FIRST, LEARNED)
    await storeInputs(sql, daysBetween(FIRST, LEARNED.add({ days: 1 })), ['load', 'metered', 'weather', 'neighbours'])
    await trainSmall(sql)
  })
  key = JSON.parse(await runCommand(copy.env, 'keys.ts', 'create', '--plan', 'API', '--owner', 'a test', '--json')).key
})
afterAll(async () => {
  await stop()
  await copy.remove()
})

async function withDatabase(use: (database: Database) => Promise<void>): Promise<void> {
  await using opened = await copy.open()
  await use(opened.database)
}

const daysBetween = (from: Temporal.PlainDate, to: Temporal.PlainDate) =>
  Array.from({ length: from.until(to).days + 1 }, (_, i) => from.add({ days: i }))

/** An invented rule, in which wind lowers prices. */
const windOf = (day: Temporal.PlainDate) => 3_000 + 2_500 * Math.sin(day.dayOfYear * 1.7)
const sunAt = (hour: number) => Math.max(0, 4_000 * Math.sin(((hour - 7) / 12) * Math.PI))
async function storeDays(sql: Sql, from: Temporal.PlainDate, to: Temporal.PlainDate): Promise<void> {
  const price = (day: Temporal.PlainDate, hour: number) =>
    100 + 20 * Math.sin(hour / 4) - windOf(day) / 100 + 3 * Math.sin(day.dayOfYear * 12.9 + hour)
  await storePrices(
    sql,
    daysBetween(from, to).map((day) => zoneDay(NATIONAL_ZONE, day.toString(), 60, (hour) => price(day, hour))),
    { at: publication(to) },
  )
  await refreshAggregates(sql)
}

/** In the morning two days before, ahead of the publication that is forecast from; output in the night after. */
async function storeInputs(sql: Sql, days: Temporal.PlainDate[], has: readonly Input[]): Promise<void> {
  const forecast = days.flatMap((day) => {
    const iso = day.toString()
    return [
      ...(has.includes('load') ? [fundamentalDay('load-forecast/IT', iso, (hour) => 30_000 + 100 * hour)] : []),
      ...(has.includes('weather')
        ? [fundamentalDay('wind-forecast/IT', iso, () => windOf(day)), fundamentalDay('solar-forecast/IT', iso, sunAt)]
        : []),
      ...(has.includes('neighbours') ? [fundamentalDay('day-ahead-price/CH', iso, (hour) => 90 + hour)] : []),
    ]
  })
  if (forecast.length > 0)
    await storeFundamentals(sql, forecast, {
      source: 'entsoe-load-forecast',
      at: (day) => `${day.subtract({ days: 2 })}T09:00:00Z`,
    })
  if (!has.includes('metered')) return
  const metered = days.flatMap((day) => [
    fundamentalDay('generation-wind-onshore/IT', day.toString(), () => windOf(day)),
    fundamentalDay('generation-solar/IT', day.toString(), sunAt),
  ])
  await storeFundamentals(sql, metered, {
    source: 'entsoe-actuals',
    at: (day) => `${day.add({ days: 1 })}T02:00:00Z`,
  })
}

/** When the day's prices come out. */
const publication = (day: Temporal.PlainDate) => Temporal.Instant.from(`${day.subtract({ days: 1 })}T12:00:00Z`)

/** The model of the product, with few trees, for the inputs that there will be; days further ahead have no neighbours. */
async function trainSmall(sql: Sql): Promise<void> {
  const now = publication(LEARNED)
  const loaded = await loadVersions(sql, marketDayOf(now))
  const record = hourlyRecord(await loadHours(sql, [NATIONAL_ZONE], FIRST, false))
  const history = hourlyHistoryAt(record, historyAt(priceRecord(loaded), now), NATIONAL_ZONE)
  const steps = INPUT_STEPS.filter(
    (step) => step === 'without-neighbours' || RUNGS.some(({ inputs }) => inputs === step),
  )
  const artefact = await hourlyEnsemble({ trees: 2, steps }).train(history)
  const { model, version, span, backend, metrics } = artefact
  const subject = { asset: hoursOf(NATIONAL_ZONE), synthetic: false, model }
  const trained = {
    version,
    dataFrom: span.from,
    dataTo: span.to,
    backend,
    metrics,
    trainedAt: now,
    codeVersion: '1.0.0',
  }
  await saveTraining(sql, {
    artefacts: [{ ...subject, ...trained, content: artefactBytes(artefact) }],
    decision: { ...subject, decidedAt: now, reason: 'a test', metrics: {} },
  })
}

async function stop(): Promise<void> {
  if (product !== undefined) await endProcess(product.process, 'SIGTERM')
}

interface Seen {
  info_date: string
  points: { date: string; price: string }[]
  days: { date: string; model: string; inputs: string; missing: string[] }[]
}

async function forecastFrom(day: Temporal.PlainDate): Promise<Seen | undefined> {
  const address = new URL('/v1/forecast/pun/hourly', product?.url)
  const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` } })
  const seen = (await response.json()) as Seen
  return response.status === 200 && seen.info_date === day.toString() ? seen : undefined
}

describe('a running service whose inputs go away', () => {
  it.each(RUNGS.map((rung, i) => ({ ...rung, last: LEARNED.add({ days: i }) })))(
    'forecasts $inputs after $last, and names what is missing',
    async ({ has, inputs, missing, last }) => {
      await stop()
      await withDatabase(async ({ sql }) => {
        if (!last.equals(LEARNED)) await storeDays(sql, last, last)
        await sql`delete from fundamentals where market_day > ${last.toString()}`
        if (!has.includes('metered')) await sql`delete from fundamentals where series like 'generation-%'`
        await storeInputs(sql, [last.add({ days: 1 })], has)
      })
      const clock = publication(last).add({ minutes: 10 }).toString()
      product = await startProduct({ dataDir: copy.dataDir, env: { ...copy.env, CLOCK: clock, SAMPLE_DATA: 'off' } })
      await expect.poll(() => forecastFrom(last), { interval: 250 }).toBeDefined()
      const { days, points } = (await forecastFrom(last)) as Seen
      const target = last.add({ days: 1 }).toString()
      expect(days[0]).toMatchObject({ date: target, model: 'hourly-ensemble', inputs, missing })
      expect(points.filter(({ date }) => date === target)).toHaveLength(target === '2026-03-29' ? 23 : 24)
    },
  )
})
