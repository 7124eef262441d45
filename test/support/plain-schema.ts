/**
 * The schema of sql/ on a PostgreSQL server without TimescaleDB, for tests that do not need it. Hypertables become plain tables without
 * chunks or compression; continuous aggregates become plain views, always up to date, so that a refresh is a no-op; the two
 * forms of time_bucket in use become functions of that name.
 */
import type { Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'

const FUNCTIONS = `
  create function time_bucket(width interval, instant timestamptz) returns timestamptz
  language sql immutable return date_bin(width, instant, timestamptz '2000-01-03 00:00Z');
  create function time_bucket(width interval, instant timestamptz, zone text) returns timestamptz
  language sql immutable return date_trunc(case width when interval '1 year' then 'year' when interval '1 month' then 'month' else 'day' end, instant, zone);
  -- Its commit fails inside a transaction, as a refresh does.
  create procedure refresh_continuous_aggregate(aggregate regclass, window_start timestamptz, window_end timestamptz)
  language plpgsql as 'begin commit; end';
  create function show_chunks(hypertable regclass, older_than anyelement) returns setof regclass
  language sql stable as 'select null::regclass where false';
  create function compress_chunk(chunk regclass, if_not_compressed boolean) returns regclass
  language sql immutable return chunk;
  create schema if not exists timescaledb_information;
  create or replace view timescaledb_information.continuous_aggregates as
  select null::name as view_schema, null::name as view_name, null::text as view_definition, null::boolean as materialized_only,
         null::name as materialization_hypertable_schema, null::name as materialization_hypertable_name
  where false;
  create or replace view timescaledb_information.dimensions as
  select null::name as hypertable_schema, null::name as hypertable_name, null::name as column_name, null::interval as time_interval
  where false;
`

export async function migratePlain(database: Database): Promise<void> {
  await database.sql.unsafe(FUNCTIONS).simple()
  await migrate(database, withoutTimescale)
}

function withoutTimescale(statements: string): string {
  return statements
    .replace(/create extension if not exists timescaledb;/g, '')
    .replace(/select (?:create_hypertable|set_chunk_time_interval)\([\s\S]*?\);/g, '')
    .replace(/alter table \w+ set \(\s*timescaledb\.[^)]*\);/g, '')
    .replace(/create materialized view (\w+)\s+with \(timescaledb\.[^)]*\) as/g, 'create view $1 as')
    .replace(/with no data;/g, ';')
}
