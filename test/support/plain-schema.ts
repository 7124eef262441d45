/**
 * The schema of sql/ on a PostgreSQL server without TimescaleDB, for what does not need it: hypertables are plain tables, never packed, continuous
 * aggregates plain views that are always up to date, and the two forms of time_bucket in use are functions of the same name.
 */
import type { Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'

const TIME_BUCKET = `
  create function time_bucket(width interval, instant timestamptz) returns timestamptz
  language sql immutable return date_bin(width, instant, timestamptz '2000-01-03 00:00Z');
  create function time_bucket(width interval, instant timestamptz, zone text) returns timestamptz
  language sql immutable return date_trunc(case width when interval '1 year' then 'year' when interval '1 month' then 'month' else 'day' end, instant, zone);
`

export async function migratePlain(database: Database): Promise<void> {
  await database.sql.unsafe(TIME_BUCKET).simple()
  await migrate(database, withoutTimescale)
}

function withoutTimescale(statements: string): string {
  return statements
    .replace(/create extension if not exists timescaledb;/g, '')
    .replace(/select create_hypertable\([\s\S]*?\);/g, '')
    .replace(/alter table \w+ set \(\s*timescaledb\.[^)]*\);/g, '')
    .replace(/create materialized view (\w+)\s+with \(timescaledb\.[^)]*\) as/g, 'create view $1 as')
    .replace(/with no data;/g, ';')
}
