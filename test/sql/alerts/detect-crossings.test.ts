import { describe, expect, it } from 'vitest'
import type { AlertAsset } from '../../../src/api/contract/alerts.ts'
import { toRomeIso } from '../../../src/market/market-day.ts'
import { ALL_MARKET_ZONES } from '../../../src/market/zones.ts'
import type { DailyPrice, ZoneDay } from '../../../src/publishers/observations.ts'
import { refreshAggregates } from '../../../src/store/aggregates.ts'
import { alertDays } from '../../../src/store/alerts.ts'
import { revokeApiKey } from '../../../src/store/api-keys.ts'
import type { WebhookSettings } from '../../../src/store/webhooks.ts'
import { createAlert, detectCrossingsAt, issueKeyFor, newSecretBox, testAlertService } from '../../support/alerts.ts'
import { databaseOfFile } from '../../support/database.ts'
import { fundamentalDay, storeFundamentals } from '../../support/fundamentals.ts'
import { linesOf } from '../../support/lines.ts'
import { dailyPrice, storePrices, zoneDay } from '../../support/prices.ts'

let now = Temporal.Instant.from('2026-01-01T00:00:00Z')
const { sql } = (await databaseOfFile()).database
const alerts = testAlertService({ sql, clock: { now: () => now }, secrets: newSecretBox(), ports: [] })
const key = await issueKeyFor(sql)

/** The days and prices that triggered the alert, as `2026-03-29 110`. */
async function firings(id: string): Promise<string[]> {
  return linesOf(
    await sql`
    select market_day, price_eur_mwh from webhook_events where webhook_id = ${id} order by market_day`,
  )
}

async function publish(at: string, ...items: (ZoneDay | DailyPrice)[]) {
  now = Temporal.Instant.from(at)
  await storePrices(sql, items, { at: now })
  await refreshAggregates(sql)
  return detectCrossingsAt(sql, now)
}

const pun = (day: string, price: number) => zoneDay('nazionale', day, 60, () => price)
const alertOn = (wanted: Partial<WebhookSettings['alert']>) =>
  createAlert(alerts, key, { webhookUrl: 'https://receiver.test/hook', ...wanted }).then(({ id }) => id)

