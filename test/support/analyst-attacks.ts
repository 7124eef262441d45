/**
 * Known attempts to escape from a role that may only read some views. Each is one message to the server; `refusal` matches its error.
 */
export interface Attack {
  name: string
  statements: string
  refusal: RegExp
}

const DENIED = /permission denied|must be (superuser|owner|a superuser)|must have privileges|only roles with/i

const refusedWith = (refusal: RegExp, statementsByName: Record<string, string>): Attack[] =>
  Object.entries(statementsByName).map(([name, statements]) => ({ name, statements, refusal }))

export const ANALYST_ATTACKS: readonly Attack[] = [
  ...refusedWith(DENIED, {
    'read the keys': 'select * from public.api_keys',
    'read the usage of keys': 'select * from public.api_key_usage',
    'read the tables behind the views': 'select * from public.price_intervals',
    'read the queue': 'select * from pgboss.job',
    'write through a view': `update analytics.zones set name = 'x'`,
    'end the transaction and write': `begin read only; commit; insert into public.assets values ('X', 'x', 'x')`,
    'hide a write behind a comment': `select 1 /* */; --\n delete from public.price_intervals`,
    'write in a common table expression': `with gone as (delete from public.daily_prices returning 1) select * from gone`,
    'leave the read-only transaction': `set transaction read write; create table analytics.mine (i int)`,
    'create a table': 'create table public.mine (i int)',
    'create a temporary table': 'create temp table mine (i int)',
    'create a temporary table from a query': 'select 1 as i into temp mine',
    'create a temporary view': 'create temp view mine as select 1',
    'create a schema': 'create schema mine',
    'create a function': `create function analytics.mine() returns int language sql return 1`,
    'set another role': 'set role postgres',
    'set the role of the worker': 'set role energy_worker',
    'set another session': 'set session authorization postgres',
    'set the role by a function': `select set_config('role', 'postgres', false)`,
    'reset to the login and write': `reset role; reset session authorization; reset all; insert into public.assets values ('X', 'x', 'x')`,
    'lift the time-out by a function': `select set_config('statement_timeout', '0', false)`,
    'run a block': `do $$ begin perform 1; end $$`,
    'read a file': `select pg_read_file('/etc/passwd')`,
    'read a binary file': `select pg_read_binary_file('/etc/passwd')`,
    'list a folder': `select pg_ls_dir('/')`,
    'list the log': 'select * from pg_ls_logdir()',
    'stat a file': `select pg_stat_file('/etc/passwd')`,
    'copy from a file': `copy analytics.zones from '/etc/passwd'`,
    'copy to a file': `copy (select 1) to '/tmp/mine'`,
    'copy to a program': `copy (select 1) to program 'id'`,
    'copy from a program': `create temp table t (x text); copy t from program 'id'`,
    'make a large object': 'select lo_create(0)',
    'import a large object': `select lo_import('/etc/passwd')`,
    'export a large object': `select lo_export(1, '/tmp/mine')`,
    'write a large object': `select lo_from_bytea(0, 'x')`,
    sleep: 'select pg_sleep(1)',
    'sleep by interval': `select pg_sleep_for('1 second')`,
    'sleep until an instant': `select pg_sleep_until('tomorrow')`,
    'take an advisory lock': 'select pg_advisory_lock(1)',
    'try an advisory lock': 'select pg_try_advisory_xact_lock(1)',
    'end a session': 'select pg_terminate_backend(1)',
    'cancel a statement': 'select pg_cancel_backend(1)',
    'reload the configuration': 'select pg_reload_conf()',
    'switch the log': 'select pg_switch_wal()',
    'promote the replica': 'select pg_promote()',
    'write into the write-ahead log': `select pg_logical_emit_message(false, 'x', 'y')`,
    'read passwords': 'select * from pg_authid',
    'read roles': 'select * from pg_roles',
    'read users': 'select * from pg_user',
    'read passwords of users': 'select * from pg_shadow',
    'see what others do': 'select * from pg_stat_activity',
    'see it by the function behind': 'select * from pg_stat_get_activity(null)',
    'see locks': 'select * from pg_locks',
    'see settings': 'select * from pg_settings',
    'see the rules of login': 'select * from pg_hba_file_rules',
    'read statistics of columns': 'select * from pg_statistic',
    'run a query hidden in a text': `select query_to_xml('select 1', true, true, '')`,
    'call what stores prices': `select public.store_daily_prices('{}', '{}', '{}', '{}', '{}', 'gme-mgp', now())`,
    'change a setting of the server': `alter system set work_mem = '10GB'`,
    'make a role': 'create role mine superuser',
    'become a superuser': 'alter role analyst superuser',
    'grant oneself': 'grant select on public.api_keys to analyst',
    'drop a view': 'drop view analytics.zones',
    'rename a view': 'alter view analytics.zones rename to gone',
    'change a comment': `comment on view analytics.zones is 'mine'`,
  }),
  ...refusedWith(/permission denied|not trusted|not available|could not open/i, {
    'create an extension': 'create extension dblink',
  }),
  ...refusedWith(/does not exist/, { 'call dblink': `select * from dblink('dbname=energy', 'select 1') t(i int)` }),
  ...refusedWith(/does not exist|permission denied/, {
    'run a block in another language': `do language plpython3u $$ pass $$`,
  }),
  ...refusedWith(/permission denied|must be superuser|replication/i, {
    'make a replication slot': `select pg_create_physical_replication_slot('mine')`,
  }),
  ...refusedWith(/permission denied|must be superuser|pg_read_all_settings/, {
    'see where the data are': 'show data_directory',
  }),
  ...refusedWith(/permission denied|must have admin option/, { 'become a member': 'grant energy_worker to analyst' }),
  ...refusedWith(/must be owner|permission denied|currently open/, { 'drop the database': 'drop database energy' }),
  ...refusedWith(/not allowed/, { 'load a library': `load '/tmp/mine.so'` }),
  ...refusedWith(/prepared transactions are disabled|permission/, {
    'prepare a transaction': `begin; prepare transaction 'mine'`,
  }),
]

