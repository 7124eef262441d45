/** Inputs and outputs of models in the database: versions of a price, artefacts, the active model. */
import { describe, expect, it } from 'vitest'
import { hoursOf } from '../../src/market/forecast-scope.ts'
import type { DailyPrice, ZoneDay } from '../../src/publishers/observations.ts'
import { findActiveModel, listArtefacts, type NewArtefact, saveTraining } from '../../src/store/forecast-models.ts'
import { priceVersions } from '../../src/store/price-versions.ts'
import { databaseOfFile } from '../support/database.ts'
import { trainedArtefact } from '../support/forecasts.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

const FIRST = Temporal.PlainDate.from('2025-01-01')

let now = Temporal.Instant.from('2026-03-28T12:05:00Z')
const { sql } = (await databaseOfFile()).database

const store = (items: (ZoneDay | DailyPrice)[]) => storePrices(sql, items, { at: now.subtract({ minutes: 5 }) })

describe('the versions of a price', () => {
  it('are the real ones only, once there are any', async () => {
    await storePrices(sql, [dailyPrice('TTF', '2026-03-26', 28)], { source: 'sample', at: now })
    expect(await priceVersions(sql, 'TTF', FIRST)).toMatchObject({ synthetic: true, versions: [{ price: 28 }] })
    await storePrices(sql, [dailyPrice('TTF', '2026-03-27', 29)], { source: 'eex-ttf', at: now })
    expect(await priceVersions(sql, 'TTF', FIRST)).toMatchObject({ synthetic: false, versions: [{ price: 29 }] })
  })

  it('are ordered, with their hours, and exclude a day with gaps', async () => {
    now = Temporal.Instant.from('2026-10-24T12:05:00Z')
    await store([zoneDay('nazionale', '2026-10-25', 60, () => 90)])
    now = Temporal.Instant.from('2026-10-25T09:05:00Z')
    await store([zoneDay('nazionale', '2026-10-25', 60, (hour) => (hour === 3 ? 115 : 90))])
    await store([zoneDay('nazionale', '2026-10-26', 60, (hour) => (hour === 6 ? undefined : 90))])
    const { versions } = await priceVersions(sql, 'PUN', Temporal.PlainDate.from('2026-10-25'))
    expect(
      versions.map(({ day, price, intervals, fetchedAtMs }) => [
        ...[day, price, intervals?.length, intervals?.[2]],
        Temporal.Instant.fromEpochMilliseconds(fetchedAtMs).toString(),
      ]),
    ).toEqual([
      ['2026-10-25', 90, 25, 90, '2026-10-24T12:00:00Z'],
      ['2026-10-25', 91, 25, 115, '2026-10-25T09:00:00Z'],
    ])
  })
})

describe('trained models', () => {
  const about = { asset: 'PSV', synthetic: false } as const
  const keep = (artefacts: NewArtefact[], model: string) =>
    saveTraining(sql, {
      artefacts,
      decision: { ...about, model, decidedAt: now, reason: 'a test', metrics: { net: { mae: 1 } } },
      replay: { ...about, purpose: 'accuracy', codeVersion: '1.0.0', madeAt: now, forecasts: [] },
    })

  it('are kept with their bytes for 100 days, and damaged ones are skipped', async () => {
    for (let week = 0; week < 18; week++) {
      const dataTo = FIRST.add({ weeks: week }).toString()
      await keep([trainedArtefact(dataTo, { content: Uint8Array.of(week, 0, 255) })], 'net')
    }
    const damaged: number[] = []
    const list = () => listArtefacts(sql, 'PSV', false, (id) => damaged.push(id))
    const kept = await list()
    expect(kept.map(({ content }) => [...content])).toEqual(Array.from({ length: 15 }, (_, i) => [17 - i, 0, 255]))
    await sql`update forecast_artefacts set content = decode('00', 'hex') where id = ${kept[0]?.id ?? 0}`
    expect(await list()).toHaveLength(14)
    expect(damaged).toEqual([kept[0]?.id])
  })

  it('of hourly prices are thinned, always keeping one trained before the test days', async () => {
    const first = Temporal.PlainDate.from('2025-01-05')
    const asset = hoursOf('nord')
    for (let week = 0; week < 30; week++) {
      const last = first.add({ weeks: week })
      const own = trainedArtefact(last.toString(), { asset })
      const decision = { asset, synthetic: false, model: 'net', decidedAt: now, reason: 'a test', metrics: {} }
      await saveTraining(sql, { artefacts: [own], decision })
      const kept = await listArtefacts(sql, asset, false, () => {})
      expect(kept.length).toBeLessThanOrEqual(7)
      const days = kept.map(({ dataTo }) => Temporal.PlainDate.from(dataTo).until(last).days)
      if (week > 13) expect(days.some((age) => age >= 61 && age <= 100)).toBe(true)
    }
  })

  it('use their last good artefact where the latest training was discarded', async () => {
    await keep([], 'net')
    const chosen = await findActiveModel(sql, 'PSV', false)
    const [newest] = await sql`select id from forecast_artefacts where asset = 'PSV' order by data_to desc limit 1`
    expect(chosen).toMatchObject({ model: 'net', artefactId: newest?.id })
  })

  it('are saved together or not at all', async () => {
    const before = await sql`select count(*) from forecast_artefacts`
    const broken = trainedArtefact('2026-01-01', { dataFrom: '2027-01-01' })
    await expect(keep([trainedArtefact('2026-01-01'), broken], 'net')).rejects.toThrow('forecast_artefacts_span')
    expect([...(await sql`select count(*) from forecast_artefacts`)]).toEqual([...before])
  })
})