describe('an alert', () => {
  it('on imbalance or intraday prices fires for a whole day or for single hours', async () => {
    now = Temporal.Instant.from('2026-02-09T09:00:00Z')
    const price = await alertOn({ asset: 'imbalance-macro-sud', condition: 'above', threshold: 100 })
    const hours = await alertOn({ asset: 'mi-a1-nord', condition: 'below', threshold: 5, granularity: 'hour' })
    const days = [
      fundamentalDay('imbalance-price/macro-sud', '2026-02-09', () => 120, 15),
      fundamentalDay('imbalance-price-preliminary/macro-sud', '2026-02-09', () => 500, 15),
      fundamentalDay('mi-a1-price/nord', '2026-02-10', (quarter) => (quarter <= 8 ? 1 : 50), 15),
    ]
    now = Temporal.Instant.from('2026-02-10T16:00:00Z')
    await storeFundamentals(sql, days, { source: 'terna-imbalance', at: now.toString() })
    await publish('2026-02-10T16:01:00Z')
    expect([await firings(price), await firings(hours)]).toEqual([['2026-02-09 120'], ['2026-02-10 1']])
    const counts = await sql`select cardinality(hours) as n from webhook_events where webhook_id = ${hours}`
    expect(counts).toEqual([{ n: 2 }])
  })

  it('fires again for the next matching day after a change of threshold, but not after other changes', async () => {
    now = Temporal.Instant.from('2026-03-20T09:00:00Z')
    const [changed, untouched] = [await alertOn({ threshold: 100 }), await alertOn({ threshold: 100 })]
    await publish('2026-03-20T12:00:00Z', pun('2026-03-21', 110))
    const change = await alerts.change(key, changed, { settings: { threshold: 105 } })
    expect(change).toMatchObject({ webhook: { threshold: 105 } })
    await alerts.change(key, untouched, { settings: { threshold: 100, body: 'text' } })
    await publish('2026-03-21T12:00:00Z', pun('2026-03-22', 111))
    await publish('2026-03-22T12:00:00Z', pun('2026-03-23', 112))
    expect(await firings(changed)).toEqual(['2026-03-21 110', '2026-03-22 111'])
    expect(await firings(untouched)).toEqual(['2026-03-21 110'])
  })

  it('fires when its condition turns from unmet to met, including on a day of 23 hours', async () => {
    now = Temporal.Instant.from('2026-03-26T09:00:00Z')
    const above = await alertOn({ condition: 'above', threshold: 100 })
    const below = await alertOn({ condition: 'below', threshold: 100 })
    await publish('2026-03-26T12:00:00Z', pun('2026-03-27', 90))
    await publish('2026-03-27T12:00:00Z', pun('2026-03-28', 100))
    await publish('2026-03-28T12:00:00Z', pun('2026-03-29', 110))
    await publish('2026-03-29T11:00:00Z', pun('2026-03-30', 120))
    await publish('2026-03-30T11:00:00Z', pun('2026-03-31', 80))
    await publish('2026-03-31T11:00:00Z', pun('2026-04-01', 101))
    expect(await firings(above)).toEqual(['2026-03-29 110', '2026-04-01 101'])
    expect(await firings(below)).toEqual(['2026-03-27 90', '2026-03-31 80'])
    const span = { from: '2026-03-27', to: '2026-04-01', most: 5 }
    const rule = { asset: 'pun', threshold: 100, granularity: 'day' } as const
    const past = async (condition: 'above' | 'below', most = 5) =>
      (await alertDays(sql, { ...rule, condition }, { ...span, most })).map(({ day, value }) => `${day} ${value}`)
    expect(await past('above')).toEqual(['2026-04-01 101', '2026-03-29 110'])
    expect(await past('below')).toEqual(['2026-03-31 80', '2026-03-27 90'])
    expect(await past('below', 1)).toEqual(['2026-03-31 80'])
    const deliveries = await sql`select status from webhook_deliveries where webhook_id = ${above}`
    expect(linesOf(deliveries)).toEqual(['pending', 'pending'])
  })

  it('fires at the first publication after its creation, and not for prices published earlier', async () => {
    now = Temporal.Instant.from('2026-04-01T15:00:00Z')
    const id = await alertOn({ condition: 'above', threshold: 100 })
    expect(await detectCrossingsAt(sql, now)).toEqual([])
    expect(await firings(id)).toEqual([])
    await publish('2026-04-02T11:00:00Z', pun('2026-04-02', 101), pun('2026-04-03', 105))
    expect(await firings(id)).toEqual(['2026-04-02 101'])
  })

  it('compares change_pct with the previous day, each day separately, by the sign of the threshold', async () => {
    now = Temporal.Instant.from('2026-10-22T15:00:00Z')
    const rise = await alertOn({ condition: 'change_pct', threshold: 5 })
    const fall = await alertOn({ condition: 'change_pct', threshold: -5 })
    await publish('2026-10-22T16:00:00Z', pun('2026-10-23', 100))
    await publish('2026-10-23T11:00:00Z', pun('2026-10-24', 105))
    const quarters = zoneDay('nazionale', '2026-10-25', 15, () => 115.5)
    await publish('2026-10-24T11:00:00Z', quarters)
    await publish('2026-10-25T12:00:00Z', pun('2026-10-26', 109.725))
    await publish('2026-10-26T12:00:00Z', pun('2026-10-27', 0))
    await publish('2026-10-27T12:00:00Z', pun('2026-10-28', 50))
    await publish('2026-10-28T12:00:00Z', pun('2026-10-29', -10))
    await publish('2026-10-29T12:00:00Z', pun('2026-10-30', -5))
    expect(await firings(rise)).toEqual(['2026-10-24 105', '2026-10-25 115.5', '2026-10-30 -5'])
    expect(await firings(fall)).toEqual(['2026-10-26 109.725', '2026-10-27 0', '2026-10-29 -10'])
  })

  it('is not triggered by floating-point error in the mean of 24 hours', async () => {
    now = Temporal.Instant.from('2027-02-01T09:00:00Z')
    const rules = [
      { condition: 'below', threshold: 10.03 },
      { condition: 'above', threshold: 10.01 },
      { condition: 'change_pct', threshold: 5 },
    ] as const
    const ids = await Promise.all(rules.map((rule) => alertOn({ asset: 'pun-zona-nord', ...rule })))
    const nord = (day: string, price: number) => zoneDay('nord', day, 60, () => price)
    await publish('2027-02-01T12:00:00Z', nord('2027-02-02', 10.03))
    await publish('2027-02-02T12:00:00Z', nord('2027-02-03', 10.01))
    await publish('2027-02-03T12:00:00Z', nord('2027-02-04', 10.05))
    await publish('2027-02-04T12:00:00Z', nord('2027-02-05', 10.5525))
    expect(await Promise.all(ids.map(firings))).toEqual([
      ['2027-02-03 10.01'],
      ['2027-02-02 10.03', '2027-02-04 10.05'],
      ['2027-02-05 10.5525'],
    ])
  })

  it('fires once for a day, whatever corrections follow, and never for a past day', async () => {
    now = Temporal.Instant.from('2026-05-01T09:00:00Z')
    const id = await alertOn({ condition: 'above', threshold: 100 })
    await publish('2026-05-01T11:00:00Z', pun('2026-05-01', 90), pun('2026-05-02', 99))
    await publish('2026-05-01T14:00:00Z', pun('2026-05-02', 101))
    await publish('2026-05-01T15:00:00Z', pun('2026-05-02', 99))
    await publish('2026-05-01T16:00:00Z', pun('2026-05-02', 102))
    expect(await firings(id)).toEqual(['2026-05-02 101'])
    expect(await publish('2026-05-03T09:00:00Z', pun('2026-05-01', 150), pun('2026-04-30', 150))).toEqual([])
    expect(await firings(id)).toEqual(['2026-05-02 101'])
  })

  it('does not fire until the day is complete', async () => {
    now = Temporal.Instant.from('2026-06-01T09:00:00Z')
    const id = await alertOn({ condition: 'above', threshold: 100 })
    const part = pun('2026-06-02', 120)
    part.prices[23] = undefined
    await publish('2026-06-01T11:00:00Z', pun('2026-06-01', 90), part)
    expect(await firings(id)).toEqual([])
    await publish('2026-06-01T12:00:00Z', pun('2026-06-02', 120))
    expect(await firings(id)).toEqual(['2026-06-02 120'])
  })

  it.each<[AlertAsset, (ZoneDay | DailyPrice)[]]>([
    ['psv', [dailyPrice('PSV', '2026-07-06', 120)]],
    ['ttf', [dailyPrice('TTF', '2026-07-03', 120)]],
    ...ALL_MARKET_ZONES.map((zone): [AlertAsset, ZoneDay[]] => [
      `pun-zona-${zone}`,
      [zoneDay(zone, '2026-07-07', 60, () => 120)],
    ]),
  ])('fires on %s', async (asset, items) => {
    now = Temporal.Instant.from('2026-07-06T05:00:00Z')
    const id = await alertOn({ asset, condition: 'above', threshold: 100 })
    await publish('2026-07-06T16:00:00Z', ...items)
    expect(await firings(id)).toEqual([`${items[0]?.day} 120`])
  })

  it('does not fire while suspended, or after its key has been revoked', async () => {
    now = Temporal.Instant.from('2026-08-01T09:00:00Z')
    const suspended = await alertOn({ threshold: 100 })
    await sql`update webhooks set status = 'suspended', suspended_at = now(), suspended_because = 'failures' where id = ${suspended}`
    const other = await issueKeyFor(sql)
    const revoked = (await createAlert(alerts, other, { webhookUrl: 'https://receiver.test/' })).id
    await revokeApiKey(sql, other, now)
    const active = await alertOn({ threshold: 100 })
    await publish('2026-08-01T11:00:00Z', pun('2026-08-02', 120))
    expect(await Promise.all([suspended, revoked, active].map(firings))).toEqual([[], [], ['2026-08-02 120']])
  })

  it('is evaluated by one of two concurrent workers', async () => {
    now = Temporal.Instant.from('2026-09-01T09:00:00Z')
    const id = await alertOn({ threshold: 100 })
    now = Temporal.Instant.from('2026-09-01T11:00:00Z')
    await storePrices(sql, [pun('2026-09-02', 130)], { at: now })
    await refreshAggregates(sql)
    const both = await Promise.all([detectCrossingsAt(sql, now), detectCrossingsAt(sql, now)])
    expect(both.flat()).toHaveLength(1)
    expect(await firings(id)).toEqual(['2026-09-02 130'])
  })
})

