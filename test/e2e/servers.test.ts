/**
 * Our own parts of compose.yaml on temporary PostgreSQL servers: login rules, replica, roles, API and worker
 * in those roles, the statement time-out of analysts, backup and restore. Only TimescaleDB and the containers themselves are missing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { SQL_FOLDER } from '../../src/store/sql-files.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { configContent } from '../support/compose.ts'
import { productEnvironment } from '../support/environment.ts'
import { freePort } from '../support/free-port.ts'
import { migratePlain } from '../support/plain-schema.ts'
import {
  expectSuccess,
  hasPostgres,
  makeFolder,
  needsPostgres,
  type Server,
  type ServerFolder,
  SUPERUSER_PASSWORD,
  serverFolder,
  startNewServer,
  startServer,
  untilReady,
} from '../support/postgres-cluster.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { endProcess, type Product, runCommand, startProduct } from '../support/product.ts'

const SCRIPTS = path.join(SQL_FOLDER, 'server')
const PASSWORDS = {
  analyst: 'pw-analyst',
  energy_api: 'pw-api',
  energy_worker: 'pw-worker',
  energy_monitor: 'pw-monitor',
}

describe.skipIf(!hasPostgres)(needsPostgres('the servers of compose.yaml'), () => {
  let home: ServerFolder
  let primary: Server
  let owner: Database
  let replicaPort: number
  let secret: Record<'replicator' | 'monitor' | 'certificate' | 'key', string>
  const running: ChildProcess[] = []

  beforeAll(async () => {
    home = await serverFolder()
    await makeFolder(path.join(home.folder, 'tmp'))
    await expectSuccess(
      home.run('openssl', [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
        ...['-keyout', path.join(home.folder, 'key.pem'), '-out', path.join(home.folder, 'certificate.pem')],
      ]),
    )
    secret = {
      replicator: await home.write('replicator', 'pw-replicator\n'),
      monitor: await home.write('monitor', `${PASSWORDS.energy_monitor}\n`),
      certificate: path.join(home.folder, 'certificate.pem'),
      key: path.join(home.folder, 'key.pem'),
    }
    primary = await startNewServer(home, {
      settings: {
        hba_file: await home.write('primary_hba.conf', `${configContent('primary_hba')}local all all trust\n`),
        wal_level: 'replica',
        max_slot_wal_keep_size: '1GB',
      },
    })
    await expectSuccess(
      script('primary-init.sh', {
        PGHOST: home.folder,
        PGPORT: String(primary.port),
        REPLICATOR_PASSWORD_FILE: secret.replicator,
      }),
    )
    owner = connectDatabase({ url: primary.superuserUrl, poolSize: 2 })
    await migrateAll()
    await startReplica()
  })

  afterAll(async () => {
    for (const child of running) await endProcess(child, 'SIGINT')
    await owner?.close()
    await primary?.stop()
    await home?.[Symbol.asyncDispose]()
  })

  const script = (name: string, env: Record<string, string>, ...parameters: string[]) =>
    home.run('sh', [path.join(SCRIPTS, name), ...parameters], { TMPDIR: path.join(home.folder, 'tmp'), ...env })

  /** Stands for the container "migrate": creates the schema as far as this server supports it, then runs the unchanged command. */
  async function migrateAll(): Promise<void> {
    const { createQueueTables } = await import('../../src/platform/queue/queue.ts')
    await createQueueTables(primary.superuserUrl)
    await migratePlain(owner)
    const env = {
      DATABASE_URL: `postgres://postgres@127.0.0.1:${primary.port}/energy`,
      DATABASE_PASSWORD_FILE: await home.write('superuser', SUPERUSER_PASSWORD),
      ANALYST_DATABASE_PASSWORD: PASSWORDS.analyst,
      API_DATABASE_PASSWORD: PASSWORDS.energy_api,
      WORKER_DATABASE_PASSWORD: PASSWORDS.energy_worker,
      MONITOR_DATABASE_PASSWORD_FILE: secret.monitor,
    }
    expect(await runCommand(env, 'roles.ts')).toMatch(/set the password of analyst/)
    await storePrices(owner.sql, [zoneDay('nazionale', '2026-03-29', 60, () => 90)])
  }

  async function startReplica(): Promise<void> {
    replicaPort = await freePort()
    const hba = await home.write('replica_hba.conf', configContent('replica_hba'))
    const settings = [
      `hba_file=${hba}`,
      `port=${replicaPort}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${home.folder}`,
    ]
    const child = home.start(
      'sh',
      [path.join(SCRIPTS, 'replica.sh'), ...settings.flatMap((setting) => ['-c', setting])],
      {
        TMPDIR: path.join(home.folder, 'tmp'),
        PGDATA: await makeFolder(path.join(home.folder, 'replica')),
        BACKEND_MEMORY_MB: '700',
        PRIMARY_HOST: '127.0.0.1',
        PRIMARY_PORT: String(primary.port),
        REPLICATOR_PASSWORD_FILE: secret.replicator,
        TLS_CERTIFICATE_FILE: secret.certificate,
        TLS_KEY_FILE: secret.key,
      },
    )
    running.push(child)
    await untilReady(home, child, replicaPort)
  }

  const analyst = (port = replicaPort, ssl: 'require' | false = 'require') =>
    postgres({
      host: '127.0.0.1',
      port,
      database: 'energy',
      username: 'analyst',
      password: PASSWORDS.analyst,
      ssl,
      max: 1,
      fetch_types: false,
      onnotice: () => {},
    })

  it('let analysts read the replica, which follows the primary', async () => {
    const sql = analyst()
    expect([
      ...(await sql`select pg_is_in_recovery() as is_replica, count(*)::int as hours from prices_by_hour`),
    ]).toEqual([{ is_replica: true, hours: 23 }])
    await storePrices(owner.sql, [zoneDay('nazionale', '2026-10-25', 60, () => 80)])
    await expect.poll(async () => (await sql`select count(*)::int as n from prices_by_hour`)[0]?.n).toBe(48)
    await sql.end()
  })

  it('refuse analysts at the primary, and without encryption at the replica', async () => {
    await expect(analyst(primary.port, false)`select 1`).rejects.toThrow(/pg_hba.conf rejects/)
    await expect(analyst(replicaPort, false)`select 1`).rejects.toThrow(/no pg_hba.conf entry/)
  })

  it('refuse writes on the replica, whatever settings an analyst changes', async () => {
    const sql = analyst()
    await expect(
      sql.unsafe(`set default_transaction_read_only = off; alter role analyst set statement_timeout = 0`).simple(),
    ).rejects.toThrow(/read-only|recovery/)
    await expect(sql.unsafe(`alter role analyst password 'mine'`).simple()).rejects.toThrow(/read-only|recovery/)
    await expect(sql.unsafe('notify anybody').simple()).rejects.toThrow(/recovery/)
    await sql.end()
  })

  it('refuse an analyst a value beyond the memory limit of a session, and keep serving', async () => {
    const sql = analyst()
    await expect(sql`select length(format('%900000000s', 'x'))`).rejects.toThrow(/out of memory/)
    expect([...(await sql`select count(*)::int as hours from prices_by_hour`)]).toEqual([{ hours: 48 }])
    await sql.end()
  })

  it('terminate the session of an analyst who disabled the statement timeout', async () => {
    const sql = analyst()
    const endless = sql
      .unsafe('set statement_timeout = 0; select count(*) from calendar_hours a, calendar_hours b, calendar_hours c')
      .simple()
    const ended = expect(endless).rejects.toThrow(/terminating connection|CONNECTION_CLOSED/)
    await expect
      .poll(
        async () =>
          (
            await expectSuccess(
              script('watch-analysts.sh', {
                ...{ PGHOST: '127.0.0.1', PGPORT: String(replicaPort), PGUSER: 'energy_monitor', PGDATABASE: 'energy' },
                ...{ PGPASSWORD_FILE: secret.monitor, SECONDS_MAX: '1', ONCE: '1' },
              }),
            )
          ).stdout,
      )
      .toMatch(/ended a session of analyst/)
    await ended
    await sql.end({ timeout: 0 })
  })

  describe('with the API and the worker in their roles', () => {
    let api: Product
    let worker: ChildProcess
    let key: string

    beforeAll(async () => {
      key = (await seedApiKey(owner.sql, { plan: 'Trading' })).key
      const shared = { NODE_ENV: 'production', MIGRATIONS: 'check', SAMPLE_DATA: 'off' }
      const main = path.join(import.meta.dirname, '../../src/main.ts')
      worker = spawn(process.execPath, [main], {
        env: productEnvironment({
          ...shared,
          ROLE: 'worker',
          DATABASE_URL: primary.url('energy_worker', PASSWORDS.energy_worker),
        }),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running.push(worker)
      api = await startProduct({
        dataDir: home.folder,
        env: {
          ...shared,
          ROLE: 'api',
          DATABASE_URL: primary.url('energy_api', PASSWORDS.energy_api),
          READ_DATABASE_URL: `postgres://energy_api:${PASSWORDS.energy_api}@127.0.0.1:${replicaPort}/energy`,
          ANALYST_DATABASE_URL: `postgres://analyst@127.0.0.1:${replicaPort}/energy?sslmode=require`,
          ANALYST_DATABASE_PASSWORD: PASSWORDS.analyst,
          LIMITS_STORE: 'postgres',
        },
      })
      running.push(api.process)
    })

    const post = (sql: string) =>
      fetch(new URL('/v1/sql', api.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ sql }),
      })

    it('answer prices from the replica, and count requests on the primary', async () => {
      const answer = await fetch(new URL('/v1/prices/pun/series?from=2026-03-01&to=2026-10-31', api.url), {
        headers: { authorization: `Bearer ${key}` },
      })
      expect(answer.status, api.output()).toBe(200)
      const { points } = (await answer.json()) as { points: unknown[] }
      expect(points).toHaveLength(2)
      const [counted] = await owner.sql`select count(*)::int as n from rate_limits`
      expect(counted?.n).toBeGreaterThan(0)
    })

    it("run an analyst's query on the replica, encrypted", async () => {
      const answer = await post('select pg_catalog.count(*) as hours from prices_by_hour')
      expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({
        status: 200,
        rows: [{ hours: 48 }],
      })
    })

    it('interrupt a query after five seconds, and refuse a result that is too large', async () => {
      const slow = await post('select count(*) from calendar_hours a, calendar_hours b')
      expect({ status: slow.status, ...((await slow.json()) as object) }).toMatchObject({
        status: 400,
        message: expect.stringContaining('longer than 5 seconds'),
      })
      const large = await post(`select format('%900s', n) from generate_series(1, 10000) n`)
      expect({ status: large.status, ...((await large.json()) as object) }).toMatchObject({
        status: 400,
        message: expect.stringContaining('8 MiB'),
      })
      expect((await fetch(new URL('/readyz', api.url))).status).toBe(200)
    })

    it('run jobs in the role of the worker', async () => {
      expect(worker.exitCode).toBeNull()
      await expect
        .poll(
          async () =>
            (
              await owner.sql`select count(*)::int as n from pgboss.job where name = 'sample.publish' and state = 'completed'`
            )[0]?.n,
        )
        .toBeGreaterThan(0)
    })
  })

  it('are restored from a backup with the same number of rows', async () => {
    const backups = await makeFolder(path.join(home.folder, 'backups'))
    const env = {
      PGHOST: '127.0.0.1',
      PGPORT: String(primary.port),
      PGPASSWORD_FILE: secret.replicator,
      BACKUP_DIR: backups,
      KEEP: '1',
      ONCE: '1',
    }
    await expectSuccess(script('backup.sh', env))
    const [first] = globSync('*', { cwd: backups })
    await expect
      .poll(async () => (await expectSuccess(script('backup.sh', env))) && globSync('*', { cwd: backups }))
      .not.toEqual([first])
    const files = globSync('*', { cwd: backups })
    expect(files).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z\.tar\.gz$/)])

    const folder = path.join(home.folder, 'restored')
    await expectSuccess(script('restore.sh', {}, path.join(backups, files[0] ?? ''), folder))
    expect((await script('restore.sh', {}, path.join(backups, files[0] ?? ''), folder)).stderr).toMatch(/is not empty/)
    await using restored = await startServer(home, folder, { hba_file: path.join(home.folder, 'primary_hba.conf') })
    const sql = connectDatabase({ url: restored.superuserUrl, poolSize: 1 })
    for (const table of ['analytics.prices_by_interval', 'api_keys', 'price_interval_revisions'] as const)
      expect([...(await sql.sql.unsafe(`select count(*)::int as n from ${table}`))], table).toEqual([
        ...(await owner.sql.unsafe(`select count(*)::int as n from ${table}`)),
      ])
    await sql.close()
  })
})
