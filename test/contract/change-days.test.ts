/** The change days, from the operator's file through import and SQL to the answers, in hours and quarter-hours. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { importFiles } from '../../src/ingest/import-files.ts'
import { commaDecimal, gmeXml, plainBut, plainValue } from '../support/gme-documents.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'
import { serviceOfFile } from '../support/service.ts'

const OCTOBER_HOURS = ['00:00:00+02:00', '01:00:00+02:00', '02:00:00+02:00', '02:00:00+01:00', '03:00:00+01:00']
const MARCH_HOURS = ['00:00:00+01:00', '01:00:00+01:00', '03:00:00+02:00', '04:00:00+02:00', '05:00:00+02:00']
const DAYS = [
  { day: '2025-03-30', resolution: 60, hours: 23, count: 23, firstHours: MARCH_HOURS },
  { day: '2024-10-27', resolution: 60, hours: 25, count: 25, firstHours: OCTOBER_HOURS },
  { day: '2026-03-29', resolution: 15, hours: 23, count: 92, firstHours: MARCH_HOURS },
  { day: '2026-10-25', resolution: 15, hours: 25, count: 100, firstHours: OCTOBER_HOURS },
] as const

const service = await serviceOfFile({ now: '2026-10-26T10:00:00Z' })
const headers = await service.asPlan('Enterprise')
const folder = await scratchFolderOfFile()
for (const { day, resolution } of DAYS) await writeFile(path.join(folder, `${day}.xml`), gmeXml({ day, resolution }))

async function importFolder() {
  const { database } = service
  const clock = { now: () => Temporal.Instant.from('2026-10-26T09:00:00Z') }
  const summary = await importFiles({ database, clock, paths: [folder] })
  await service.seed([]) // brings the aggregates and the service up to what is stored
  return summary
}

const answer = async (target: string) => (await service.ask(target, { headers })).json()
const ordinals = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
/** Of the PUN as the files state it: 100.25 and 1 more with each interval. */
const mean = (count: number) => 100.25 + (count + 1) / 2

describe('both change days', () => {
  it('are imported complete, in every zone', async () => {
    const intervals = 8 * DAYS.reduce((sum, { count }) => sum + count, 0)
    expect(await importFolder()).toMatchObject({ read: intervals, stored: intervals, refused: [] })
  })

  it.each(DAYS)(
    '$day is $count intervals of $resolution minutes in SQL, end to end',
    async ({ day, resolution, count }) => {
      const rows = await service.sql<{ ordinal: number; starts_at: Temporal.Instant; price_eur_mwh: number }[]>`
      select ordinal, starts_at, price_eur_mwh from price_intervals
      where zone = 'nazionale' and market_day = ${day}::date order by starts_at`
      const midnight = Temporal.PlainDate.from(day).toZonedDateTime('Europe/Rome').toInstant()
      expect([...rows]).toEqual(
        ordinals(count).map((ordinal) => ({
          ordinal,
          starts_at: midnight.add({ minutes: (ordinal - 1) * resolution }),
          price_eur_mwh: plainValue('PUN', ordinal),
        })),
      )
      const [daily] = await service.sql<{ minutes: number; expected_minutes: number; price_eur_mwh: number }[]>`
      select minutes, expected_minutes, price_eur_mwh from zone_prices_daily
      where zone = 'nazionale' and market_day = ${day}::date`
      expect(daily).toEqual({
        minutes: count * resolution,
        expected_minutes: count * resolution,
        price_eur_mwh: expect.closeTo(mean(count), 9),
      })
    },
  )

  it.each(DAYS)('$day has $hours hours in the answer, numbered by elapsed time', async ({ day, hours, firstHours }) => {
    const body = await answer(`/v1/pun/hourly?date=${day}`)
    expect(body).toMatchObject({ date: day, count: hours, expected: hours })
    const shown = body.hours as { hour: number; starts_at: string }[]
    expect(shown.map(({ hour }) => hour)).toEqual(ordinals(hours))
    expect(shown.slice(0, 5).map(({ starts_at }) => starts_at)).toEqual(firstHours.map((time) => `${day}T${time}`))
  })

  it.each(DAYS)('$day in quarter-hours, where it has them', async ({ day, resolution, count }) => {
    const reply = await service.ask(`/v1/pun/hourly?date=${day}&granularity=quarter`, { headers })
    if (resolution === 60) expect(reply.status).toBe(404)
    else {
      const { quarters } = reply.json() as { quarters: { quarter: number; value: number }[] }
      expect(quarters.map(({ quarter }) => quarter)).toEqual(ordinals(count))
      expect(quarters.map(({ value }) => value)).toEqual(ordinals(count).map((n) => plainValue('PUN', n)))
    }
  })

  it.each(DAYS)('the daily series divides $day by its number of intervals', async ({ day, count }) => {
    const body = await answer(`/v1/prices/pun/series?from=${day}&to=${day}`)
    expect(body).toMatchObject({ points: [{ date: day, value: mean(count) }] })
  })

  it('are unchanged by a second import', async () => {
    expect(await importFolder()).toMatchObject({ stored: 0, corrected: 0, refused: [] })
  })

  it('keep the repeated hour apart when one of the two is corrected', async () => {
    const corrected = plainBut({ PUN: { 4: commaDecimal(9.5) } })
    await writeFile(path.join(folder, '2024-10-27.xml'), gmeXml({ day: '2024-10-27', prices: corrected }))
    expect(await importFolder()).toMatchObject({ stored: 0, corrected: 1, refused: [] })
    const revisions = await service.sql`select zone, ordinal, price_eur_mwh from price_interval_revisions`
    expect([...revisions]).toEqual([{ zone: 'nazionale', ordinal: 4, price_eur_mwh: plainValue('PUN', 4) }])
    const { hours } = (await answer('/v1/pun/hourly?date=2024-10-27&zone=nazionale')) as { hours: { value: number }[] }
    expect(hours.slice(2, 5).map(({ value }) => value)).toEqual([plainValue('PUN', 3), 9.5, plainValue('PUN', 5)])
  })
})
