/** `GET /v1/status`: every source, whether it is enabled, the outcome of its fetches, its terms. */
import { describe, expect, it } from 'vitest'
import { PUBLISHERS } from '../../src/publishers/index.ts'
import { markComplete, recordLateDays } from '../../src/store/source-events.ts'
import { recordAttempt, recordSourceStates } from '../../src/store/source-fetching.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-03-28T13:00:00Z' })

const status = async () => {
  const { sources } = (await service.ask('/v1/status')).json() as { sources: { id: string }[] }
  return new Map(sources.map((source) => [source.id, source]))
}

describe('GET /v1/status', () => {
  it('200 with the terms and usual delay of every source before the first fetch', async () => {
    const sources = await status()
    expect([...sources.keys()]).toEqual(PUBLISHERS.map(({ id }) => id))
    expect(sources.get('gme-mgp')).toMatchObject({
      redistributable: false,
      fetching: null,
      usual_delay_days: -1,
      usual_publication: '12:55 Europe/Rome on the day before',
      series: [],
    })
    expect(sources.get('eia-brent')).toMatchObject({ redistributable: true, usual_delay_days: 3 })
    expect(sources.get('sample')).toMatchObject({ synthetic: true, usual_publication: null })
  })

  it('200 with fetch state or reason, last attempt and freshness of each source', async () => {
    const states = [
      { source: 'gme-mgp', state: 'on' as const, way: 'API', reason: null },
      { source: 'entsoe', state: 'off' as const, way: null, reason: 'ENTSOE_TOKEN is not set' },
    ]
    await recordSourceStates(service.sql, states, new Map([['gme-mgp', true]]))
    const at = (text: string) => Temporal.Instant.from(text)
    const attempts = [
      { source: 'gme-mgp', at: at('2026-03-28T11:58:00Z'), outcome: 'complete' as const, detail: null },
      {
        source: 'gme-mgp',
        at: at('2026-03-28T12:58:00Z'),
        outcome: 'unreachable' as const,
        detail: 'answers 500 (secret)',
      },
    ]
    for (const attempt of attempts) await recordAttempt(service.sql, attempt)
    await service.seed([
      zoneDay('nazionale', '2026-03-29', 15, (ordinal) => ordinal),
      dailyPrice('PSV', '2026-03-28', 31),
    ])
    service.setNow('2026-03-28T13:02:00Z')

    const sources = await status()
    expect(sources.get('gme-mgp')).toMatchObject({
      redistributable: true,
      fetching: {
        state: 'on',
        way: 'API',
        reason: null,
        last_attempt: { at: '2026-03-28T12:58:00Z', outcome: 'unreachable' },
        completed_at: '2026-03-28T11:58:00Z',
      },
    })
    expect(sources.get('gme-mgp')).toHaveProperty('series.0.latest_market_day')
    expect(sources.get('entsoe')).toMatchObject({
      fetching: { state: 'off', reason: 'ENTSOE_TOKEN is not set', last_attempt: null, completed_at: null },
    })
    expect(JSON.stringify([...sources])).not.toContain('secret')
  })

  it('200 with late days until they arrive, also on the status page', async () => {
    await recordSourceStates(service.sql, [{ source: 'gme-mgas', state: 'on', way: 'pages', reason: null }], new Map())
    const days = ['2026-03-27', '2026-03-28'].map((day) => Temporal.PlainDate.from(day))
    const at = Temporal.Instant.from('2026-03-28T13:02:00Z')
    await recordLateDays(service.sql, 'gme-mgas', days, at)
    service.setNow('2026-03-28T13:04:00Z')
    await service.seed([]) // otherwise the response of the last minute is cached
    expect((await status()).get('gme-mgas')).toMatchObject({ late_days: ['2026-03-28', '2026-03-27'] })
    await markComplete(service.sql, 'gme-mgas', days.slice(0, 1), at)
    await service.seed([])
    expect((await status()).get('gme-mgas')).toMatchObject({ late_days: ['2026-03-28'] })
    const page = await (await fetch(`${service.baseUrl}/en/status`)).text()
    expect(page).toMatch(/Late: [^<]*28 Mar/)
  })

  it('200 with stale forecasts marked, also on the status page', async () => {
    const stateOf = async (subject: string, now: string) => {
      service.setNow(now)
      await service.seed([])
      const { forecasts } = (await service.ask('/v1/status')).json() as { forecasts: { subject: string }[] }
      expect(forecasts).toHaveLength(3 + 8)
      return forecasts.find((one) => one.subject === subject)
    }
    const readAt = { at: Temporal.Instant.from('2026-03-28T12:00:00Z') }
    await service.seed([zoneDay('nord', '2026-03-29', 15, () => 50)], readAt)
    expect(await stateOf('hours:nord', '2026-03-28T14:00:00Z')).toEqual({
      ...{ subject: 'hours:nord', state: 'none', latest_price_day: '2026-03-29' },
    })
    await seedHours(service.sql, { zone: 'nord', infoDate: '2026-03-28', issuedAt: '2026-03-27T12:10:00Z' })
    expect(await stateOf('hours:nord', '2026-03-28T17:59:00Z')).toMatchObject({ state: 'current' })
    expect(await stateOf('hours:nord', '2026-03-28T18:01:00Z')).toEqual({
      ...{ subject: 'hours:nord', state: 'stale', issued_at: '2026-03-27T12:10:00Z', info_date: '2026-03-28' },
      latest_price_day: '2026-03-29',
    })
    const page = await (await fetch(`${service.baseUrl}/it/status`)).text()
    expect(page).toMatch(/Ore, Nord<\/th><td class="state missing">superata/)
    await seedHours(service.sql, { zone: 'nord', infoDate: '2026-03-29', issuedAt: '2026-03-28T18:02:00Z' })
    expect(await stateOf('hours:nord', '2026-03-28T18:10:00Z')).toMatchObject({ state: 'current' })
    expect(await stateOf('hours:nord', '2026-04-06T10:00:00Z')).toMatchObject({ state: 'stale' })
  })
})
