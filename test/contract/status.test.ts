/** `GET /v1/status`: every source, whether it is asked, what came of it, what its terms allow. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PUBLISHERS } from '../../src/publishers/index.ts'
import { recordAttempt, recordSourceStates } from '../../src/store/source-fetching.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: '2026-03-28T13:00:00Z' })
})
afterAll(() => service.stop())

const status = async () => {
  const { sources } = (await service.ask('/v1/status')).json() as { sources: { id: string }[] }
  return new Map(sources.map((source) => [source.id, source]))
}

describe('the status', () => {
  it('lists every source before anything was fetched, with its terms and usual delay', async () => {
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

  it('says what is on or why not, the last attempt, and how fresh each series is', async () => {
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
})
