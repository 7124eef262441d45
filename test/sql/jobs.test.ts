/** Effects of the jobs on a database, each run twice with the same payload; and their queue. */
import { PgBoss } from 'pg-boss'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { JOBS } from '../../jobs/index.ts'
import { publishAndRecord } from '../../jobs/make-files.ts'
import { publishSample } from '../../jobs/publish-sample.ts'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { SCHEDULE } from '../../jobs/schedule.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type QueueOptions, startQueue } from '../../src/platform/queue/queue.ts'
import { currentRequestId, withRequestId } from '../../src/platform/request-id.ts'
import { offersPublishedAt, sampleOffers } from '../../src/publishers/sample/offers.ts'
import { correctionInstant } from '../../src/publishers/sample/publications.ts'
import { job } from '../../src/service/job.ts'
import { writeOfferDay } from '../../src/store/offer-writer.ts'
import { databaseOfFile, testDatabase } from '../support/database.ts'
import { dailyPrice, storePrices } from '../support/prices.ts'
import { recordedLog } from '../support/recorded-log.ts'
import { testContext } from '../support/test-context.ts'

/** Five minutes after the day-ahead results for 29 March. */
const NOW = Temporal.Instant.from('2026-03-28T12:00:00Z')

const db = await databaseOfFile()
const { sql } = db.database
const ctx = await testContext(db, () => NOW)
afterAll(() => ctx.stop())

const { signal } = new AbortController()
const openQueue = (options: Pick<QueueOptions, 'log'> & Partial<QueueOptions>) => {
  const about = { connectionString: db.url, timeZone: 'Europe/Rome', hasHeartbeats: true, stopping: signal }
  return startQueue({ ...about, ...options })
}

const stored = async () => {
  const [row] = await sql`
    select (select count(*) from price_intervals)::integer as intervals, (select count(*) from daily_prices)::integer as days,
           (select count(*) from documents)::integer as documents, (select count(*) from price_interval_revisions)::integer as revisions,
           (select array_agg(distinct day::text order by day::text) from offer_days) as offer_days`
  return row
}

/** Stores both lists of a day, as after an earlier run. */
async function storeOffersOf(text: string): Promise<void> {
  const day = Temporal.PlainDate.from(text)
  for (const commodity of ['luce', 'gas'] as const) {
    const item = sampleOffers(commodity, day)
    const at = offersPublishedAt(day)
    const document = { sha256: 'c'.repeat(64), address: `sample:${item.dataset}/${day}`, bytes: 1, fetchedAt: at }
    await writeOfferDay(sql, { source: 'sample', document, storedAt: at, item })
  }
}

describe('the sample publisher', () => {
  const run = (andRefresh = false, own = ctx) => publishSample.run({ payload: { andRefresh }, ctx: own, signal })
  const storeLastRun = (day: string, at: Temporal.Instant, on = sql) =>
    storePrices(on, [dailyPrice('PSV', day, 31)], { source: 'sample', at })

  it('publishes what is new since its last run, and nothing on a second run', async () => {
    await storeLastRun('2026-03-27', NOW.subtract({ hours: 24 }))
    await storeOffersOf('2026-03-27')
    await run()
    const first = await stored()
    expect(first).toMatchObject({ intervals: 8 * 92, revisions: 0, offer_days: ['2026-03-27', '2026-03-28'] })
    await run()
    expect(await stored()).toEqual(first)
  })

  it('completes at start-up a publication that a killed process had partly stored', async () => {
    await storeLastRun('2026-03-27', NOW.subtract({ hours: 24 }))
    await run()
    const whole = await stored()
    // Data published after the day-ahead prices is not available at that time either.
    await sql`delete from daily_prices where document_id in (select id from documents where fetched_at > (select max(observed_at) from price_intervals))`
    await sql`delete from documents where fetched_at > (select max(observed_at) from price_intervals)`
    await sql`delete from price_intervals where zone in ('sici', 'sard', 'cala')`
    expect((await stored())?.intervals).toBe(5 * 92)
    await run(true)
    expect(await stored()).toEqual(whole)
  })

  it('publishes nothing once real data has been stored', async () => {
    await storePrices(sql, [dailyPrice('TTF', '2026-03-27', 30)], { source: 'gme-mgas', at: NOW })
    expect(await stored()).toMatchObject({ intervals: 0, offer_days: null })
    await run()
    expect(await stored()).toMatchObject({ intervals: 0, offer_days: null })
  })

  it('ends without storing anything if a real publisher delivers after it has started', async () => {
    const answers = [true]
    const sampleData = { ...ctx.sampleData, enabled: async () => answers.pop() ?? ctx.sampleData.enabled() }
    await run(false, { ...ctx, sampleData })
    expect(await stored()).toMatchObject({ intervals: 0, offer_days: null })
  })

  it('records each day at its publication time, and corrections at theirs', async () => {
    let day = Temporal.PlainDate.from('2026-03-28')
    while (correctionInstant(day) === undefined) day = day.subtract({ days: 1 })
    const correctedAt = correctionInstant(day) as Temporal.Instant
    await using own = await testDatabase()
    await using context = await testContext(own, () => correctedAt.add({ hours: 1 }))
    const { sql } = context.database
    await storeLastRun(day.subtract({ days: 10 }).toString(), correctedAt.subtract({ hours: 48 }), sql)
    await run(false, context)
    const [late] = await sql`
      select count(*) as n from price_intervals where fetched_at <> observed_at
      union all select count(*) from daily_prices where fetched_at <> observed_at`
    expect(late).toEqual({ n: 0 })
    const [revision] = await sql`
      select min(known_from) as known_from, min(known_until) as known_until from analytics.corrections where market_day = ${day.toString()}`
    expect(revision?.known_until.toString()).toBe(correctedAt.toString())
    expect(Temporal.Instant.compare(revision?.known_from, correctedAt)).toBe(-1)
    const changes = await sql`
      select kind, market_day as day, occurred_at as at from changes where dataset <> 'offers' order by position`
    expect(changes.map(({ at }) => at)).toEqual(changes.map(({ at }) => at).sort(Temporal.Instant.compare))
    expect(changes).toContainEqual({ kind: 'day.corrected', day: day.toString(), at: correctedAt })
  })
})

