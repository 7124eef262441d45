/**
 * Random compositions of the functions and operators that analysts may use: accepted statements end within a second of their time limit,
 * and their session stays small. On a real server, whose sessions are measurable processes. `npm run test:long` tries many more.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { loadModule, parseSync } from 'libpg-query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOfTree } from '../../src/market/analyst-statement.ts'
import { StatementRefused } from '../../src/store/analyst-connection.ts'
import { ANALYST_LIMITS, analystSql } from '../../src/store/analyst-sql.ts'
import { applyRoles, setRolePassword } from '../../src/store/roles.ts'
import { type PlainServer, startPlainServer, startTimescaleServer } from '../support/plain-server.ts'
import { hasPostgres, hasTimescalePackage, needsPostgres } from '../support/postgres-cluster.ts'
import { repetitions } from '../support/repetitions.ts'

const SECONDS = 1
/** Allowance for operations that the server does not interrupt. */
const CPU_SECONDS_MORE = 1
const TICKS_PER_SECOND = 100
/** Memory of a session without the shared buffers; 40 nodes that sort or join use 16 MB each. */
const MEGABYTES_MAX = 1_024
const MINUTES = Number(process.env.GROWTH_MINUTES ?? 0)

const names = (list: string) => fc.constantFrom(...list.split(' '))

/** Mostly text expressions; statements that PostgreSQL rejects for their types prove nothing and cost little. */
const { text } = fc.letrec<{ text: string; number: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('t', 't', `'ab'`, `'%_a'`, 'n::text', 'md5(n::text)', `format('%1000s', n)`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} || ${b})`),
    fc
      .tuple(names('concat strpos starts_with regexp_count regexp_substr'), tie('text'), tie('text'))
      .map(([f, a, b]) => `${f}(${a}, ${b})::text`),
    fc
      .tuple(names('replace translate regexp_replace'), tie('text'), tie('text'), tie('text'))
      .map(([f, a, b, c]) => `${f}(${a}, ${b}, ${c})`),
    fc.tuple(names('upper lower initcap reverse btrim md5'), tie('text')).map(([f, a]) => `${f}(${a})`),
    fc.tuple(tie('text'), tie('text'), tie('number')).map(([a, b, n]) => `split_part(${a}, ${b}, ${n}::int % 9 + 10)`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `array_to_string(string_to_array(${a}, null), ${b})`),
    fc
      .tuple(tie('text'), tie('text'))
      .map(([a, b]) => `array_to_string(array[${a}, ${b}] || regexp_split_to_array(${a}, ${b}), ${b})`),
    fc
      .tuple(names('jsonb_build_array json_build_array'), tie('text'), tie('text'))
      .map(([f, a, b]) => `${f}(${a}, ${b})::text`),
    fc.tuple(names('to_json to_jsonb'), tie('text')).map(([f, a]) => `${f}(${a})::text`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `row(${a}, ${b})::text`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `case when ${a} like ${b} then ${a} else ${b} end`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} ~ ${b})::text`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `format('%s%2$s%1$20s', ${a}, ${b})`),
    tie('number').map((n) => `(${n})::text`),
  ),
  number: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('n', '7', '9e99', 'n::numeric', '1.5'),
    fc.tuple(tie('number'), names('+ - * /'), tie('number')).map(([a, o, b]) => `(${a} ${o} (${b} + 1))`),
    tie('text').map((a) => `length(${a})`),
  ),
}))

/** Queries around the values: chains of tables, recursion, aggregates, windows, endless rows. */
const values = fc.array(text, { minLength: 1, maxLength: 4 })
const aggregate = fc.constantFrom(
  ...[
    `string_agg(t, ',')`,
    `string_agg(t, ',' order by n)`,
    `array_to_string(array_agg(t), ',')`,
    'max(t)',
    `array_agg(n)::text`,
  ],
  ...[
    'count(distinct t)::text',
    `to_jsonb(array_agg(t))::text`,
    'mode() within group (order by t)',
    `string_agg(distinct t, '')`,
  ],
)
const ROWS = fc.constantFrom(
  '(values (1, null))',
  '(select 1)',
  'generate_series(1, 1000)',
  '(select generate_series(1, (select 100000000)))',
)
const composed = fc.oneof(
  fc.tuple(values, ROWS).map(([list, rows]) => {
    const tables = list.map((value, i) => `c${i + 1} as (select n, ${value} as t from c${i})`)
    return `with c0 as (select n, 'a' || n as t from ${rows} s (n)), ${tables.join(', ')} select n, t from c${list.length} order by t desc`
  }),
  fc
    .tuple(text, text)
    .map(
      ([first, next]) =>
        `with recursive r (n, t) as (select 1, 'a'::text union all select n + 1, ${next} from r where n < 100000000) select count(*), max(${first}) from r`,
    ),
  fc.tuple(values, aggregate, ROWS, text).map(([list, collect, rows, last]) => {
    const tables = list.map((value, i) => `c${i + 1} as (select n, ${value} as t from c${i})`)
    return `with c0 as (select n, 'a' || n as t from ${rows} s (n)), ${tables.join(', ')},
      d as (select n % 5000 as n, ${collect} as t from c${list.length} group by 1) select ${last} from d`
  }),
  fc.tuple(text, text, ROWS).map(
    ([a, b, rows]) =>
      `select rank() over (order by t), count(*) over (partition by u order by t desc), t, u from
         (select n, ${a} as t, ${b} as u from (select n, 'b' || n as t from ${rows} s (n)) a) b where u not in (select md5(${a}) from (values (1, 'x')) c (n, t))`,
  ),
  fc.tuple(text, text, ROWS).map(
    ([a, b, rows]) =>
      `select count(*), max(x.t) from (select n, ${a} as t from (select n, 'b' || n as t from ${rows} s (n)) a) x
         join (select n % 3 as n, ${b} as t from (select n, 'b' || n as t from ${rows} s (n)) b) y on x.n = y.n or x.t = y.t`,
  ),
)

