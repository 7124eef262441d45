import { describe, expect, it } from 'vitest'
import { ingestSession } from '../../src/ingest/ingest.ts'
import type { ZoneDay } from '../../src/publishers/observations.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { loadPriceLimits } from '../../src/store/price-limits.ts'
import { priceStore } from '../../src/store/prices.ts'
import { acceptQuarantined, findQuarantined, listQuarantine, rejectQuarantined } from '../../src/store/quarantine.ts'
import { databaseOfFile } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'

/** More than one batch. */
const DAYS = 2_500
const NOW = Temporal.Instant.from('2026-11-21T12:00:00Z')
const { sql } = (await databaseOfFile()).database

const sessionOf = async (source: string) =>
  ingestSession({ sql, clock: { now: () => NOW }, limits: await loadPriceLimits(sql), source })

/** Ingests one day as a separate document and returns the newest open quarantine entry. */
async function quarantine(item: ZoneDay) {
  const session = await sessionOf('gme-mgp')
  const sha256 = `${item.day}${item.zone}`.replace(/[^0-9a-f]/g, '0').padEnd(64, '0')
  await session.add(item, { sha256, address: `${item.zone}-${item.day}.xml`, bytes: 1, fetchedAt: NOW })
  expect((await session.finish()).refused).toHaveLength(1)
  const [day] = await listQuarantine(sql, 'open', 1)
  if (day === undefined) throw new Error('nothing was quarantined')
  return day
}

/** A day without hour 7. */
function withGap(zone: 'nazionale' | 'nord', text: string): ZoneDay {
  return zoneDay(zone, text, 60, (hour) => (hour === 7 ? undefined : 50 + hour))
}

it('a file without an accepted day is quarantined completely in batches, even with invalid characters', async () => {
  const session = await sessionOf('eex-ttf')
  const document = { sha256: 'e'.repeat(64), address: 'nothing-sound.csv', bytes: 1, fetchedAt: NOW }
  const held = async () => (await sql`select count(*)::int as n from quarantined_days where source = 'eex-ttf'`)[0]?.n
  const details = ['"a\u0000b" is not a number', `half of a letter: ${'😀'.slice(0, 1)}`]
  for (let i = 0; i < DAYS; i++) {
    const faults = details.map((detail) => ({ code: 'not_a_number' as const, place: `line ${i + 2}`, detail }))
    const day = Temporal.PlainDate.from('2010-01-01').add({ days: i })
    await session.add(
      { kind: 'daily-price', asset: 'TTF', day, price: i === 0 ? Number.NaN : undefined, faults },
      document,
    )
  }
  await expect.poll(held).toBeGreaterThan(0)
  expect((await session.finish()).refused).toHaveLength(DAYS)
  expect(await held()).toBe(DAYS)
  const [first] = await sql`
    select details, prices::text from quarantined_days where source = 'eex-ttf' and market_day = '2010-01-01'`
  expect(first).toMatchObject({
    details: ['line 2: "a\\u0000b" is not a number', 'line 2: half of a letter: \ufffd', expect.any(String)],
    prices: '{NaN}',
  })
  await sql`delete from quarantined_days where source = 'eex-ttf'`
})

