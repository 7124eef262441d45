/** Publishers with values published after a day is complete, through two days of the real jobs on a simulated clock. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { MARKET_TIME_ZONE } from '../../src/market/market-day.ts'
import { createLogger } from '../../src/platform/log.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { plainTruth, startPublishers } from '../support/publishers/index.ts'
import { simulatedService } from '../support/simulated-service.ts'

const instant = Temporal.Instant.from
const FROM = '2026-10-20T18:00:00Z'

let now = instant(FROM)
const publishers = await startPublishers({ clock: { now: () => now }, truth: plainTruth(), gme: 'public' })
const settings = {
  ...publishers.env,
  SOURCES: 'open-meteo,gme-intraday',
  OPEN_METEO_HISTORY_FROM: '2026-10-18',
  GME_INTRADAY_HISTORY_FROM: '2026-10-18',
}
const { env } = await productDatabaseOfFile()
const log = createLogger({ level: 'silent' })
let service = await simulatedService({ ...settings, ...env }, log)
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await publishers.stop()
})

type Source = 'open-meteo' | 'gme-intraday'
/** Rome times at which the publisher was requested, with the number of requests. */
let requests: Record<Source, Record<string, number>> = { 'open-meteo': {}, 'gme-intraday': {} }
const runAt = async (at: Temporal.Instant, starting = false) => {
  now = at
  const next = await service.runDueAt(now, starting)
  const time = now.toZonedDateTimeISO(MARKET_TIME_ZONE).toPlainDateTime().toString({ smallestUnit: 'minute' })
  for (const source of ['open-meteo', 'gme-intraday'] as const) {
    const sent = publishers.server(source).requests.splice(0).length
    if (sent > 0) requests[source][time] = (requests[source][time] ?? 0) + sent
  }
  return next
}
const runUntil = async (end: string) => {
  for (let next = now; Temporal.Instant.compare(next, instant(end)) <= 0; ) next = await runAt(next)
}

beforeEach(async () => {
  publishers.setFault('open-meteo', undefined)
  await service.ctx.database
    .sql`truncate fundamentals, fundamental_revisions, publications, source_events, source_states, document_validators`
  await runAt(instant(FROM), true)
  await runUntil('2026-10-21T02:30:00Z')
  requests = { 'open-meteo': {}, 'gme-intraday': {} }
})

describe('a complete day with values still to come', () => {
  it('is fetched once at their time, and once early for the part published before, besides the nightly reread', async () => {
    await runUntil('2026-10-21T13:50:00Z')
    const latest = await service.ctx.database
      .sql`select series, max(market_day)::text as day from fundamentals where series like 'mi-a_-price' group by series order by series`
    expect(latest.map(({ series, day }) => [series, day])).toEqual([
      ['mi-a1-price', '2026-10-22'],
      ['mi-a2-price', '2026-10-21'],
      ['mi-a3-price', '2026-10-21'],
    ])
    await runUntil('2026-10-22T21:59:00Z')
    expect(requests).toEqual({
      'open-meteo': { '2026-10-21T10:40': 1, '2026-10-22T03:40': 1, '2026-10-22T10:40': 1 },
      'gme-intraday': {
        '2026-10-21T10:45': 3,
        '2026-10-21T15:45': 3,
        '2026-10-21T22:30': 3,
        '2026-10-22T03:40': 3,
        '2026-10-22T10:45': 3,
        '2026-10-22T15:45': 3,
        '2026-10-22T22:30': 3,
      },
    })
    const [last] = await service.ctx.database
      .sql`select max(market_day) as day from fundamentals where series = 'mi-a3-price'`
    expect(last?.day).toBe('2026-10-22')
  })

  it('is not fetched again after a restart', async () => {
    await runUntil('2026-10-21T09:00:00Z')
    await service[Symbol.asyncDispose]()
    service = await simulatedService({ ...settings, ...env }, log)
    await runAt(instant('2026-10-21T09:05:00Z'))
    await runAt(instant('2026-10-21T09:30:00Z'))
    expect(requests).toEqual({ 'open-meteo': { '2026-10-21T10:40': 1 }, 'gme-intraday': { '2026-10-21T10:45': 3 } })
  })

  it('is tried again after an outage, like a missing day', async () => {
    publishers.setFault('open-meteo', 'error-500')
    await runAt(instant('2026-10-21T08:40:00Z'))
    publishers.setFault('open-meteo', undefined)
    await runUntil('2026-10-21T12:00:00Z')
    expect(requests['open-meteo']).toEqual({ '2026-10-21T10:40': 3, '2026-10-21T10:50': 1 })
  })
})
