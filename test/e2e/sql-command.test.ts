import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionStringFor, type Engine, startEngine } from '../../src/platform/engine/engine.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { connectDatabase, type Database } from '../../src/store/database.ts'
import { compressOldChunks } from '../../src/store/maintenance.ts'
import { copyPreparedDatabase } from '../support/database.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { startCommand } from '../support/product.ts'

let copy: Awaited<ReturnType<typeof copyPreparedDatabase>>
let engine: Engine
let database: Database
beforeAll(async () => {
  copy = await copyPreparedDatabase()
  engine = await startEngine({ dataDir: path.join(copy.dataDir, 'engine') })
  database = connectDatabase({ url: connectionStringFor(engine.address), poolSize: 2 })
  await storePrices(database.sql, [zoneDay('nazionale', '2026-03-29', 60, () => 90)])
  await compressOldChunks(database.sql, '2100-01-01')
  await refreshAggregates(database.sql)
})
afterAll(async () => {
  await database.close()
  await engine.stop()
  await copy.remove()
})

/** Returns the output of the command; without psql in its PATH it uses its own prompt. */
async function runQuery(input: string, ...parameters: string[]) {
  const { ended } = startCommand({ DATA_DIR: copy.dataDir, PATH: '/nowhere' }, 'sql.ts', parameters, input)
  const { code, stdout, stderr } = await ended
  return { code, output: stdout + stderr }
}

describe('npm run sql', () => {
  it('reads the views beside a running service, and nothing else', async () => {
    const { code, output } = await runQuery('select count(*),\n max(price_eur_mwh) from prices_by_interval;\n')
    expect(output).toContain('23\t90')
    expect(code).toBe(0)
    const refused = await runQuery('select * from public.api_keys;\n')
    expect(refused.output).toContain('ERROR: permission denied for schema public')
    expect(refused.code).toBe(1)
  })

  it('runs the statement of -c, and refuses other parameters without psql', async () => {
    const [counted, failed, refused] = await Promise.all([
      runQuery('', '-c', 'select count(*) from prices_by_interval'),
      runQuery('', '-c', 'select nothing'),
      runQuery('', '--file', 'x.sql'),
    ])
    expect(counted).toEqual({ code: 0, output: 'count\n23\n(1 row)\n' })
    expect(failed).toEqual({ code: 1, output: 'ERROR: column "nothing" does not exist\n' })
    expect(refused).toEqual({ code: 2, output: expect.stringContaining("Unknown option '--file'") })
  })

  it('remains logged in as analyst, whatever a statement resets', async () => {
    const { output } = await runQuery(`
      reset role; reset session authorization; reset all;
      set session authorization postgres;
      select session_user || ' ' || current_user as who;
      select rolname from pg_authid;
      select * from public.api_keys;
      insert into analytics.zones values ('x');
      load 'timescaledb';
      set default_transaction_read_only = off;
      create table analytics.mine (i int);
`)
    expect(output).toContain('analyst analyst')
    expect(output.match(/ERROR: .*/g)).toEqual([
      expect.stringContaining('permission denied to set session authorization'),
      expect.stringContaining('permission denied for table pg_authid'),
      expect.stringContaining('permission denied for schema public'),
      expect.stringContaining('permission denied for view zones'),
      expect.stringContaining('access to library "timescaledb" is not allowed'),
      expect.stringContaining('permission denied for schema analytics'),
    ])
  })

  it('leaves the database and its service as they were', async () => {
    const [role] = await database.sql`select to_regrole('analyst') as role`
    expect(role?.role).toBeNull()
    await storePrices(database.sql, [zoneDay('nazionale', '2026-10-25', 60, () => 80)])
    const [stored] = await database.sql`select count(*)::int as n from price_intervals`
    expect(stored).toEqual({ n: 48 })
  })

  it('reads the current data, also without a service', async () => {
    await refreshAggregates(database.sql)
    await database.close()
    await engine.stop()
    expect((await runQuery('select count(*) from prices_by_hour;\n')).output).toContain('48')
  })
})