const BYTES = /more than 8000000 bytes/
const LISTED = (list: string) =>
  `with recursive r (n, t) as (select 1, 'a'::text union all select n + 1, ${list} from r where n < 40)`
const chained = (value: string, times: number, first = `'a'::text`) =>
  `with c0 as (select ${first} as x from generate_series(1, 3) n), ${Array.from({ length: times }, (_, i) => `c${i + 1} as (select ${value} as x from c${i})`).join(', ')} select x from c${times}`

const DIGITS = '9'.repeat(9_000)
const TOO_LONG = /more than 5000 digits; cast it to float8/
const power = (factors: number) => Array(factors).fill('x').join(' * ')

function squares(times: number, last: string, columnsOf = (_: number) => ''): string {
  const nth = (n: number) => {
    const from = columnsOf(n - 1) === '' ? 'x' : `x${n - 1}`
    return `t${n}${columnsOf(n)} as (select ${from} * ${from}${columnsOf(n) === '' ? ' as x' : ''} from t${n - 1})`
  }
  const tables = [`t0${columnsOf(0)} as (select 9e99 as x)`, ...Array.from({ length: times }, (_, i) => nth(i + 1))]
  return `with ${tables.join(', ')} select ${columnsOf(0) === '' ? last : `x${times}`} from t${times}`
}

/**
 * Statements that a role may run but `POST /sql` must reject: steps that the server does not interrupt, values that exhaust its memory,
 * names of objects other than the views. `refusal` matches the answer of `POST /sql`.
 */
