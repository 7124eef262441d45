/**
 * A process that runs an engine on the given folder and works on it until it is killed: rows from several clients, prices in chunks of a
 * hypertable, tables created, filled and dropped, checkpoints. It prints each number once its commit is acknowledged.
 */
import { connectionStringFor, startEngine } from '../../../src/platform/engine/engine.ts'
import { connectSql } from '../../../src/store/connect-sql.ts'
import { rowsOfTable } from './made-tables.ts'

const [dataDir] = process.argv.slice(2)
if (dataDir === undefined) throw new Error('usage: workload.ts <dataDir>')

const engine = await startEngine({ dataDir })
const sql = connectSql(connectionStringFor(engine.address), { poolSize: 6 })
await sql.unsafe(`
  create table if not exists entries (client int, number int, note text not null, primary key (client, number));
  create table if not exists counters (client int primary key, number int not null);
  create table if not exists prices (starts_at timestamptz primary key, price float8 not null);
  select create_hypertable('prices', 'starts_at', chunk_time_interval => interval '7 days', if_not_exists => true);
  create table if not exists tables_made (number int primary key);
`)
const work = Promise.all([...[1, 2, 3].map(insertEntries), insertPrices(), makeTables()])
// The client's error says less than the engine's.
await work.catch(async (error) => {
  throw await Promise.race([engine.crashed, engine.stop().then(() => error)])
})

function acknowledge(what: string, number: number): void {
  process.stdout.write(`${what} ${number}\n`)
}

/** Inserts one row alone, then three in a transaction, and so on. */
async function insertEntries(client: number): Promise<void> {
  const [last] = await sql`select coalesce(max(number), 0)::int as number from entries where client = ${client}`
  for (let number = Number(last?.number) + 1; ; number += 4) {
    await sql`insert into entries values (${client}, ${number}, ${'x'.repeat(number % 400)})`
    acknowledge(`entries/${client}`, number)
    await sql.begin(async (own) => {
      for (let i = 1; i <= 3; i++) await own`insert into entries values (${client}, ${number + i}, 'one of three')`
      await own`insert into counters values (${client}, ${number + 3}) on conflict (client) do update set number = excluded.number`
    })
    acknowledge(`entries/${client}`, number + 3)
    acknowledge(`counters/${client}`, number + 3)
  }
}

async function insertPrices(): Promise<void> {
  const [last] = await sql`select count(*)::int as number from prices`
  for (let number = Number(last?.number) + 24; ; number += 24) {
    await sql`
      insert into prices select '2026-01-01'::timestamptz + hour * interval '1 hour', hour
      from generate_series(${number - 23}::int, ${number}::int) hour`
    acknowledge('prices', number)
  }
}

async function makeTables(): Promise<void> {
  const [last] = await sql`select coalesce(max(number), 0)::int as number from tables_made`
  for (let number = Number(last?.number) + 1; ; number++) {
    await sql.begin(async (own) => {
      await own.unsafe(
        `create table made_${number} as select g as id, repeat('y', 500) as note from generate_series(1, ${rowsOfTable(number)}) g`,
      )
      await own.unsafe(`create table empty_${number} (id int primary key)`)
      await own`insert into tables_made values (${number})`
      if (number > 2) await own.unsafe(`drop table made_${number - 2}, empty_${number - 2}`)
    })
    acknowledge('tables', number)
    if (number % 2 === 0) await sql`checkpoint`
    if (number % 5 === 0) await sql`vacuum entries`
  }
}
