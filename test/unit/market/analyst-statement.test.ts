import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusalOfStatement } from '../../../src/market/analyst-statement.ts'
import { readSql } from '../../../src/market/sql-text.ts'
import { ANALYST_ATTACKS } from '../../support/analyst-attacks.ts'

describe('a statement of an analyst', () => {
  it.each([
    'select * from prices_by_day',
    'SELECT "zone", Round(avg(price_eur_mwh)::numeric, 2) FROM analytics.prices_by_hour GROUP BY 1;',
    `with m (month, price) as (select month, avg(price_eur_mwh) from prices_by_month group by 1) select * from m`,
    `select market_day, lag(price) over (partition by asset order by market_day) from price_index where asset in ('PUN', 'TTF')`,
    'values (1, 2), (3, 4)',
    'table zones',
    '(select 1) union (select 2)',
    `select percentile_cont(0.5) within group (order by price) filter (where price > 0) from price_index`,
    `select extract(hour from starts_at), count(*) from prices_by_hour where exists (select 1) group by rollup (1)`,
    `select * from generate_series(1, 3) as g(n) -- with a remark; and another`,
    `select 'text; with ''semicolons'' -- and marks', $$also ; here$$, $tag$ $$ ; $tag$ /* and /* here */ ; */`,
    'select pg_catalog.round(1.5)',
    `select cast(price as numeric(10, 2)) from price_index`,
  ])('is taken: %s', (sql) => {
    expect(refusalOfStatement(sql)).toBeUndefined()
  })

  it.each([
    ['select 1; select 2', /more than one statement/],
    ['select 1; commit', /more than one statement/],
    ['select 1 /* ; */ ; -- x\n drop view zones', /more than one statement/],
    ['', /no statement/],
    [' -- nothing\n;', /no statement/],
    ['insert into zones values (1)', /begins with INSERT; only queries/],
    ['COMMIT', /begins with COMMIT/],
    ['explain select 1', /begins with EXPLAIN/],
    ['shutdown', /must be a query/],
    ['select pg_sleep(5)', /names pg_sleep/],
    ['select "pg_sleep"(5)', /names pg_sleep/],
    [`select set_config('role', 'postgres', false)`, /calls set_config\(\)/],
    [`select repeat('x', 1000000000)`, /calls repeat\(\)/],
    ['select pg_catalog . pg_sleep(5)', /names pg_/],
    ['select * from api_keys, pg_class', /names pg_class/],
    ['select * from "information_schema".tables', /names information_schema/],
    ['select * from public.api_keys', /names public/],
    ['select * from pgboss.job', /names pgboss/],
    [`select U&"\\0070g_sleep"(5)`, /Unicode escape/],
    [`select E'a'\n'b\\'', pg_sleep(5) --'`, /escape string/],
    [`select 'does not end`, /quotation that does not end/],
    ['select $$ does not end', /quotation that does not end/],
    ['select 1 /* /* */', /comment that does not end/],
    ['select 1\0', /zero byte/],
    [`select a$$b, dblink('x', $$y$$)`, /calls dblink|quotation/],
    ['select/**/lo_create/**/(0)', /calls lo_create/],
  ])('is refused with the reason: %j', (sql, reason) => {
    expect(refusalOfStatement(sql)).toMatch(reason)
  })

  it('is refused where it is a known attack', () => {
    const passed = ANALYST_ATTACKS.filter(({ statements }) => refusalOfStatement(statements) === undefined)
    // What is left to the database: a query that makes a table.
    expect(passed.map(({ name }) => name)).toEqual(['create a temporary table from a query'])
  })

  it('is read to its end, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'\'"$/*-;eEuU&x1.(\n \\é') }), (text) => {
        const refusal = refusalOfStatement(text)
        if (refusal === undefined) expect(readSql(text).length).toBeGreaterThan(0)
      }),
      { numRuns: 2_000 },
    )
  })
})