export const STATEMENT_ATTACKS: readonly Attack[] = [
  ...refusedWith(/number of 9000 digits/, {
    'divide numbers of thousands of digits': `select div(${DIGITS}, ${'7'.repeat(4_000)})`,
    'divide them as texts': `select div('${DIGITS}'::numeric, '3')`,
    'have them read from texts without a cast': `select '${DIGITS}' / 1.5`,
  }),
  ...refusedWith(/number of 131\d+ digits/, { 'write them by their exponent': 'select div(1e131071, 7)' }),
  ...refusedWith(/digits/, { 'write them with a small exponent': `select '1e-16000'::numeric * 3` }),
  ...refusedWith(/too many steps/, {
    'divide squares of squares, which are long of themselves': `with a as (select 9e99 as x), b as (select x * x as x from a), c as (select x * x as x from b) select ${Array(1000).fill('div(x * x, x + 1)').join()} from (select x * x as x from c) d`,
    'double what the planner copies': chained('x + x', 25, 'n'),
    'double what it copies by a subquery': chained('(select x) + (select x)', 25, 'n'),
    'look for a long list in another': `select strpos(string_agg('a', ''), string_agg('a', '')) from generate_series(1, 9)`,
    'replace letter by letter': `select translate(string_agg('a', ''), string_agg('b', ''), '') from generate_series(1, 9)`,
    'repeat a costly step': `select ${Array(200).fill(`strpos(x, 'a' || y)`).join()} from (select format('%1000s', zone) as x, format('%900s', zone) as y from zones) a`,
    'compile large patterns': `select ${Array(9).fill(`zone ~ '((x{1,200}){1,200})'`).join()} from zones`,
    'sort in many ways at once': `select ${Array.from({ length: 60 }, (_, i) => `rank() over (order by n % ${i + 2})`).join()} from generate_series(1, 9) n`,
  }),
  ...refusedWith(TOO_LONG, {
    'divide squares of squares a few times': squares(7, Array(60).fill('div(x * x, x + 1)').join()),
    'name each square otherwise': squares(7, 'x', (n) => `(x${n})`),
    'square in a recursion': `with recursive a (x) as (select 9e99 union all select x * x from a) select * from a`,
    'double by adding in a recursion': `with recursive a (x, n) as (select 9e99, 1 union all select x + x, n + 1 from a where n < 400000) select x * x from a`,
    'square what a list of values holds': `select b * b from (values (9e399), (1)) a (x), lateral (select ${power(16)}) c (b)`,
    'square the columns of a union': `select y * y from (select 1 as y union all select ${power(16)} from (select 9e399 as x) a) b`,
    'square a subquery': `select (select ${power(8)}) * (select ${power(8)}) from (select 9e399 as x) a`,
    'square a column without a name': `select "?column?" * 3 from (select ${power(14)} from (select 9e399 as x) a) b`,
    'square a column by its row': `select (b).y * 3 from (select ${power(13)} as y from (select 9e399 as x) a) b`,
    'make a number of texts': `select ('1e' || '130000')::numeric / 7`,
    'make a number of a text in parts': `select substr('x1e130000', 2)::numeric / 7`,
    'make a number of many texts': `select mod(string_agg('9', '')::numeric, 7) from generate_series(1, 130000)`,
    'make a number of JSON': `select ('[1e130000]'::jsonb -> 0)::numeric / 7`,
    'make a number of an array': `select ('{1e130000}'::numeric[])[1] / 7`,
    'make a number of a format': `select to_number(to_char(1, '9'), '9') * 2`,
    'multiply decimals': `select round(2, 2000) * round(2, 2000) * round(2, 2000)`,
    'take the variance of long numbers': `select variance(x) from (select ${power(7)} as x from (select 9e399 as x) a) b`,
  }),
  ...refusedWith(/power/, {
    'raise to a power': 'select 10::numeric ^ 131000',
    'raise to a power by the function': 'select pg_catalog.power(10::numeric, 131000)',
    'raise to a power that is computed': 'select 10.0 ^ (select 131000)',
  }),
  ...refusedWith(/operator/, {
    'raise to a power by an operator with its schema': 'select 10.0 operator(pg_catalog.^) 131000',
  }),
  ...refusedWith(/factorial/, {
    'compute a factorial': 'select factorial(32000)',
    'compute a factorial of what is computed': 'select factorial((select 32000))',
  }),
  ...refusedWith(/exp\(\)/, { 'compute an exponential': 'select exp(290000.0)' }),
  ...refusedWith(/width of more than 1000/, {
    'format with a width': `select format('%900000000s', 'x')`,
    'format with a width after a position': `select format('%1$-900000000s', 'x')`,
    'pad by a type': `select 'x'::char(10000000)`,
  }),
  ...refusedWith(/width that is no constant/, {
    'format with a width among the values': `select format('%*s', 900000000, 'x')`,
  }),
  ...refusedWith(/text that is no constant/, {
    'format with a text that is computed': `select format('%9' || '00000000s', 'x')`,
    'format with an array': `select format(variadic array['%900000000s', 'x'])`,
  }),
  ...refusedWith(/calls repeat/, { repeat: `select repeat('x', 900000000)` }),
  ...refusedWith(/calls lpad/, { 'pad on the left': `select lpad('x', 900000000)` }),
  ...refusedWith(/calls rpad/, { 'pad on the right': `select rpad('x', 900000000)` }),
  ...refusedWith(/calls array_fill/, { 'fill an array': 'select array_fill(1, array[100000000])' }),
  ...refusedWith(/series of more than/, {
    'make a long series': 'select * from generate_series(1, 2000000000)',
    'make a long series backwards': 'select * from generate_series(2000000000, 1, -1)',
  }),
  ...refusedWith(/calls txid_current/, {
    'call behind DISTINCT ON': 'select distinct on (1) txid_current()',
    'call in a window': 'select sum(1) over (order by txid_current())',
    'call by a name in quotation marks': 'select "txid_current"()',
    'call with a comment between': 'select txid_current/* */()',
  }),
  ...refusedWith(/type regclass/, {
    'list names of tables': 'select n::regclass::text from generate_series(16384, 20000) n',
  }),
  ...refusedWith(/type regrole/, {
    'list names of roles': 'select n::regrole::text from generate_series(10, 20000) n',
    'list them by a literal': `select regrole '10'`,
  }),
  ...refusedWith(/type pg_catalog.regrole/, { 'list them by an array': `select '{10}'::pg_catalog.regrole[]::text` }),
  ...refusedWith(/type regprocedure/, { 'list them by CAST': 'select cast(1255 as regprocedure)' }),
  ...refusedWith(/calls regclass/, { 'list them by a function': 'select regclass(1259)' }),
  ...refusedWith(/calls to_regclass/, { 'list them by to_regclass': `select to_regclass('public.api_keys')` }),
  ...refusedWith(/calls pg_typeof/, { 'ask for the type of a name': 'select pg_typeof(1)' }),
  ...refusedWith(/XmlExpr/, { 'read XML from a query': `select xmlforest(query_to_xml('select 1', true, true, ''))` }),
  ...refusedWith(BYTES, {
    'look for a doubled text in another': `${LISTED('t || t')} select strpos(t || t, 'b' || t) from r where n = 20`,
    'double a document': `${LISTED(`jsonb_build_object('a', t, 'b', t)::text`)} select t from r`,
    'double a list': `${LISTED(`array_to_string(string_to_array(t, null) || string_to_array(t, null), '')`)} select t from r`,
    'double by each way to make a text': `${LISTED(`concat(t, t)`)} select t from r`,
    'double through a format': `${LISTED(`format('%s%1$s', t)`)} select t from r`,
    'double through a replacement': `${LISTED(`replace(t, 'a', 'aa')`)} select t from r`,
    'double through a pattern': `${LISTED(`regexp_replace(t, 'a', 'aa', 'g')`)} select t from r`,
    'double through a row': `${LISTED(`row(t, t)::text`)} select t from r`,
    'grow by a column of two': `with recursive r (a, b, c) as (select 'a', 'b', 'c' union all select b, c, a || b from r) select c from r`,
    'grow by a letter at a time': `${LISTED(`t || 'a'`)} select t from r`,
    'grow in the text after a case': `${LISTED(`case when n > 3 then coalesce(null, t || t) else t end`)} select t from r`,
    'double in a chain of tables': chained('x || x', 30),
    'double in a chain of subqueries': Array(30)
      .fill(0)
      .reduce((from) => `(select x || x as x from ${from} a)`, `(select 'a'::text as x)`)
      .slice(1, -1),
    'read long numbers from a list': `select '{${Array(9).fill('1e130000').join()}}'::numeric[]`,
  }),
  ...refusedWith(/NOT MATERIALIZED/, {
    'double tables':
      'with a as not materialized (select 1), b as not materialized (select 1 from a, a b) select 1 from b, b c',
  }),
  ...refusedWith(/makes a list of a query/, {
    'collect rows without an aggregate': 'select array(select generate_series(1, 1000000))',
  }),
  ...refusedWith(/UNION ALL/, {
    'collect rows in a hash table':
      'with recursive r (n) as (select 1 union select n + 1 from r) select count(*) from r',
  }),
  ...refusedWith(/compares rows/, {
    'compare long rows': `select 1 where concat(repeat, 1) not in (select format('%250s', n) from generate_series(1, 9) n)`,
  }),
  ...refusedWith(/VARIADIC/, {
    'pass a list as arguments': `select concat_ws(x, variadic array_agg(zone)) from zones`,
  }),
  ...refusedWith(/calls jsonb_agg/, {
    'collect JSON without bounds': 'select jsonb_agg(n) from generate_series(1, 9) n',
  }),
  ...refusedWith(/calls pg_catalog.array_agg/, {
    'collect by the aggregate of the server': 'select pg_catalog.array_agg(n) from generate_series(1, 9) n',
  }),
]