/** Each is built with as many parts as are accepted. */
const ENDLESS = '(select generate_series(1, (select 100000000)))'
const LONG = `(select format('%1000s', n) as t, format('%900s', n) as u, n from ${ENDLESS} s (n)) a`
const repeatParts = (times: number, part: (i: number) => string, between = ', ') =>
  Array.from({ length: times }, (_, i) => part(i)).join(between)
const AT_THE_BOUNDS: ((times: number) => string)[] = [
  (times) => `select ${repeatParts(times, (i) => `strpos(t, u || ${i})`)} from ${LONG}`,
  (times) => `select ${repeatParts(times, (i) => `translate(t, u, 'x${i}')`)} from ${LONG}`,
  (times) =>
    `select strpos(s, format('%${times}s', 'a')), s like format('%${times}s', '_b%a') from (select string_agg('a', '') as s from generate_series(1, 90000)) b`,
  (times) =>
    `select strpos(s, ${repeatParts(times, () => `format('%1000s', 'a')`, ' || ')}) from (select string_agg('a', '') as s from generate_series(1, 90000)) b`,
  (times) => `select ${repeatParts(times, (i) => `max(t) over (order by md5(t || ${i}))`)} from ${LONG}`,
  (times) =>
    `select count(*) from (select md5(n::text) || ${repeatParts(times, () => 'n', ' || ')} from ${ENDLESS} s (n) intersect select md5(n::text) from ${ENDLESS} s (n)) a`,
  (times) =>
    `select n % 50000, ${repeatParts(times, (i) => `array_agg(n + ${i}), string_agg(t || ${i}, '')`)} from ${LONG} group by 1`,
  (times) =>
    `select count(*), max(y.t) from generate_series(1, 1000000) x (n) ${repeatParts(times, (i) => `join (select n - n as k, t from ${LONG} where n > 0 and n > -1 and n > -2) y${i} on x.n = y${i}.k`, ' ')}`.replace(
      'max(y.t)',
      'max(y0.t)',
    ),
  (times) => `select ${repeatParts(times, (i) => `zone ~ '${i}((x{1,200}){1,200})'`)} from (values ('x')) v (zone)`,
  (times) =>
    `with c0 as (select n as x from generate_series(1, 9) n), ${repeatParts(times, (i) => `c${i + 1} as (select x + x as x from c${i})`)} select x from c${times}`,
  (times) =>
    `with c as (select ${repeatParts(8, () => '9e99', ' * ')} as x) select ${repeatParts(times, (i) => `div(x * x, x + ${i})`)} from c, generate_series(1, 100000)`,
  (times) =>
    `select ${repeatParts(times, (i) => `to_jsonb(string_agg(t || ${i}, ''))`)} from (select t from ${LONG} limit 90) b`,
  (times) => repeatParts(times, () => 'table prices_by_hour', ' union all '),
  (times) =>
    `select ${repeatParts(times, (i) => `a${i}.zone`)} from ${repeatParts(times, (i) => `prices_by_hour a${i}`)}`,
]

function largestAccepted(of: (times: number) => string): string {
  let [accepted, refused] = [0, 4_096]
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2)
    if (isAccepted(of(middle))) accepted = middle
    else refused = middle
  }
  return of(accepted)
}

function isAccepted(one: string): boolean {
  try {
    return one.length <= 20_000 && refusalOfTree(parseSync(one), one) === undefined
  } catch (err) {
    if (err instanceof RangeError) return false // nested too deeply; the statement reader rejects it as well
    throw err
  }
}

await loadModule()
const statement = composed.filter(isAccepted)

