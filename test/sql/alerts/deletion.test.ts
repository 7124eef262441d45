/** Deleting an alert deletes its dependent rows; on a real server, with concurrent deletions and writes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database, Transaction } from '../../../src/store/database.ts'
import { insertReplay, insertTest } from '../../../src/store/webhook-events.ts'
import { deleteWebhook } from '../../../src/store/webhooks.ts'
import { detectCrossingsAt, issueKeyFor, seedWebhook } from '../../support/alerts.ts'
import { type PlainServer, startPlainServer, untilBlockedByLock } from '../../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../../support/postgres-cluster.ts'
import { storePrices, zoneDay } from '../../support/prices.ts'

const NOW = Temporal.Instant.from('2026-11-20T12:00:00Z')
const ALERT = 'alr_0000000000000001'
const OTHER = 'alr_0000000000000002'
const DELIVERY = 'dlv_00000000000000000000000000000001'
const EVENT = DELIVERY.replace('dlv_', 'msg_')

describe.skipIf(!hasPostgres)(needsPostgres('deletion of an alert'), () => {
  let server: PlainServer
  let database: Database
  let key: string

  beforeAll(async () => {
    server = await startPlainServer({ poolSize: 4 })
    database = server.database
    await storePrices(database.sql, [zoneDay('nazionale', '2026-11-21', 60, () => 120)], { at: NOW })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  beforeEach(async () => {
    const { sql } = database
    await sql`delete from webhooks`
    await sql`delete from alert_days`
    key = await issueKeyFor(sql)
    await seedWebhook(sql, key, { id: ALERT, delivery: DELIVERY })
    await seedWebhook(sql, key, { id: OTHER, delivery: DELIVERY.replace(/1$/, '2') })
    await sql`update webhooks set created_at = ${NOW.toString()}::timestamptz`
  })

  /** Row counts of an alert: `alr_0000000000000001 events 2, deliveries 2, first days 1`. */
  async function rowsOf(alert: string): Promise<string> {
    const [row] = await database.sql`
      select
        (select count(*) from webhook_events where webhook_id = ${alert}) as events,
        (select count(*) from webhook_deliveries where webhook_id = ${alert}) as deliveries,
        (select count(*) from alert_first_days where webhook_id = ${alert}) as first_days`
    return `events ${row?.events}, deliveries ${row?.deliveries}, first days ${row?.first_days}`
  }

  /** Runs `meanwhile` between the work and the commit of a transaction. */
  async function beforeCommit(work: (tx: Transaction) => Promise<unknown>, meanwhile: () => Promise<void>) {
    await database.sql.begin(async (tx: Transaction) => {
      await work(tx)
      await meanwhile()
    })
  }

  it('removes its events, deliveries and first day, and no rows of another alert', async () => {
    await detectCrossingsAt(database.sql, NOW)
    expect(await rowsOf(ALERT)).toBe('events 2, deliveries 2, first days 1')
    expect(await deleteWebhook(database.sql, key, ALERT)).toBe(true)
    expect(await rowsOf(ALERT)).toBe('events 0, deliveries 0, first days 0')
    expect(await rowsOf(OTHER)).toBe('events 2, deliveries 2, first days 1')
  })

  it('cascades from the deletion of the key', async () => {
    await detectCrossingsAt(database.sql, NOW)
    await database.sql`delete from api_keys where id = ${key}`
    expect([await rowsOf(ALERT), await rowsOf(OTHER)]).toEqual(Array(2).fill('events 0, deliveries 0, first days 0'))
  })

  it('waits for a running detection and removes the rows it wrote', async () => {
    let deleted: Promise<boolean> | undefined
    await beforeCommit(
      (tx) => tx`select * from detect_alert_crossings(${NOW.toString()}::timestamptz, ${NOW.toString()}::timestamptz)`,
      async () => {
        deleted = deleteWebhook(database.sql, key, ALERT)
        await untilBlockedByLock(database)
      },
    )
    expect(await deleted).toBe(true)
    expect(await rowsOf(ALERT)).toBe('events 0, deliveries 0, first days 0')
    expect(await rowsOf(OTHER)).toBe('events 2, deliveries 2, first days 1')
  })

  it('prevents a detection that waited for it from writing rows', async () => {
    let detected: Promise<unknown> | undefined
    await beforeCommit(
      (tx) => tx`delete from webhooks where id = ${ALERT}`,
      async () => {
        detected = detectCrossingsAt(database.sql, NOW)
        await untilBlockedByLock(database)
      },
    )
    await detected
    expect(await rowsOf(ALERT)).toBe('events 0, deliveries 0, first days 0')
    expect(await rowsOf(OTHER)).toBe('events 2, deliveries 2, first days 1')
  })

  it.each([
    ['test', () => insertTest(database.sql, { webhookId: ALERT, now: NOW, giveUpAt: NOW, requestId: undefined })],
    [
      'replay',
      () =>
        insertReplay(database.sql, { eventId: EVENT, webhookId: ALERT, now: NOW, giveUpAt: NOW, requestId: undefined }),
    ],
  ])('makes a %s that waited for it fail without writing rows', async (_, write) => {
    let written: Promise<unknown> = Promise.resolve()
    await beforeCommit(
      (tx) => tx`delete from webhooks where id = ${ALERT}`,
      async () => {
        written = write()
        written.catch(() => {}) // checked below
        await untilBlockedByLock(database)
      },
    )
    await expect(written).rejects.toThrow('was deleted meanwhile')
    expect(await rowsOf(ALERT)).toBe('events 0, deliveries 0, first days 0')
  })
})
