/** The permissions of each role, on a real server; attacks by someone who has the analyst's password. */
import os from 'node:os'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { planExports } from '../../jobs/plan-exports.ts'
import { bulkExportService } from '../../src/delivery/bulk/bulk-export-service.ts'
import { folderStore } from '../../src/delivery/bulk/folder-store.ts'
import { createLogger } from '../../src/platform/log.ts'
import { createQueueTables, startQueue } from '../../src/platform/queue/queue.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { listUnnotifiedSuspensions } from '../../src/store/emails.ts'
import { compressOldChunks } from '../../src/store/maintenance.ts'
import { refreshOfferIndices } from '../../src/store/offer-indices.ts'
import { writeOfferDay } from '../../src/store/offer-writer.ts'
import { readBacklogs } from '../../src/store/operations.ts'
import { applyRoles, listAnalystExcesses, setRolePassword } from '../../src/store/roles.ts'
import { queryText } from '../../src/store/sql-files.ts'
import { ANALYST_ATTACKS } from '../support/analyst-attacks.ts'
import { applyTestRoles, hasTimescale, needsTimescale, type TestDatabase, testDatabase } from '../support/database.ts'
import { linesOf } from '../support/lines.ts'
import { type PlainServer, SERVERS, untilBlockedByLock } from '../support/plain-server.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