describe.skipIf(!hasPostgres)(needsPostgres('analyst statements at their limits'), () => {
  let server: PlainServer
  let url: string
  beforeAll(async () => {
    server = await (hasTimescalePackage ? startTimescaleServer : startPlainServer)({ poolSize: 2 })
    await applyRoles(server.database.sql)
    await setRolePassword(server.database.sql, 'analyst', 'analyst-password')
    url = server.url('analyst', 'analyst-password')
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  it(
    'end within a second of their time limit and stay below the memory limit',
    async () => {
      const worst = { cpuSecondsMore: 0, overrunSeconds: 0, slowest: '', megabytes: 0, largest: '', tried: 0 }
      const sql = analystSql(url, { limits: { ...ANALYST_LIMITS, seconds: SECONDS } })
      const until = Date.now() + MINUTES * 60_000
      const run = async (one: string) => {
        worst.tried += 1
        const [use, started] = [monitorUsage(server), performance.now()]
        await sql.run(one, 'key').catch((err: unknown) => {
          if (!(err instanceof StatementRefused)) throw err
        })
        worst.overrunSeconds = Math.max(worst.overrunSeconds, (performance.now() - started) / 1_000 - SECONDS)
        const { cpuSeconds, megabytes } = await use.stop()
        const cpuSecondsMore = cpuSeconds - SECONDS
        if (cpuSecondsMore > worst.cpuSecondsMore) Object.assign(worst, { cpuSecondsMore, slowest: one })
        if (megabytes > worst.megabytes) Object.assign(worst, { megabytes, largest: one })
        expect(cpuSecondsMore, one).toBeLessThan(CPU_SECONDS_MORE)
        expect(megabytes, one).toBeLessThan(MEGABYTES_MAX)
      }
      for (const one of AT_THE_BOUNDS.map(largestAccepted)) {
        expect(isAccepted(one), one).toBe(true)
        await run(one)
      }
      do {
        await fc.assert(fc.asyncProperty(statement, run), { numRuns: repetitions(5, 500), endOnFailure: true })
        console.log(worst)
      } while (Date.now() < until)
    },
    (MINUTES + 15) * 60_000,
  )

  it('collect in aggregates of their own, in every form that the server has', async () => {
    const missing = await server.database.sql`
      select p.oid::regprocedure::text as form from pg_proc p
      where p.pronamespace = 'pg_catalog'::regnamespace and p.proname in ('array_agg', 'string_agg')
        and not exists (select from pg_proc b where b.pronamespace = 'analytics_bounded'::regnamespace
          and b.proname = p.proname and b.proargtypes = p.proargtypes)`
    expect([...missing]).toEqual([])
  })

  it.each([
    [`select string_agg(n::text, ', ' order by n desc) from generate_series(1, 3) n`, '3, 2, 1'],
    [`select string_agg(x, null) from (values ('a'), (null), ('b')) v (x)`, 'ab'],
    [`select array_agg(x order by x nulls first) from (values (2), (null), (1)) v (x)`, '{NULL,1,2}'],
    ['select array_agg(n) from generate_series(1, 3) n where n > 3', null],
  ])('collect like the built-in aggregates: %s', async (one, value) => {
    expect((await analystSql(url).run(one, 'key')).rows).toEqual([[value]])
  })

  it.each(['string_agg(md5(n::text), null)', 'array_agg(md5(n::text))'])(
    'collect at most 100,000 bytes: %s',
    async (call) => {
      const collect = analystSql(url).run(`select ${call} from generate_series(1, 4000) n`, 'key')
      await expect(collect).rejects.toThrow(/collects more than 100,000 bytes/)
    },
  )
})

/** Peak use of an analyst's session, sampled while it runs. CPU time, because every query takes longer on a busy machine. */
function monitorUsage({ database }: PlainServer): { stop(): Promise<{ cpuSeconds: number; megabytes: number }> } {
  const most = { cpuSeconds: 0, megabytes: 0 }
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const sessions = await database.sql<{ pid: number }[]>`select pid from pg_stat_activity where usename = 'analyst'`
      for (const { pid } of sessions) {
        const ticks = fileOf(pid, 'stat').split(') ').at(-1)?.split(' ').slice(11, 13).map(Number) ?? []
        most.cpuSeconds = Math.max(most.cpuSeconds, ticks.reduce((a, b) => a + b, 0) / TICKS_PER_SECOND)
        const [, kilobytes = 0] = /RssAnon:\s+(\d+) kB/.exec(fileOf(pid, 'status')) ?? []
        most.megabytes = Math.max(most.megabytes, Number(kilobytes) / 1024)
      }
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  const watching = watch()
  return {
    async stop() {
      isOver = true
      await watching
      return most
    },
  }
}

/** Empty if the process has ended. */
function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