describe('the queue', () => {
  const failing = job({
    queue: 'test.fail',
    payload: z.object({ day: z.string() }),
    isDeduplicated: false,
    retry: { limit: 0, backoffSeconds: 1 },
    expireSeconds: 600,
    run: async () => {
      throw new Error('as it always does')
    },
  })

  it('reports a full disk to the waiting caller at once, not after its retries', async () => {
    const filling = job({
      ...failing,
      queue: 'test.fill',
      retry: { limit: 5, backoffSeconds: 600 },
      run: async () => {
        throw Object.assign(new Error('could not extend file'), { code: '53100' })
      },
    })
    await ctx.queue.work([filling], [], ctx)
    const full = { code: '53100', message: 'could not extend file' }
    await expect(ctx.queue.sendAndWait(filling, { day: '2026-03-28' })).rejects.toMatchObject(full)
  })

  it('refuses two handlers for one queue, and a schedule for a queue without one', async () => {
    await expect(ctx.queue.work([...JOBS, refreshAggregates], SCHEDULE, ctx)).rejects.toThrow(
      'two jobs of jobs/index.ts work on the queue "aggregates.refresh"',
    )
    await expect(ctx.queue.work([], SCHEDULE, ctx)).rejects.toThrow('add its job to jobs/index.ts')
  })

  it('runs a job, reports when it is done, and keeps one that failed permanently as a dead letter', async () => {
    await ctx.queue.work([refreshAggregates, failing], [], ctx)
    await ctx.queue.sendAndWait(refreshAggregates, {})
    await expect(ctx.queue.sendAndWait(failing, { day: '2026-03-28' })).rejects.toThrow('test.fail failed')
    const dead = await sql`select data from pgboss.job where name = 'test.fail.dead'`
    expect([...dead]).toEqual([{ data: { day: '2026-03-28' } }])
  })

  it('propagates the request id from job to job, or the job id if there is none', async () => {
    const seen: Record<string, (string | undefined)[]> = { asked: [], followed: [] }
    const follow = job({
      ...failing,
      queue: 'test.follow',
      run: async () => void seen.followed?.push(currentRequestId()),
    })
    const ask = job({
      ...failing,
      queue: 'test.ask',
      async run({ payload }) {
        seen.asked?.push(currentRequestId())
        await ctx.queue.send(follow, payload)
      },
    })
    await ctx.queue.work([ask, follow], [], ctx)
    await withRequestId('request-42', () => ctx.queue.sendAndWait(ask, { day: '2026-03-28' }))
    await expect.poll(() => seen).toEqual({ asked: ['request-42'], followed: ['request-42'] })
    const own = await ctx.queue.send(ask, { day: '2026-03-29' })
    await expect.poll(() => seen.followed).toEqual(['request-42', own])
  })

  describe('a job whose process died', () => {
    const retry = { limit: 3, backoffSeconds: 3600 }
    const left = job({ ...failing, queue: 'test.left', retry, heartbeatSeconds: 600 })
    const silent = createLogger({ level: 'silent' })
    const withBoss = async (work: (boss: PgBoss) => Promise<void>) => {
      const boss = new PgBoss({ connectionString: db.url, max: 1, supervise: false, schedule: false })
      await boss.start()
      await work(boss)
      await boss.stop({ graceful: false })
    }
    /** Takes the job as a worker does, without reporting its end. */
    const leave = () => withBoss(async (boss) => expect(await boss.fetch(left.queue)).toHaveLength(1))
    const stateOf = async (id: string | undefined) => {
      const [row] = await sql`
        select state, start_after <= now() as "isDue" from pgboss.job where id = ${id ?? null}`
      return row
    }

    it('is requeued at once for the given queues only', async () => {
      const other = job({ ...left, queue: 'test.left-to-another' })
      await using queue = await openQueue({ log: silent })
      const id = await queue.send(left, { day: '2026-03-28' })
      await leave()
      await queue.requeueOrphanedJobs([other])
      expect(await stateOf(id)).toMatchObject({ state: 'active' })
      await queue.requeueOrphanedJobs([left])
      expect(await stateOf(id)).toEqual({ state: 'retry', isDue: true })
      await leave()
      await sql`delete from pgboss.job where name = ${left.queue}`
    })

    it.each([
      [true, 'retry'],
      [false, 'active'],
    ])('is retried after a missed heartbeat if heartbeats are enabled (%s)', async (hasHeartbeats, after) => {
      await using queue = await openQueue({ log: silent, hasHeartbeats })
      const id = await queue.send(left, { day: '2026-03-28' })
      await leave()
      const supervise = async () => {
        await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null`
        await withBoss((boss) => boss.supervise(left.queue))
      }
      await supervise()
      expect(await stateOf(id)).toMatchObject({ state: 'active' })
      await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '601 seconds' where id = ${id ?? null}`
      await supervise()
      expect(await stateOf(id)).toMatchObject({ state: after })
      await sql`delete from pgboss.job where name = ${left.queue}`
    })
  })

  it('logs a job interrupted by a stop as a warning, not as an error', async () => {
    const { log, text } = recordedLog()
    const begun = Promise.withResolvers<void>()
    const long = job({
      ...failing,
      queue: 'test.long',
      async run({ signal }) {
        begun.resolve()
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    const queue = await openQueue({ log })
    await queue.work([long], [], { ...ctx, log })
    await queue.send(long, { day: '2026-03-28' })
    await begun.promise
    await queue.stop()
    await expect.poll(text).toMatch(/"queue":"test.long".*a job was abandoned/)
    expect(text()).not.toContain('"level":"error"')
  })

  it('logs a job that fails while stopping as a warning, and records no failed export', async () => {
    const { log, text } = recordedLog()
    const stopping = AbortSignal.abort()
    const what = { dataset: 'pun-hourly', format: 'parquet' } as const
    const fails = job({
      ...failing,
      queue: 'test.export',
      async run({ ctx, signal }) {
        await publishAndRecord(what, { ctx, signal }, () =>
          Promise.reject(new Error('ended (SIGTERM) without an answer')),
        )
      },
    })
    await using queue = await openQueue({ log, stopping })
    await queue.work([fails], [], { ...ctx, log, stopping })
    await expect(queue.sendAndWait(fails, { day: '2026-03-28' })).rejects.toThrow('test.export failed')
    expect(text()).toMatch(/"queue":"test.export".*a job was abandoned/)
    expect(text()).not.toContain('"level":"error"')
    expect(await sql`select from bulk_exports`).toHaveLength(0)
  })

  it('retries an export if real prices replaced the sample data meanwhile, and otherwise fails', async () => {
    let end: { at: Temporal.Instant; removedPrices: number } | undefined
    let attempts = 0
    const made = { outcome: 'published', rows: 1, bytes: 1 } as const
    const make = async () => {
      attempts += 1
      if (attempts === 1) throw new Error('sample data are no longer accepted')
      return made
    }
    const run = {
      ctx: { ...ctx, sampleData: { ...ctx.sampleData, end: async () => end } },
      signal: AbortSignal.any([]),
    }
    const what = { dataset: 'pun-hourly', format: 'parquet' } as const
    await expect(publishAndRecord(what, run, make)).rejects.toThrow('no longer accepted')
    attempts = 0
    await publishAndRecord(what, run, () => {
      if (attempts === 0) end = { at: NOW, removedPrices: 1 }
      return make()
    })
    expect(attempts).toBe(2)
  })

  it('rejects a payload that does not match the schema of its job', async () => {
    await expect(ctx.queue.send(failing, { day: 28 } as unknown as { day: string })).rejects.toThrow(z.ZodError)
  })
})
