/**
 * Random histories of an alert's life against a simple model: publications, corrections, failing receivers, resumptions, restarts.
 * The model says which days must have fired; the attempts on record must lead to the state that is stored.
 */
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { CONSECUTIVE_FAILURES_MAX } from '../../../src/delivery/webhooks/retry-schedule.ts'
import { refreshAggregates } from '../../../src/store/aggregates.ts'
import { releaseClaims } from '../../../src/store/webhook-deliveries.ts'
import {
  createAlert,
  detectCrossingsAt,
  issueKeyFor,
  newSecretBox,
  testAlertService,
  testWebhookClient,
} from '../../support/alerts.ts'
import { databaseOfFile } from '../../support/database.ts'
import { deliverAt } from '../../support/deliveries.ts'
import { storePrices, zoneDay } from '../../support/prices.ts'
import { repetitions } from '../../support/repetitions.ts'
import { answering, startWebhookReceiver } from '../../support/webhook-receiver.ts'

const RUNS = repetitions(4, 12)
const THRESHOLD = 100
const secrets = newSecretBox()

let now = Temporal.Instant.from('2020-01-01T13:00:00Z')
const { sql } = (await databaseOfFile()).database
const receiver = await startWebhookReceiver()
const client = testWebhookClient({ ports: [receiver.port], now: () => now })
const alerts = testAlertService({ sql, clock: { now: () => now }, secrets, ports: [receiver.port] })
const key = await issueKeyFor(sql)
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

/** One day of life: what is published of tomorrow, whether that is corrected, and how the receiver fares until the next day. */
interface Day {
  price: number
  correction: number | undefined
  receiverWorks: boolean
  resume: boolean
  restart: boolean
}

const price = fc.constantFrom(90, 100, 110)
/** Seldom enough for failures to add up. */
const seldom = fc.integer({ min: 0, max: 5 }).map((n) => n === 0)
const day: fc.Arbitrary<Day> = fc.record({
  price,
  correction: fc.option(price, { nil: undefined, freq: 4 }),
  receiverWorks: seldom,
  resume: fc.boolean(),
  restart: fc.boolean(),
})

/** The days on which an `above` alert fires: each value seen of a current day is judged against the day before. */
class Model {
  readonly fired = new Set<string>()
  #first: string | undefined
  #previous: number | undefined

  judge(date: string, value: number, isActive: boolean): void {
    if (!isActive) return
    this.#first ??= date
    const wasMet = this.#previous !== undefined && this.#previous > THRESHOLD
    if (value > THRESHOLD && (!wasMet || date === this.#first)) this.fired.add(date)
  }

  close(value: number): void {
    this.#previous = value
  }
}

const isActive = async (id: string) => (await alerts.find(key, id))?.status === 'active'

async function publish(date: Temporal.PlainDate, value: number): Promise<void> {
  await storePrices(sql, [zoneDay('nazionale', date.toString(), 60, () => value)], { at: now })
  await refreshAggregates(sql)
  await detectCrossingsAt(sql, now)
}

/** Delivers at the instants at which retries fall due, until the next day's publication. */
async function liveUntilNextDay({ receiverWorks, restart }: Day): Promise<void> {
  receiver.react(answering(receiverWorks ? 204 : 500))
  const start = now
  for (const minutes of [0, 2, 15, 90, 600]) {
    now = start.add({ minutes })
    if (restart) await releaseClaims(sql)
    await deliverAt({ sql, client, secrets, now })
  }
  now = start.add({ hours: 24 })
}

async function checkStoredState(id: string, fired: ReadonlySet<string>, resumedAt: Temporal.Instant | undefined) {
  const events = await sql<
    { day: string }[]
  >`select market_day as day from webhook_events where webhook_id = ${id} order by 1`
  expect(events.map((event) => event.day)).toEqual([...fired].sort())
  const attempts = await sql<{ outcome: string }[]>`
    select t.outcome from webhook_attempts t join webhook_deliveries d on d.id = t.delivery_id
    where d.webhook_id = ${id} and t.started_at >= ${(resumedAt ?? Temporal.Instant.fromEpochMilliseconds(0)).toString()}::timestamptz
    order by t.started_at, t.delivery_id`
  const lastSuccess = attempts.findLastIndex(({ outcome }) => outcome === 'delivered')
  const failures = attempts.length - 1 - lastSuccess
  const alert = await alerts.find(key, id)
  expect(alert?.consecutiveFailures).toBe(Math.min(failures, CONSECUTIVE_FAILURES_MAX))
  expect(alert?.status).toBe(failures >= CONSECUTIVE_FAILURES_MAX ? 'suspended' : 'active')
}

it('never fires twice for a day, loses no firing, and is suspended exactly at 20 failures in a row', async () => {
  let calls = 0
  let suspensions = 0
  await fc.assert(
    fc.asyncProperty(fc.array(day, { minLength: 12, maxLength: 18 }), async (days) => {
      // Later than all that was published before: no run sees another's prices as the day before.
      now = now.add({ hours: 24 * 30 })
      const { id } = await createAlert(alerts, key, {
        webhookUrl: `https://receiver.test:${receiver.port}/`,
        threshold: THRESHOLD,
      })
      receiver.calls.length = 0
      const model = new Model()
      let resumedAt: Temporal.Instant | undefined
      for (const life of days) {
        const tomorrow = now.toZonedDateTimeISO('Europe/Rome').toPlainDate().add({ days: 1 })
        for (const value of [life.price, life.correction ?? life.price]) {
          model.judge(tomorrow.toString(), value, await isActive(id))
          await publish(tomorrow, value)
        }
        model.close(life.correction ?? life.price)
        await liveUntilNextDay(life)
        if (life.resume && !(await isActive(id))) {
          suspensions += 1
          resumedAt = now
          await alerts.resume(key, id)
        }
        await checkStoredState(id, model.fired, resumedAt)
      }
      const ids = new Set(receiver.calls.map(({ headers }) => headers['webhook-id']))
      expect(ids.size).toBeLessThanOrEqual(model.fired.size)
      calls += receiver.calls.length
      await alerts.remove(key, id)
    }),
    { numRuns: RUNS, seed: 20261121 },
  )
  expect(calls).toBeGreaterThan(RUNS)
  expect(suspensions).toBeGreaterThan(0)
})