const KEY = 'key_000000000000'
const ALERT = 'alr_0000000000000000'
const DENIED = /permission denied|must be owner/
/** Attacks that depend on who logged in, or that the embedded engine's transaction or build rules out. */
const NEEDS_A_LOGIN =
  /commit|set role|session authorization|set_config\('role'|reset|prepare transaction|pg_ls_logdir|promote/

for (const server of SERVERS) describe.runIf(server.isHere)(`the roles on ${server.kind}`, () => rolesOn(server))

function rolesOn({ start }: (typeof SERVERS)[number]): void {
  let server: PlainServer
  let owner: Database

  beforeAll(async () => {
    server = await start({ poolSize: 2 })
    owner = server.database
    await createQueueTables(server.superuserUrl)
    await applyRoles(owner.sql)
    await applyRoles(owner.sql)
    for (const role of ['analyst', 'energy_api', 'energy_worker', 'energy_monitor'])
      await setRolePassword(owner.sql, role, `${role}-password`)
    await storePrices(owner.sql, [zoneDay('nazionale', '2026-03-29', 60, () => 90)])
    await using worker = connectDatabase({ url: server.url('energy_worker', 'energy_worker-password'), poolSize: 1 })
    await refreshAggregates(worker.sql)
    await compressOldChunks(worker.sql, '2100-01-01')
    await owner.sql`
      insert into api_keys (id, sha256, hint, plan, owner, email, created_at)
      values (${KEY}, ${'a'.repeat(64)}, 'epk_', 'Pro', 'Example S.r.l.', 'holder@example.it', '2026-01-01')`
    await owner.sql`
      insert into webhooks (id, key_root, asset, condition, threshold, granularity, url, host, secret, created_at)
      values (${ALERT}, ${KEY}, 'pun', 'above', 50, 'day', 'https://example.it/hook', 'example.it:443', 'sealed', '2026-03-01')`
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  const sessions: { end(): Promise<void> }[] = []
  afterEach(() => Promise.all(sessions.splice(0).map((one) => one.end())))
  /** A session of the role until the end of the test. */
  const as = (role: string) => {
    const sql = postgres(server.url(role, `${role}-password`), { max: 1, onnotice: () => {}, fetch_types: false })
    sessions.push(sql)
    return sql
  }
  /** The same with the product's connection. */
  const asWorker = () => {
    const { sql, close } = connectDatabase({ url: server.url('energy_worker', 'energy_worker-password'), poolSize: 1 })
    sessions.push({ end: close })
    return sql
  }

  describe('analyst', () => {
    it('reads every view, with its own search path and in market time', async () => {
      const sql = as('analyst')
      const views = await sql`select table_name as name from information_schema.views where table_schema = 'analytics'`
      expect(views.length).toBeGreaterThanOrEqual(16)
      for (const { name } of views) await expect(sql`select * from ${sql(name)} limit 1`, name).resolves.toBeDefined()
      const hours = await sql`select price_eur_mwh, starts_at::text from prices_by_hour order by starts_at limit 1`
      expect(hours).toEqual([{ price_eur_mwh: 90, starts_at: '2026-03-29 00:00:00+01' }])
    })

    it('has no further privileges in the catalogue', async () => {
      expect(await listAnalystExcesses(owner.sql)).toEqual([])
    })

    it('has limits on time, memory, disk and connections', async () => {
      const [role] = await owner.sql`select rolconnlimit, rolconfig from pg_roles where rolname = 'analyst'`
      expect(role?.rolconnlimit).toBe(20)
      expect(role?.rolconfig).toEqual(
        expect.arrayContaining(['statement_timeout=60s', 'work_mem=32MB', 'temp_file_limit=2GB']),
      )
      const sql = as('analyst')
      await sql`set statement_timeout = '50ms'`
      await expect(sql`select count(*) from calendar_hours a, calendar_hours b`).rejects.toThrow(/statement timeout/)
      await expect(sql`set temp_file_limit = -1`).rejects.toThrow(/permission denied/)
    })

    it.each(ANALYST_ATTACKS)('cannot: $name', async ({ statements, refusal }) => {
      const sql = as('analyst')
      await sql`set default_transaction_read_only = off`
      await expect(sql.unsafe(statements).simple()).rejects.toThrow(refusal)
      expect(linesOf(await sql`select current_user, session_user`)).toEqual(['analyst analyst'])
    })
  })

  describe('energy_api', () => {
    it('reads prices and keys, and counts requests', async () => {
      const sql = as('energy_api')
      await sql`select * from price_intervals, api_keys, data_version, pgboss.job limit 1`
      await sql`select * from zone_prices_daily limit 1`
      await sql`insert into rate_limits values ('a test', 1, 1, true)`
      await sql`delete from rate_limits`
      const granted = await sql.unsafe(queryText('api_key_usage_change'), [`{${KEY}}`, '{2026-11-01}', '{3}', '{2}'])
      expect(granted).toMatchObject([{ keyId: KEY, granted: '2' }])
    })

    it('stores alerts and queues their deliveries', async () => {
      const sql = as('energy_api')
      expect([...(await sql`select api_key_root(${KEY}) as root`)]).toEqual([{ root: KEY }])
      await sql.begin(async (tx) => {
        await tx`update webhooks set status = 'active' where id = ${ALERT}`
        const [event] = await tx<{ id: string }[]>`
          insert into webhook_events (webhook_id, kind, triggered_at) values (${ALERT}, 'test', now()) returning id`
        await tx`
          insert into webhook_deliveries (event_id, webhook_id, created_at, next_attempt_at, give_up_at)
          values (${event?.id ?? ''}, ${ALERT}, now(), now(), now() + interval '1 day')`
        await tx`select from webhook_attempts, emails, forecasts, forecast_actuals, offer_index_days, offer_days limit 1`
      })
    })

    it('queues one planning job for a missing bulk file, however often it is requested', async () => {
      const url = server.url('energy_api', 'energy_api-password')
      await using database = connectDatabase({ url, poolSize: 1 })
      const stopping = new AbortController().signal
      const log = createLogger({ level: 'silent' })
      const options = { timeZone: 'Europe/Rome', hasHeartbeats: true, stopping, log }
      await using queue = await startQueue({ connectionString: url, ...options })
      const wake = () => queue.send(planExports, { missing: true })
      const store = folderStore(os.tmpdir())
      const exports = bulkExportService({ sql: database.sql, store, addresses: undefined, wake })
      const about = { now: Temporal.Now.instant(), baseUrl: new URL('https://energy.example') }
      for (let i = 0; i < 3; i++)
        await expect(exports.getFile('pun-hourly', 'parquet', about)).rejects.toMatchObject({ code: 'no_data' })
      const queued = await owner.sql`select data->'missing' as missing from pgboss.job where name = 'bulk.plan'`
      expect(queued).toEqual([{ missing: true }])
    })

    it('issues a Developer key on confirmation of an address', async () => {
      const sql = as('energy_api')
      await sql`select request_developer_key('ada@example.com', 'ada@example.com', 'a subject', 'a body', now() + interval '1 day', now())`
      await owner.sql`update key_requests set token_sha256 = ${'b'.repeat(64)}`
      const [row] = await sql`
        select confirm_developer_key(${'b'.repeat(64)}, 'key_111111111111', ${'c'.repeat(64)}, 'svc_', now()) as outcome`
      expect(row).toEqual({ outcome: 'issued' })
    })

    it.each([
      ['issue keys', `update api_keys set plan = 'Enterprise'`],
      ['write forecasts', 'delete from forecasts'],
      ['write offers', 'delete from offers'],
      ['write indices', 'update offer_index_days set offers = 5'],
      ['write messages', `update emails set recipient = 'a@example.it'`],
      ['ask for the address of a key', `select api_key_email_of_root('key_000000000000', now())`],
      ['write prices', 'delete from price_intervals'],
      ['change the schema', 'create table mine (i int)'],
      ['change the views', 'drop view analytics.zones'],
      ['sleep', 'select pg_sleep(1)'],
    ])('cannot %s', async (_, statement) => {
      const sql = as('energy_api')
      await expect(sql.unsafe(statement)).rejects.toThrow(DENIED)
    })
  })

  describe('energy_worker', () => {
    it('stores prices and increments the data version', async () => {
      const sql = asWorker()
      await storePrices(sql, [zoneDay('nord', '2026-10-25', 15, () => 80)])
      await sql`update data_version set version = version + 1`
      const [stored] = await owner.sql`select count(*)::int as n from analytics.prices_by_interval where zone = 'nord'`
      expect(stored).toEqual({ n: 100 })
    })

    it('reads the backlogs', async () => {
      const sql = asWorker()
      const backlogs = await readBacklogs(sql, Temporal.Instant.from('2026-10-25T13:00:00Z'))
      const [mails] = await owner.sql`select count(*)::int as "emailsWaiting" from emails where status = 'pending'`
      expect(backlogs).toMatchObject({ daysInQuarantine: 0, ...mails })
      expect(backlogs.databaseBytes).toBeGreaterThan(1_000_000)
    })

    it('issues and scores forecasts but cannot change them', async () => {
      const sql = as('energy_worker')
      const issued = await sql`
        select issue_forecasts('issued', 'TTF', '2026-03-28T10:00:00Z', '2026-03-27', repeat('0', 64),
          array['published'], array['naive'], array['1'], array['2026-03-30'::date], array[1.0::float8], array[2.0::float8], array[3.0::float8]) as n`
      expect([...issued]).toEqual([{ n: 1 }])
      await storePrices(owner.sql, [dailyPrice('TTF', '2026-03-30', 2.5)])
      expect([...(await sql`select score_forecasts('TTF', '2026-03-30T20:00:00Z') as n`)]).toEqual([{ n: 1 }])
      for (const statement of [
        'update forecasts set p50 = 2',
        'delete from forecasts',
        'truncate forecasts',
        'update forecast_actuals set actual = 2',
        'delete from forecast_actuals',
      ])
        await expect(sql.unsafe(statement), statement).rejects.toThrow(DENIED)
    })

    it('stores offer lists and computes their indices', async () => {
      const sql = asWorker()
      const at = Temporal.Instant.from('2026-02-01T01:00:00Z')
      const list = { kind: 'offer-day', dataset: 'free-power', day: Temporal.PlainDate.from('2026-02-01') } as const
      const excluded = [{ reason: 'zero_price' as const, offers: 2, examples: ['offer 1: 0 €/kWh'] }]
      await writeOfferDay(sql, {
        source: 'arera-offers',
        document: { sha256: '1'.repeat(64), address: 'a list', bytes: 1, fetchedAt: at },
        storedAt: at,
        item: { ...list, offers: [], excluded, faults: [] },
      })
      expect(await refreshOfferIndices(sql, at, new AbortController().signal)).toBe(1)
    })

    it('detects crossings, records attempts and sees only the mail address of a key holder', async () => {
      const sql = asWorker()
      const at = Temporal.Instant.from('2026-03-29T10:00:00Z')
      const days = await sql`
        select asset, fired::integer from detect_alert_crossings(${at.toString()}::timestamptz, ${at.toString()}::timestamptz) where asset = 'pun'`
      expect(days).toEqual([{ asset: 'pun', fired: 1 }])
      const [delivery] = await sql`
        select d.id from webhook_deliveries d join webhook_events e on e.id = d.event_id where d.webhook_id = ${ALERT} and e.kind = 'triggered'`
      await sql`
        select record_webhook_attempt(${delivery?.id}, ${at.toString()}::timestamptz, 5, 'gone', 410, null, null, 1, ${at.toString()}::timestamptz)`
      expect(await listUnnotifiedSuspensions(sql, at)).toMatchObject([{ id: ALERT, email: 'holder@example.it' }])
    })

    it.each([
      ['read keys', 'select * from api_keys'],
      ['read the addresses of keys', 'select email from api_keys'],
      ['follow keys to their first', `select api_key_root('key_000000000000')`],
      ['read what keys used', 'select * from api_key_usage'],
      ['declare keys changed', 'update key_version set version = 0'],
      ['change the schema', 'alter table daily_prices add column mine int'],
      ['create tables', 'create table mine (i int)'],
    ])('cannot %s', async (_, statement) => {
      const sql = as('energy_worker')
      await expect(sql.unsafe(statement)).rejects.toThrow(DENIED)
    })
  })

  describe('energy_monitor', () => {
    it('sees and cancels statements but cannot read the data', async () => {
      const sql = as('energy_monitor')
      const analyst = as('analyst')
      await analyst`select 1`
      const cancelled = await sql`
        select usename, pg_cancel_backend(pid) as sent from pg_stat_activity where usename = 'analyst' limit 1`
      expect([...cancelled]).toEqual([{ usename: 'analyst', sent: true }])
      await expect(sql`select * from analytics.zones`).rejects.toThrow(DENIED)
    })
  })

  it('can be applied while another session changes the same tables', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: hasChanged, resolve: changed } = Promise.withResolvers<void>()
    const changing = owner.sql.begin(async (tx) => {
      await tx`grant select on sources to energy_api`
      changed()
      await mayEnd
    })
    await hasChanged
    await using another = connectDatabase({ url: server.superuserUrl, poolSize: 1 })
    const applied = expect(applyRoles(another.sql)).resolves.toBeUndefined()
    await untilBlockedByLock(owner)
    end()
    await changing
    await applied
  })

  it('gain access to tables and views of later migrations', async () => {
    await owner.sql`create table of_a_later_migration as select 7 as i`
    await owner.sql`create view analytics.of_a_later_migration as select i from of_a_later_migration`
    for (const [role, table] of [
      ['analyst', 'analytics.of_a_later_migration'],
      ['energy_api', 'of_a_later_migration'],
    ] as const) {
      const sql = as(role)
      expect([...(await sql`select * from ${sql(table)}`)], role).toEqual([{ i: 7 }])
    }
  })
}

describe.runIf(hasTimescale)(needsTimescale('the roles on a database with hypertables'), () => {
  let db: TestDatabase
  beforeAll(async () => {
    db = await testDatabase()
    await applyTestRoles(db.database.sql)
    await applyTestRoles(db.database.sql)
    await storePrices(db.database.sql, [zoneDay('nazionale', '2026-03-29', 60, () => 90)])
  })
  afterAll(() => db.stop())

  /** Clients of the embedded engine share a session, so the role is set for a transaction only. */
  const inRole = (role: string, statements: string) =>
    db.database.sql.begin(async (tx) => {
      await tx.unsafe(`set local role ${role}`)
      return tx.unsafe(statements).simple()
    })

  it('give the analyst access to the views only', async () => {
    expect(await listAnalystExcesses(db.database.sql)).toEqual([])
    const views = ['prices_by_hour', 'prices_by_band_and_month', 'bands_by_month', 'price_index', 'daily_overview']
    for (const view of [...views, 'corrections', 'spreads_by_day'])
      await expect(inRole('analyst', `select * from analytics.${view}`), view).resolves.toBeDefined()
  })

  const withoutLogin = ANALYST_ATTACKS.filter(({ statements }) => !NEEDS_A_LOGIN.test(statements))
  it.each(withoutLogin)('do not let the analyst: $name', async ({ statements }) => {
    await expect(inRole('analyst', statements)).rejects.toThrow(/./)
  })

  it('let the worker refresh aggregates and compress old offers, and the API read the aggregates', async () => {
    const { sql } = db.database
    await sql`
      insert into offers (source, dataset, supplier, code, first_day, commodity, price_type, customer, bands, prices_eur_kwh, stated_prices,
                          stated_unit, notes, document_id, fetched_at)
      values ('a-source', 'free-power', '0123456789abcdef', 'an-offer', '2020-01-01', 'luce', 'fisso', 'domestico', 'single', '{0.1}', '{0.1}',
              '€/kWh', '{}', 1, '2020-01-01T12:00Z')`
    const session = await sql.reserve()
    await session`set role energy_worker`
    const zonePrices = ['hourly', 'daily', 'day_parts', 'yearly'].map((name) => `zone_prices_${name}`)
    for (const aggregate of [...zonePrices, 'fundamentals_hourly'])
      await session.unsafe(`call refresh_continuous_aggregate('${aggregate}', null, null)`)
    const [chunk] = await session`select show_chunks('offers') as name`
    expect(chunk).toBeDefined()
    await compressOldChunks(session, '2100-01-01')
    await session`analyze`
    await session`reset role`
    session.release()
    const rows = await inRole('energy_api', `select price_eur_mwh from zone_prices_daily`)
    expect([...rows]).toEqual([{ price_eur_mwh: 90 }])
    await expect(inRole('energy_worker', 'select * from api_keys')).rejects.toThrow(DENIED)
  })
})
