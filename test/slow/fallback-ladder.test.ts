/** Hourly forecasts while inputs disappear one after another: each uses the best available step and reports it. */
import { describe, expect, it } from 'vitest'
import { encodeArtefact } from '../../jobs/forecasts/artefact-bytes.ts'
import { hourlyRecord } from '../../jobs/forecasts/hourly-record.ts'
import { loadHours, loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { priceRecord } from '../../jobs/forecasts/price-record.ts'
import { issueForecasts } from '../../jobs/issue-forecasts.ts'
import { historyAt } from '../../models/history.ts'
import { hourlyEnsemble } from '../../models/hourly/ensemble/ensemble.ts'
import { hourlyHistoryAt } from '../../models/hourly/record.ts'
import { hoursOf, type InputStep } from '../../src/market/forecast-scope.ts'
import { marketDayOf } from '../../src/market/market-day.ts'
import { NATIONAL_ZONE } from '../../src/market/zones.ts'
import { saveTraining } from '../../src/store/forecast-models.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const FIRST = Temporal.PlainDate.from('2024-12-01')
/** The last day of the training data. */
const TRAINED_ON = Temporal.PlainDate.from('2026-03-26')
type Input = 'load' | 'weather' | 'neighbours' | 'metered'
const LADDER: { has: Input[]; inputs: InputStep; missing: Input[] }[] = [
  { has: ['load', 'metered', 'weather', 'neighbours'], inputs: 'everything', missing: [] },
  { has: ['load', 'metered', 'weather'], inputs: 'without-neighbours', missing: ['neighbours'] },
  { has: ['load', 'metered'], inputs: 'usual-weather', missing: ['weather', 'neighbours'] },
  { has: ['load'], inputs: 'without-weather', missing: ['weather', 'neighbours'] },
  { has: [], inputs: 'prices-only', missing: ['load', 'weather', 'neighbours'] },
]

const service = await serviceOfFile({ now: publication(TRAINED_ON).toString(), env: { FORECAST_TRAINING: 'off' } })
const { sql } = service
const headers = await service.asPlan('API')
await storeDays(FIRST, TRAINED_ON)
await storeInputs(daysBetween(FIRST, TRAINED_ON.add({ days: 1 })), ['load', 'metered', 'weather', 'neighbours'])
await trainSmall()

function daysBetween(from: Temporal.PlainDate, to: Temporal.PlainDate): Temporal.PlainDate[] {
  return Array.from({ length: from.until(to).days + 1 }, (_, i) => from.add({ days: i }))
}

/** An invented rule: wind lowers prices. */
function windOf(day: Temporal.PlainDate): number {
  return 3_000 + 2_500 * Math.sin(day.dayOfYear * 1.7)
}

function sunAt(hour: number): number {
  return Math.max(0, 4_000 * Math.sin(((hour - 7) / 12) * Math.PI))
}

async function storeDays(from: Temporal.PlainDate, to: Temporal.PlainDate): Promise<void> {
  const price = (day: Temporal.PlainDate, hour: number) =>
    100 + 20 * Math.sin(hour / 4) - windOf(day) / 100 + 3 * Math.sin(day.dayOfYear * 12.9 + hour)
  await service.seed(
    daysBetween(from, to).map((day) => zoneDay(NATIONAL_ZONE, day.toString(), 60, (hour) => price(day, hour))),
    { at: publication(to) },
  )
}

/** Inputs are stored in the morning two days before, ahead of the forecast's publication; metered output in the night after. */
async function storeInputs(days: Temporal.PlainDate[], has: readonly Input[]): Promise<void> {
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

/** Publication time of the day's prices. */
function publication(day: Temporal.PlainDate): Temporal.Instant {
  return Temporal.Instant.from(`${day.subtract({ days: 1 })}T12:00:00Z`)
}

/** Trains the product's model with few trees. */
async function trainSmall(): Promise<void> {
  const now = publication(TRAINED_ON)
  const loaded = await loadVersions(sql, marketDayOf(now))
  const record = hourlyRecord(await loadHours(sql, [NATIONAL_ZONE], FIRST, false))
  const history = hourlyHistoryAt(record, historyAt(priceRecord(loaded), now), NATIONAL_ZONE)
  const artefact = await hourlyEnsemble({ trees: 2 }).train(history)
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
    artefacts: [{ ...subject, ...trained, content: encodeArtefact(artefact) }],
    decision: { ...subject, decidedAt: now, reason: 'a test', metrics: {} },
  })
}

interface Seen {
  info_date: string
  points: { date: string }[]
  days: object[]
}

describe('a service whose inputs go away', () => {
  // From all inputs to none, one day each; the third is the change day.
  it.each(LADDER.map((rung, i) => ({ ...rung, last: TRAINED_ON.add({ days: i }) })))(
    'forecasts with inputs $inputs after $last, and lists the missing ones',
    async ({ has, inputs, missing, last }) => {
      if (!last.equals(TRAINED_ON)) await storeDays(last, last)
      await sql`delete from fundamentals where market_day > ${last.toString()}`
      if (!has.includes('metered')) await sql`delete from fundamentals where series like 'generation-%'`
      await storeInputs([last.add({ days: 1 })], has)
      service.setNow(publication(last).add({ minutes: 10 }).toString())
      await issueForecasts.run({ payload: {}, ctx: service.ctx, signal: new AbortController().signal })
      const seen = (await service.ask('/v1/forecast/pun/hourly', { headers })).json() as unknown as Seen
      const target = last.add({ days: 1 }).toString()
      expect(seen.info_date).toBe(last.toString())
      expect(seen.days[0]).toMatchObject({ date: target, model: 'hourly-ensemble', inputs, missing })
      expect(seen.points.filter(({ date }) => date === target)).toHaveLength(target === '2026-03-29' ? 23 : 24)
    },
  )
})
