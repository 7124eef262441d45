/** The file of a mirror, and its digest, which that of the database must equal. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { Sql } from '../../src/store/database.ts'

/** Reads while another process writes to it. */
export function openMirror(file: string): DatabaseSync {
  const copy = new DatabaseSync(file, { timeout: 10_000 })
  copy.exec(`
    pragma journal_mode = wal;
    create table if not exists prices (dataset text, day text, item text, price real, primary key (dataset, day, item)) without rowid;
    create table if not exists cursor (id integer primary key, value text);
    insert or ignore into cursor values (1, '')`)
  return copy
}

export function cursorOfMirror(file: string): string {
  using copy = openMirror(file)
  return String(copy.prepare('select value from cursor').get()?.value)
}

export function digestOfMirror(file: string): string {
  using copy = openMirror(file)
  const rows = copy.prepare('select dataset, item, day, price from prices').all()
  return digestOf(rows.map(({ dataset, day, item, price }) => lineOf(`${dataset} ${day} ${item}`, Number(price))))
}

/** From the stored intervals and days themselves: hours of the PUN, means of the zones' days, prices of the PSV. */
export async function digestOfDatabase(sql: Sql): Promise<string> {
  const hours = await sql<{ day: string; at: Temporal.Instant; price: number }[]>`
    select market_day::text as day, date_trunc('hour', starts_at, 'UTC') as at, avg(price_eur_mwh) as price
    from price_intervals where zone = 'nazionale' group by 1, 2`
  const zones = await sql<{ day: string; zone: string; price: number }[]>`
    select market_day::text as day, zone, avg(price_eur_mwh) as price
    from price_intervals where zone <> 'nazionale' group by 1, 2`
  const psv = await sql<{ day: string; price: number }[]>`
    select market_day::text as day, price from daily_prices where asset = 'PSV'`
  return digestOf([
    ...hours.map(({ day, at, price }) => lineOf(`pun ${day} ${at}`, price)),
    ...zones.map(({ day, zone, price }) => lineOf(`zones ${day} ${zone}`, price)),
    ...psv.map(({ day, price }) => lineOf(`psv ${day} ${day}`, price)),
  ])
}

const lineOf = (what: string, price: number) => `${what} ${price.toFixed(4)}`

const digestOf = (lines: string[]) =>
  `${lines.length} ${createHash('sha256').update(lines.sort().join('\n')).digest('hex')}`