describe('an hourly alert', () => {
  /** The days that triggered it, with the hours in Rome that met the condition. */
  async function hoursOf(id: string): Promise<string[]> {
    const rows = await sql<{ day: string; price: number; hours: Temporal.Instant[] }[]>`
      select market_day as day, price_eur_mwh as price, hours from webhook_events where webhook_id = ${id} order by market_day`
    return rows.map(({ day, price, hours }) => `${day} ${price} ${hours.map(toRomeIso).map((text) => text.slice(11))}`)
  }

  it('fires for each published day with a matching hour, including days of 23 and 25 hours', async () => {
    now = Temporal.Instant.from('2026-03-27T09:00:00Z')
    const below = await alertOn({ condition: 'below', threshold: 0, granularity: 'hour', asset: 'pun-zona-sici' })
    const above = await alertOn({ condition: 'above', threshold: 150, granularity: 'hour', asset: 'pun-zona-cala' })
    const quarters = (quarter: number) => (quarter <= 4 ? -10 : 40)
    const at2 = (price: number) => (hour: number) => (hour === 3 || hour === 4 ? price : 50)
    await publish('2026-03-27T12:00:00Z', zoneDay('sici', '2026-03-28', 15, quarters))
    await publish('2026-03-28T12:00:00Z', zoneDay('sici', '2026-03-29', 60, at2(-5)))
    await publish(
      '2026-03-29T12:00:00Z',
      zoneDay('sici', '2026-03-30', 60, () => 0),
    )
    await publish('2026-10-24T12:00:00Z', zoneDay('sici', '2026-10-25', 60, at2(-1.5)))
    await publish('2026-10-24T12:00:01Z', zoneDay('cala', '2026-10-25', 60, at2(151)))
    expect(await hoursOf(below)).toEqual([
      '2026-03-28 -10 00:00:00+01:00',
      '2026-03-29 -5 03:00:00+02:00,04:00:00+02:00',
      '2026-10-25 -1.5 02:00:00+02:00,02:00:00+01:00',
    ])
    expect(await hoursOf(above)).toEqual(['2026-10-25 151 02:00:00+02:00,02:00:00+01:00'])
  })

  it('fires once a day when a correction produces a matching hour but leaves the mean unchanged', async () => {
    now = Temporal.Instant.from('2026-11-10T09:00:00Z')
    const id = await alertOn({ condition: 'above', threshold: 100, granularity: 'hour' })
    const daily = await alertOn({ condition: 'above', threshold: 100 })
    const spread = (by: number) =>
      zoneDay('nazionale', '2026-11-11', 60, (hour) => 50 + (hour === 7 ? by : hour === 8 ? -by : 0))
    await publish('2026-11-10T12:00:00Z', spread(0))
    await publish('2026-11-10T13:00:00Z', spread(60))
    await publish('2026-11-10T14:00:00Z', spread(70))
    expect(await hoursOf(id)).toEqual(['2026-11-11 110 06:00:00+01:00'])
    expect(await firings(daily)).toEqual([])
  })

  it('does not fire if only the daily mean is known', async () => {
    now = Temporal.Instant.from('2026-11-12T09:00:00Z')
    const id = await alertOn({ condition: 'above', threshold: 0, granularity: 'hour' })
    await publish('2026-11-12T12:00:00Z', dailyPrice('PUN', '2026-11-13', 120))
    expect(await hoursOf(id)).toEqual([])
  })
})
