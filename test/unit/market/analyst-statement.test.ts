import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, describe, expect, it } from 'vitest'
import { refusalOfTree } from '../../../src/market/analyst-statement.ts'
import { ANALYST_ATTACKS, STATEMENT_ATTACKS } from '../../support/analyst-attacks.ts'

beforeAll(() => loadModule())

const refusalOf = (sql: string) => refusalOfTree(parseSync(sql), sql)

describe('an SQL statement of an analyst', () => {
  it.each([
    'select * from prices_by_day',
    'SELECT "zone", Round(avg(price_eur_mwh)::numeric, 2) FROM analytics.prices_by_hour GROUP BY 1;',
    `with m (month, price) as (select month, avg(price_eur_mwh) from prices_by_month group by 1) select * from m`,
    `with recursive n (i) as (values (1) union all select i + 1 from n where i < 9) select * from n`,
    `select market_day, lag(price) over (partition by asset order by market_day) from price_index where asset in ('PUN', 'TTF')`,
    `select avg(price) over w from price_index window w as (order by market_day rows between 6 preceding and current row)`,
    'values (1, 2), (3, 4)',
    'table zones',
    '(select 1) union (select 2) intersect select 3 except select 4',
    `select percentile_cont(0.5) within group (order by price) filter (where price > 0) from price_index`,
    `select extract(hour from starts_at), count(*), grouping(zone) from prices_by_hour where exists (select 1) group by rollup (1), cube (zone)`,
    `select * from generate_series(1, 3) with ordinality as g(n, o), lateral (select g.n) z -- with a remark; and another`,
    `select 'text; with ''semicolons'' -- and marks', $$also ; here$$, $tag$ $$ ; $tag$, E'a\\n', U&'\\0041' /* and /* here */ ; */`,
    'select pg_catalog.round(1.5)',
    `select cast(price as numeric(10, 2)), price::double precision, date '2026-03-29', interval '1' hour, '{1,2}'::int[] from price_index`,
    `select starts_at at time zone 'Europe/Rome', starts_at + interval '1 day', make_interval(days => 3), current_date, now() from prices_by_hour`,
    `select case zone when 'nord' then 1 else 2 end, coalesce(a, 0), nullif(a, 0), greatest(a, b), a between 1 and 2, a is not null from zones`,
    `select trim(zone), zone like 'n%' escape '!', zone ~* 'x', position('a' in zone), substring(zone from 1 for 2), (a, b) overlaps (c, d) from zones`,
    `select (array_agg(price order by market_day desc))[1:3], row(1, 2), array[1, 2] || 3, zone collate "C", 1 = any (array[1]) from price_index`,
    `select distinct on (zone) zone, price from a join b using (zone) left join lateral (select 1) c on true order by zone, price desc nulls last limit 5 offset 1`,
    `select format('%1$10s %-5s %% %I', zone, 1), power(1 + price, 1 / 12.0), price ^ 2, price::float8 ^ days, 1e300, exp(-1.5), factorial(20) from a`,
    `select * from generate_series(date '2026-01-01', date '2026-12-31', interval '1 day') d`,
    `select n from generate_series(1, 1000000) n`,
    `select row_to_json(z), jsonb_build_object('a', 1) -> 'a' ->> 'b', daterange '[2026-01-01,2026-02-01)' from zones z`,
    `with recursive n (i, day) as (select 1, date '2026-03-29' union all select i + 1, day + 1 from n where i < 9) select i * 24 from n`,
    `with a as (select market_day, sum(price * volume) / sum(volume) as price from prices_by_hour group by 1),
       b as (select market_day, price * 100 / avg(price) over () - 100 as price from a),
       c as (select market_day, price * price as price, string_agg(zone, ',') as zones from b cross join zones group by 1, 2)
     select market_day, sqrt(sum(price * price) / count(*)) * 1.96 as spread, upper(zones) from c group by 1, zones`,
    `select length(zone) * 2, extract(epoch from b - a) / 3600 * interval '1 hour', n * interval '15 minutes' from zones, generate_series(1, 9) n`,
    `select stddev(price) / avg(price), exp(sum(ln(price))), 100 * (x ->> 'a')::float8 from price_index`,
    `select ${Array(24).fill('price').join(' * ')} from price_index`,
    `select ${Array(300).fill('price * 2').join()} from price_index`,
    `select month, string_agg(zone, ', ' order by zone), (array_agg(price order by price desc))[1:3], to_jsonb(array_agg(upper(zone)))
       from prices_by_month group by month`,
    `select split_part(string_agg(zone, ','), ',', 2), replace(zone, '_', ' ') || ': ' || count(*) || ' h', concat(zone, ' ', day::text) from a group by zone`,
    `select zone from zones where zone in (select zone from prices_by_day) intersect select zone from prices_by_month`,
    `with recursive tail (n, day, mean) as (select 1, date '2026-01-01', 50.0::float8
       union all select n + 1, day + 1, (mean::float8 * n + 40) / (n + 1) from tail where n < 365) select day::text || ' ' || mean from tail`,
    `with recursive f (a, b, n) as (select 1, 1, 1 union all select b, a + b, n + 1 from f where n < 40) select a from f`,
    `with a as (select *, lag(price) over (order by day) as before from prices), b as (select *, price - before as step from a),
       c as (select *, step / nullif(before, 0) as share from b), d as (select *, avg(share) over (order by day rows 6 preceding) as week from c)
       select x.day, x.share, y.share, x.week - y.week from d x join d y on y.day = x.day - 364`,
  ])('is accepted: %s', (sql) => {
    expect(refusalOf(sql)).toBeUndefined()
  })

  it.each([
    ['select 1; select 2', /more than one statement/],
    ['select 1; commit', /more than one statement/],
    ['select 1 /* ; */ ; -- x\n drop view zones', /more than one statement/],
    [' -- nothing\n;', /no statement/],
    ['insert into zones values (1)', /begins with INSERT; only queries/],
    ['COMMIT', /begins with COMMIT/],
    ['explain select 1', /begins with EXPLAIN/],
    ['/* x */ commit', /is no query/],
    ['select pg_sleep(5)', /calls pg_sleep\(\).*\(at character 8\)/],
    [`select 'é', "pg_sleep"(5)`, /calls pg_sleep\(\).*\(at character 13\)/],
    [`select set_config('role', 'postgres', false)`, /calls set_config\(\)/],
    [`select repeat('x', 1000000000)`, /calls repeat\(\)/],
    ['select pg_catalog . pg_sleep(5)', /calls pg_catalog.pg_sleep\(\)/],
    ['select public.round(5)', /calls public.round\(\)/],
    ['select * from api_keys, pg_class', /names pg_class/],
    ['select * from "information_schema".tables', /names information_schema/],
    ['select * from public.api_keys', /names public/],
    ['select * from other.analytics.zones', /names other/],
    ['select * from pgboss.job', /names pgboss/],
    [`select U&"\\0070g_sleep"(5)`, /calls pg_sleep/],
    [`select E'a'\n'b\\'', pg_sleep(5) --'`, /calls pg_sleep/],
    ['select/**/lo_create/**/(0)', /calls lo_create/],
    ['select $1', /holds a parameter/],
    ['select 1 into mine', /INTO/],
    ['select * from zones for update', /locks rows/],
    ['with gone as (delete from zones returning 1) select * from gone', /writes \(DELETE\)/],
    ['select xmlelement(name a)', /XmlExpr/],
    ['select * from zones tablesample system (1)', /RangeTableSample/],
    ['select 1 operator(public.+) 2', /schema of an operator/],
    ['select 1 order by pg_sleep(1)', /pg_sleep/],
    ['select count(*) filter (where pg_sleep(1) is null) over (partition by pg_sleep(2))', /pg_sleep/],
    ['values (pg_sleep(1))', /pg_sleep/],
    ['select * from zones limit pg_sleep(1)', /pg_sleep/],
    ['select * from rows from (pg_sleep(1), generate_series(1, 2))', /pg_sleep/],
  ])('is refused with the reason: %j', (sql, reason) => {
    expect(refusalOf(sql)).toMatch(reason)
  })

  it.each(STATEMENT_ATTACKS.map((attack) => [attack.name, attack] as const))(
    'is refused as an attack that role limits do not stop: %s',
    (_, { statements, refusal }) => {
      expect(refusalOf(statements)).toMatch(refusal)
    },
  )

  it('is refused if it is a known attack', () => {
    const passed = ANALYST_ATTACKS.filter(({ statements }) => refusalOf(statements) === undefined)
    expect(passed.map(({ name }) => name)).toEqual([])
  })

  it.each([
    ['digits', (n: number) => `select ${'9'.repeat(n)}`, 400],
    ['digits in a text', (n: number) => `select '${'9'.repeat(n)}' * 1.5`, 400],
    ['widths', (n: number) => `select format('%${n}s', 'x')`, 1_000],
    ['widths after a position', (n: number) => `select format('%1$-${n}s', 'x')`, 1_000],
    ['padding by a type', (n: number) => `select 'x'::char(${n})`, 1_000],
    ['exponents', (n: number) => `select 10 ^ ${n}`, 100],
    ['negative exponents', (n: number) => `select power(2.5, -${n})`, 100],
    ['factorials', (n: number) => `select factorial(${n})`, 170],
    ['series', (n: number) => `select * from generate_series(1, ${n})`, 1_000_000],
  ])('is accepted up to its exact limit of %s', (_, statement, most) => {
    expect(refusalOf(statement(most))).toBeUndefined()
    expect(refusalOf(statement(most + 1))).toMatch(new RegExp(`\\b${most}\\b`))
  })

  it('is refused if it calls an unlisted function, wherever the call is', () => {
    const places = [
      (call: string) => `select ${call}`,
      (call: string) => `select 1 from zones where ${call} is null`,
      (call: string) => `select 1 group by ${call} having ${call} is null`,
      (call: string) => `with a as materialized (select ${call}) select * from a`,
      (call: string) => `select * from (select ${call}) a join zones b on ${call} is null`,
      (call: string) => `select case when ${call} is null then 1 else (select ${call}) end`,
      (call: string) => `select array[(1, ${call})], coalesce(null, ${call}), (array[1])[${call}::int]`,
      (call: string) => `select sum(1) over (order by ${call} rows between ${call} preceding and current row)`,
      (call: string) => `select * from zones, lateral ${call} f`,
      (call: string) => `select distinct on (${call}) 1 union all select 2 order by 1 limit (select ${call})`,
      (call: string) =>
        `select string_agg(zone, ${call} order by ${call}) within_it, make_interval(days => ${call}) from zones`,
    ]
    const name = fc.stringMatching(/^[a-z_]{1,12}$/)
    fc.assert(
      fc.property(fc.constantFrom(...places), name, (place, suffix) => {
        expect(refusalOf(place(`no_${suffix}('x')`))).toMatch(/calls no_/)
      }),
      { numRuns: 200 },
    )
  })
})
