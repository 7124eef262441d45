/** A database moved with all its data: from embedded to a server and back into another embedded one, and with the command as users run it. */

import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionStringFor, startEngine } from '../../src/platform/engine/engine.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { rotateApiKey } from '../../src/store/api-keys.ts'
import { connectDatabase, type Database, type Transaction } from '../../src/store/database.ts'
import { scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { migrate } from '../../src/store/migrate.ts'
import { FILLED_BY_MIGRATIONS, listMovableTables } from '../../src/store/move/movable-tables.ts'
import { digestTable, moveDatabase, setTextFormat } from '../../src/store/move/move-database.ts'
import { seedWebhook } from '../support/alerts.ts'
import { newApiKey, seedApiKey } from '../support/api-keys.ts'
import { copyPreparedDatabase, embeddedDatabase, type TestDatabase, testDatabase } from '../support/database.ts'
import { seedIssue } from '../support/forecasts.ts'
import { seedHours } from '../support/hourly-forecasts.ts'
import { migratePlain } from '../support/plain-schema.ts'
import { hasPostgres, needsPostgres, type Server, serverFolder, startNewServer } from '../support/postgres-cluster.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { commandOutcome, endProcess, startProduct } from '../support/product.ts'

const BYTES = Buffer.from([0, 1, 2, 39, 92, 255])
/** The change days, a correction, a negative price, a price without an exact decimal representation. */
const seed = async ({ sql }: Database): Promise<void> => {
  await storePrices(sql, [
    zoneDay('nazionale', '2026-03-29', 15, (quarter) => quarter / 3),
    zoneDay('nord', '2026-10-25', 60, (hour) => -hour),
    dailyPrice('PSV', '2026-03-29', 0.1 + 0.2),
  ])
  await storePrices(sql, [zoneDay('nazionale', '2026-03-29', 15, (quarter) => quarter / 7)])
  await refreshAggregates(sql)
  await seedIssue(sql, { asset: 'PSV', infoDate: '2026-03-29', issuedAt: '2026-03-29T16:00:00Z', days: 30 })
  await seedHours(sql, { zone: 'sud', infoDate: '2026-03-28', issuedAt: '2026-03-28T12:00:00Z' })
  await storePrices(sql, [dailyPrice('PSV', '2026-03-30', 41)])
  await scoreForecasts(sql, 'PSV', Temporal.Instant.from('2026-03-30T16:00:00Z'))
  // The rotated key sorts before the old one that it references, so that copying in key order would violate the foreign key.
  const old = await seedApiKey(sql, { id: 'key_zzzzzzzzzzzz', owner: `it's "quoted" \\ and €` })
  const next = newApiKey({ id: 'key_aaaaaaaaaaaa', rotatedFrom: old.id })
  await rotateApiKey(sql, old.id, Temporal.Instant.from('2026-12-01T00:00:00Z'), next.record)
  await seedWebhook(sql, old.id, { id: 'alr_0000000000000000', delivery: 'dlv_1' })
  await sql`
    insert into forecast_artefacts
      (asset, model, version, trained_at, data_from, data_to, synthetic, backend, code_version, metrics, sha256, content)
    values ('PUN', 'net', '1', now(), '2026-01-01', '2026-03-29', false, 'wasm', '1.0.0', '{"mae": 1.5}', ${'0'.repeat(64)}, ${BYTES})`
}

async function contentsOf({ sql }: Database): Promise<Record<string, unknown>> {
  return sql.begin(async (tx: Transaction) => {
    await setTextFormat(tx)
    const digests: [string, unknown][] = []
    for (const table of await listMovableTables(tx)) digests.push([table.name, await digestTable(tx, table)])
    return Object.fromEntries(digests)
  })
}

const daily = ({ sql }: Database) =>
  sql`select zone, market_day, price_eur_mwh, minutes from zone_prices_daily order by zone, market_day`

describe('the tables of a move', () => {
  let db: TestDatabase
  beforeAll(async () => {
    db = await testDatabase()
  })
  afterAll(() => db.stop())

  it('are listed after the tables they reference', async () => {
    const tables = await listMovableTables(db.database.sql)
    const names = tables.map(({ name }) => name)
    for (const { name, references } of tables)
      for (const other of references)
        expect(names.indexOf(other), `${name} → ${other}`).toBeLessThanOrEqual(names.indexOf(name))
    expect(names).toContain('forecasts')
    expect(names).not.toContain('rate_limits')
  })

  it('are empty in a new database, except those that migrations fill', async () => {
    const contents = (await contentsOf(db.database)) as Record<string, { rows: number }>
    const filled = Object.keys(contents).filter((name) => contents[name]?.rows !== 0)
    expect(filled.sort()).toEqual(FILLED_BY_MIGRATIONS)
  })
})

describe.skipIf(!hasPostgres)(needsPostgres('a move to a server and back'), () => {
  const stack = new AsyncDisposableStack()
  const plain = { prepare: migratePlain, refresh: async () => {} }
  let embedded: TestDatabase
  let cluster: Server
  let server: Database
  beforeAll(async () => {
    embedded = await testDatabase(embeddedDatabase())
    stack.defer(() => embedded.stop())
    await seed(embedded.database)
    cluster = await startNewServer(stack.use(await serverFolder()))
    stack.use(cluster)
    server = stack.use(connectDatabase({ url: cluster.superuserUrl, poolSize: 2 }))
  })
  afterAll(() => stack.disposeAsync())

  it('writes nothing if a value would change in the copy', async () => {
    const prepare = async (target: Database) => {
      await migratePlain(target)
      await target.sql.unsafe(`
        create function bend() returns trigger language plpgsql as 'begin new.price := new.price + 1e-9; return new; end';
        create trigger bend before insert on daily_prices for each row execute function bend()`)
    }
    const move = moveDatabase({ source: embedded.database, target: server, ...plain, prepare })
    await expect(move).rejects.toThrow('daily_prices arrived changed: 2 rows')
    expect((await server.sql`select count(*) as count from assets`)[0]).toEqual({ count: 5 })
    expect((await server.sql`select count(*) as count from alert_days`)[0]).toEqual({ count: 0 })
    await server.sql.unsafe(
      'drop trigger bend on daily_prices; drop function bend; drop schema public cascade; create schema public',
    )
  })

  it.each(['forecasts', 'hourly_forecasts'])('writes nothing if a row of %s was tampered with', async (ledger) => {
    const { sql } = embedded.database
    const reverseHash = () =>
      sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica` // as a superuser could
        await tx`update ${tx(ledger)} set inputs_sha256 = reverse(inputs_sha256) where sequence = 1`
      })
    await reverseHash()
    const move = moveDatabase({ source: embedded.database, target: server, ...plain })
    await expect(move).rejects.toThrow(/the ledger is damaged: .* row 1:/)
    expect((await server.sql`select count(*) as count from alert_days`)[0]).toEqual({ count: 0 })
    await server.sql.unsafe('drop schema public cascade; create schema public')
    await reverseHash()
  })

  it('copies every row, to the last bit, and sequences continue', async () => {
    const moved = await moveDatabase({ source: embedded.database, target: server, ...plain })
    const contents = await contentsOf(embedded.database)
    expect(await contentsOf(server)).toEqual(contents)
    expect(moved).toHaveLength(Object.keys(contents).length)
    for (const name of [
      'price_intervals',
      'price_interval_revisions',
      'forecasts',
      'hourly_forecasts',
      'forecast_actuals',
      'api_keys',
      'webhooks',
    ])
      expect(moved.find((table) => table.name === name)?.rows, name).toBeGreaterThan(0)
    expect((await server.sql`select content from forecast_artefacts`)[0]?.content).toEqual(BYTES)
    const [document] = await server.sql`
      insert into documents (sha256, source, address, bytes, fetched_at)
      values (${'f'.repeat(64)}, 'gme-mgp', 'next', 1, now()) returning id, (select count(*) from documents) as before`
    expect(document).toEqual({ id: 4, before: 3 })
    await server.sql`delete from documents where address = 'next'`
  })

  it('restores an embedded database with the same rows and daily prices', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-moved-'))
    stack.defer(() => rm(dataDir, { recursive: true, force: true }))
    await using engine = await startEngine({ dataDir: path.join(dataDir, 'engine') })
    await using target = connectDatabase({ url: connectionStringFor(engine.address), poolSize: 2 })
    await moveDatabase({ source: server, target })
    // The aggregates' refresh is a separate change, which makes the data visible to readers.
    const { data_version: _, change_log: __, ...contents } = await contentsOf(target)
    expect(await contentsOf(embedded.database)).toMatchObject(contents)
    const head = ({ sql }: Database) => sql`select log_id, position from change_log`
    expect(await head(target)).toEqual(await head(embedded.database))
    expect(await daily(target)).toEqual(await daily(embedded.database))
    expect(await daily(target)).toHaveLength(2)
  })

  it('is refused if the target has rows, or while a service uses either database', async () => {
    const into = (target: Database) => moveDatabase({ source: embedded.database, target, ...plain })
    await expect(into(server)).rejects.toThrow(
      /^The target is not empty: there are rows in .*api_keys.*Nothing was changed\.$/,
    )
    await using service = connectDatabase({ url: cluster.superuserUrl, poolSize: 1 })
    await service.sql`select 1`
    await expect(into(server)).rejects.toThrow('The target is in use: stop the service')
    const from = moveDatabase({ source: server, target: embedded.database })
    await expect(from).rejects.toThrow('The source is in use: stop the service')
  })
})

describe('npm run move', () => {
  const folders: { remove(): Promise<void> }[] = []
  afterAll(() => Promise.all(folders.map(({ remove }) => remove())))

  const copy = async () => {
    const made = await copyPreparedDatabase()
    folders.push(made)
    return made.dataDir
  }
  const move = (...args: string[]) => commandOutcome({}, 'move.ts', ...args)

  it('moves a data folder into a new one, and prints the rows moved and the next step', async () => {
    const [from, to] = [await copy(), await mkdtemp(path.join(os.tmpdir(), 'energy-prices-moved-'))]
    folders.push({ remove: () => rm(to, { recursive: true, force: true }) })
    const { code, stdout, stderr } = await move('--from', from, '--to', to)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^holidays: 11 rows, digest -?\d+$/m)
    expect(stdout).toMatch(/^everything is in the target; its aggregates are made now, .*\nmoved \d+ rows of /m)
    expect(stdout).toContain(`start the service with DATA_DIR=${to}`)
    await using engine = await startEngine({ dataDir: path.join(to, 'engine') })
    await using database = connectDatabase({ url: connectionStringFor(engine.address) })
    expect(await migrate(database)).toEqual({ applied: [], objectsApplied: false })
  })

  it('moves a database of unknown migrations if its tables have the same columns', async () => {
    const [from, to] = [await copy(), await mkdtemp(path.join(os.tmpdir(), 'energy-prices-moved-'))]
    folders.push({ remove: () => rm(to, { recursive: true, force: true }) })
    const change = async (statements: string) => {
      await using engine = await startEngine({ dataDir: path.join(from, 'engine') })
      await using database = connectDatabase({ url: connectionStringFor(engine.address) })
      await database.sql.unsafe(statements).simple()
      await expect(migrate(database)).rejects.toThrow(
        /^The database has migrations that sql\/ does not have: 0001-as-it-was\./,
      )
    }
    await change(`
      update kysely_migration set name = '0001-as-it-was' where name like '0001-%';
      alter table webhook_deliveries drop column request_id;
      update applied_objects set sha256 = 'of others';
      insert into forecast_promotions (asset, synthetic, model, decided_at, reason, metrics)
      values ('PUN', true, 'base', now(), 'of sample data', '{}')`)
    const refused = await move('--from', from, '--to', to)
    expect(refused).toMatchObject({
      code: 2,
      stderr: 'The table webhook_deliveries has other columns in the target.\n',
    })
    await change('alter table webhook_deliveries add column request_id text')
    const { code, stdout, stderr } = await move('--from', from, '--to', to)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^forecast_promotions: 1 row,/m)
  })

  it('refuses a database that a service runs on', async () => {
    const from = await copy()
    const product = await startProduct({ dataDir: from, env: { SAMPLE_DATA: 'off' } })
    const { code, stderr } = await move('--from', from, '--to', `${from}-new`)
    await endProcess(product.process, 'SIGTERM')
    expect(code).toBe(2)
    expect(stderr).toContain('in use')
  })

  it.each([
    [['--to'], /--to.*\nusage:/],
    [['--to', 'postgre://u:secret@db.example/x'], /^An address with a scheme must start with postgres:\/\/\.$/m],
    [['--from', '/nowhere/at/all', '--to', '/tmp/x'], /^There is no embedded database in \/nowhere\/at\/all\.$/m],
  ])('refuses %j with the reason and exit code 2', async (args, message) => {
    const { code, stderr } = await move(...(args as string[]))
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
  })

  it('refuses to move a folder into itself', async () => {
    const from = await copy()
    const { code, stderr } = await move('--from', from, '--to', path.join(from, '.'))
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Source and target are the same database.\n' })
  })
})
