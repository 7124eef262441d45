import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { catchUp, isCatchUpDue } from '../../src/ingest/catch-up.ts'
import type { FetchContext } from '../../src/ingest/fetch-span.ts'
import { watchSource } from '../../src/ingest/watch-source.ts'
import { nextAttemptAt } from '../../src/publishers/schedule.ts'
import { recordFailedAttempts } from '../../src/store/publications.ts'
import { emitPendingEvents, markComplete, recordRefused } from '../../src/store/source-events.ts'
import { type FetchHarness, startFetching } from '../support/fetching.ts'

const NEVER = new AbortController().signal
const NOW = '2026-10-24T11:00:00Z'
const HISTORY_FROM = '2026-10-20'

let fetching: FetchHarness
let ctx: FetchContext
beforeAll(async () => {
  const env = {
    GME_MGP_HISTORY_FROM: HISTORY_FROM,
    EEX_EUA_HISTORY_FROM: HISTORY_FROM,
    ENTSOE_HISTORY_FROM: HISTORY_FROM,
  }
  fetching = await startFetching({ now: NOW, env })
  ctx = fetching.ctx
})
beforeEach(async () => {
  fetching.setNow(NOW)
  fetching.publishers.setFault('gme-mgp', undefined)
  fetching.publishers.server('gme-mgp').requests.length = 0
  await ctx.database.sql`
    truncate price_intervals, price_interval_revisions, publications, source_events, source_states, document_validators`
})
afterAll(() => fetching[Symbol.asyncDispose]())

const day = Temporal.PlainDate.from
const watch = async (source: string) => (await watchSource(ctx, fetching.fetcher(source))).map(String)
const failAttempt = async (source: string, market: string) => {
  const at = ctx.clock.now()
  const again = nextAttemptAt(fetching.fetcher(source), day(market), 1, at)
  await recordFailedAttempts(ctx.database.sql, [
    { source, day: day(market), outcome: 'not_published', at, nextAttemptAt: again },
  ])
}
const events = async () => {
  const rows = await ctx.database.sql<{ line: string }[]>`
    select concat_ws(' ', source, kind, market_day) as line from source_events order by id`
  return rows.map(({ line }) => line)
}
const announced: string[] = []
const notify = () =>
  emitPendingEvents(ctx.database.sql, ctx.clock.now(), ({ kind, marketDay }) => announced.push(`${kind} ${marketDay}`))

describe('the watch over a source', () => {
  it('requests the days expected by now, newest first, including tomorrow from 12:55', async () => {
    fetching.setNow('2026-10-24T10:54:00Z')
    expect(await watch('gme-mgp')).toEqual(['2026-10-24', '2026-10-23', '2026-10-22', '2026-10-21', '2026-10-20'])
    fetching.setNow('2026-10-24T10:55:00Z')
    expect((await watch('gme-mgp'))[0]).toBe('2026-10-25')
  })

  it('requests no auction on a Wednesday or a weekend, and reports none as late', async () => {
    fetching.setNow('2026-10-25T20:00:00Z') // a Sunday
    expect(await watch('eex-eua')).toEqual(['2026-10-23', '2026-10-22', '2026-10-20'])
    expect(await events()).toEqual([])
  })

  it('does not report a day as late if it was not requested since it was due', async () => {
    fetching.setNow('2026-10-24T10:55:00Z')
    await failAttempt('gme-mgp', '2026-10-25')
    fetching.setNow('2026-10-24T18:00:00Z')
    expect(await watch('gme-mgp')).toContain('2026-10-25')
    expect(await events()).toEqual([])
  })

  it('reports a day as late only once, however often it restarts', async () => {
    announced.length = 0
    for (const now of ['2026-10-24T13:00:00Z', '2026-10-24T13:30:00Z', '2026-10-25T09:00:00Z']) {
      fetching.setNow(now)
      await failAttempt('gme-mgp', '2026-10-25')
      await Promise.all([watch('gme-mgp'), watch('gme-mgp')])
      await Promise.all([notify(), notify()])
    }
    expect(await events()).toEqual(['gme-mgp late 2026-10-25'])
    expect(announced).toEqual(['late 2026-10-25'])
  })

  it('emits events that were recorded but not emitted before a crash', async () => {
    announced.length = 0
    fetching.setNow('2026-10-24T13:00:00Z')
    await failAttempt('gme-mgp', '2026-10-25')
    await watch('gme-mgp')
    await expect(
      emitPendingEvents(ctx.database.sql, ctx.clock.now(), () => {
        throw new Error('dies')
      }),
    ).rejects.toThrow('dies')
    await notify()
    expect(announced).toEqual(['late 2026-10-25'])
  })

  it('reports a recovered source once, with its first complete day', async () => {
    const { sql } = ctx.database
    fetching.setNow('2026-10-24T13:00:00Z')
    await failAttempt('gme-mgp', '2026-10-25')
    await watch('gme-mgp')
    await recordRefused(sql, 'gme-mgp', 'wrong password', ctx.clock.now())
    await recordRefused(sql, 'gme-mgp', 'wrong password', ctx.clock.now())
    await fetching.ingest('gme-mgp', '2026-10-24/2026-10-25')
    await watch('gme-mgp')
    await markComplete(sql, 'gme-mgp', [day('2026-10-22')], ctx.clock.now())
    expect(await events()).toEqual(['gme-mgp late 2026-10-25', 'gme-mgp refused', 'gme-mgp back'])
    const [open] = await sql`select count(*) as n from source_events where closed_at is null`
    expect(open?.n).toBe(0)
  })

  it('requests from the second source only what the first failed to deliver', async () => {
    fetching.setNow('2026-10-24T13:00:00Z')
    expect(await watch('entsoe')).toEqual([])
    await failAttempt('gme-mgp', '2026-10-25')
    expect(await watch('entsoe')).toEqual(['2026-10-25'])
  })
})