describe('the quarantine', () => {
  it('shows what was refused, with its prices and its document, and why', async () => {
    const day = await quarantine(withGap('nord', '2026-05-04'))
    expect(day).toMatchObject({ series: 'zone:nord', marketDay: '2026-05-04', resolutionMinutes: 60 })
    expect(day).toMatchObject({ reasons: ['incomplete_day'], address: 'nord-2026-05-04.xml' })
    expect(day.details).toEqual([expect.stringContaining('hour 7 is missing')])
    expect(day.prices?.[6]).toBeNull()
    expect(await findQuarantined(sql, day.id)).toEqual(day)
  })

  it.each([
    ['after tomorrow, whose auction has not taken place', '2026-11-23', 'future_day', /is after 2026-11-22/],
    [
      'before the start of the market',
      '1850-01-01',
      'past_day',
      /^nord 1850-01-01: is before 2004-01-01, the first day that can have a value$/,
    ],
  ])('holds a day %s', async (_, text, reason, detail) => {
    const day = await quarantine(zoneDay('nord', text, 60, (hour) => 50 + hour))
    expect(day).toMatchObject({ marketDay: text, reasons: [reason] })
    expect(day.details).toEqual([expect.stringMatching(detail)])
    await rejectQuarantined(sql, day.id, NOW)
  })

  it('stores an accepted day with its gap, and no mean', async () => {
    const day = await quarantine(withGap('nazionale', '2026-05-05'))
    const counts = { stored: 23, unchanged: 0, corrected: 0, outranked: 0 }
    expect(await acceptQuarantined(sql, day.id, NOW)).toEqual(counts)
    await refreshAggregates(sql)
    const [stored] = await sql`
      select minutes, expected_minutes from zone_prices_daily where zone = 'nazionale' and market_day = '2026-05-05'`
    expect(stored).toEqual({ minutes: 1380, expected_minutes: 1440 })
    const span = { from: Temporal.PlainDate.from('2026-05-05'), to: Temporal.PlainDate.from('2026-05-05') }
    expect((await priceStore(sql).series('PUN', span)).points).toEqual([])
    expect(await findQuarantined(sql, day.id)).toMatchObject({ status: 'accepted' })
    await expect(acceptQuarantined(sql, day.id, NOW)).rejects.toThrow('accepted already')
  })

  it('holds a day in a thousandth of its unit, by comparison with days stored or read before, until it is accepted', async () => {
    const days = Array.from({ length: 8 }, (_, n) => `2026-06-0${n + 1}`)
    const session = await sessionOf('gme-mgp')
    const document = { sha256: 'd'.repeat(64), address: 'june.csv', bytes: 1, fetchedAt: NOW }
    for (const text of days) {
      const unit = ['2026-06-05', '2026-06-06'].includes(text) ? 1000 : 1
      await session.add(
        zoneDay('csud', text, 60, (hour) => (90 + hour) / unit),
        document,
      )
    }
    expect((await session.finish()).refused.map(({ day }) => day)).toEqual(['2026-06-05', '2026-06-06'])

    await storePrices(sql, [zoneDay('csud', '2026-06-06', 60, () => 100)])
    const day = await quarantine(zoneDay('csud', '2026-06-06', 60, (hour) => (90 + hour) / 1000))
    expect(day).toMatchObject({ series: 'zone:csud', marketDay: '2026-06-06', reasons: ['wrong_unit'] })
    expect(await acceptQuarantined(sql, day.id, NOW)).toMatchObject({ stored: 0, corrected: 24 })
  })

  it('never replaces a complete day by one with gaps', async () => {
    await storePrices(sql, [zoneDay('nord', '2026-05-06', 60, () => 70)])
    const day = await quarantine(withGap('nord', '2026-05-06'))
    await expect(acceptQuarantined(sql, day.id, NOW)).rejects.toThrow('a complete day is stored')
    expect(await findQuarantined(sql, day.id)).toMatchObject({ status: 'open' })
    const kept = await sql`
      select from price_intervals where zone = 'nord' and market_day = '2026-05-06' and price_eur_mwh = 70`
    expect(kept).toHaveLength(24)
  })

  it('does not list a rejected day again', async () => {
    const day = await quarantine(withGap('nord', '2026-05-07'))
    expect(await rejectQuarantined(sql, day.id, NOW)).toBe(true)
    expect(await rejectQuarantined(sql, day.id, NOW)).toBe(false)
    expect((await listQuarantine(sql, 'open', 50)).map(({ id }) => id)).not.toContain(day.id)
    await expect(acceptQuarantined(sql, day.id, NOW)).rejects.toThrow('rejected already')
  })

  it('has one entry however often the same document is read', async () => {
    const day = await quarantine(withGap('nord', '2026-05-08'))
    expect((await quarantine(withGap('nord', '2026-05-08'))).id).toBe(day.id)
  })
})