describe('catching up', () => {
  const catchUpWith = (source: string) => catchUp(ctx, fetching.fetcher(source), NEVER, async () => {})
  const isDue = (source: string, starting = false) => isCatchUpDue(ctx, fetching.fetcher(source), starting)
  const daysThere = async () => {
    const rows = await ctx.database.sql<{ day: string }[]>`
      select distinct market_day as day from price_intervals order by market_day`
    return rows.map((row) => row.day)
  }

  it('fills missing days before the watched ones, newest first, across the daylight-saving change', async () => {
    fetching.setNow('2026-11-03T09:00:00Z')
    await catchUpWith('gme-mgp')
    expect(await daysThere()).toEqual(Array.from({ length: 8 }, (_, i) => `2026-10-${20 + i}`))
    const asked = fetching.publishers
      .server('gme-mgp')
      .requests.flatMap(({ body }) => /"IntervalStart":"(\d+)"/.exec(body)?.[1] ?? [])
    expect(asked).toEqual(['20261025', '20261022', '20261020'])
  })

  it('is due at night, at start-up, and shortly after an outage', async () => {
    expect(await isDue('gme-mgp')).toBe(true)
    await catchUpWith('gme-mgp')
    expect(await isDue('gme-mgp')).toBe(false)
    expect(await isDue('gme-mgp', true)).toBe(true)
    fetching.setNow('2026-10-25T02:40:00Z') // 03:40, an hour later than the night before
    expect(await isDue('gme-mgp')).toBe(true)

    fetching.publishers.setFault('gme-mgp', 'busy-429') // Retry-After of two minutes
    await catchUpWith('gme-mgp')
    expect([await isDue('gme-mgp'), await isDue('gme-mgp', true)]).toEqual([false, false])
    fetching.setNow('2026-10-25T02:50:00Z')
    expect(await isDue('gme-mgp')).toBe(true)
  })

  it('does not request a day without a publication again until the next day', async () => {
    fetching.setNow('2026-11-03T09:00:00Z')
    fetching.publishers.setFault('gme-mgp', 'late')
    await catchUpWith('gme-mgp')
    const before = fetching.publishers.server('gme-mgp').requests.length
    await catchUpWith('gme-mgp')
    expect(fetching.publishers.server('gme-mgp').requests).toHaveLength(before)
    fetching.setNow('2026-11-04T09:00:00Z')
    fetching.publishers.setFault('gme-mgp', undefined)
    await catchUpWith('gme-mgp')
    expect(await daysThere()).toContain('2026-10-20')
  })
})
