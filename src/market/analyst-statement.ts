/**
 * Refuses, before the database sees it, what an analyst's statement over HTTP has no business with. The role analyst is what protects
 * the data; this says no in words, and stands where a managed server leaves PUBLIC more functions than it should.
 */
import { ANALYST_FUNCTIONS } from './analyst-functions.ts'
import { readSql, SqlFault, type SqlToken } from './sql-text.ts'

const BEGINNINGS = ['select', 'with', 'values', 'table']

/** Words that a parenthesis may follow and that are no functions. */
const BEFORE_PARENTHESIS = new Set(
  `all and any array as between bit by case cast char character cube decimal distinct else except exists filter float from group having
   ilike in intersect interval is join lateral like limit materialized not numeric offset on only or order over partition precision
   recursive rollup row select sets similar some symmetric then time timestamp timestamptz to union using values varchar when where
   window with within`.split(/\s+/),
)
/** After these a word followed by a parenthesis is a new name with its columns: `with prices (day, price) as …`. */
const BEFORE_NEW_NAME = new Set(['as', 'with', 'recursive'])

/** Schemas and catalogues beside the views; each of them is also refused by the database. */
const SYSTEM_NAME = /^(?:pg_|information_schema$|_?timescaledb|public$|pgboss$)/

/** Words of statements that write or command, for a clearer no than the syntax error that they would be. */
const COMMANDS = new Set(
  `alter analyze begin call checkpoint close cluster comment commit copy create deallocate declare delete discard do drop end execute
   explain fetch grant import insert listen load lock merge move notify prepare reassign refresh reindex release reset revoke rollback
   savepoint security set show start truncate unlisten update vacuum`.split(/\s+/),
)

/** Why the statement is refused, a phrase that follows "sql"; undefined where nothing speaks against it. */
export function refusalOfStatement(sql: string): string | undefined {
  try {
    return refusalOf(readSql(sql))
  } catch (err) {
    if (err instanceof SqlFault) return err.message
    throw err
  }
}

function refusalOf(tokens: readonly SqlToken[]): string | undefined {
  const end = tokens.findIndex((token) => isSign(token, ';'))
  if (end >= 0 && end < tokens.length - 1) return 'holds more than one statement; send them one by one'
  const first = tokens.find((token) => !isSign(token, '('))
  if (first === undefined || isSign(first, ';')) return 'holds no statement'
  const beginning = first.kind === 'word' && !first.quoted ? first.text : ''
  if (COMMANDS.has(beginning)) return `begins with ${beginning.toUpperCase()}; only queries are taken`
  if (!BEGINNINGS.includes(beginning)) return 'must be a query: SELECT, WITH, VALUES or TABLE'
  return tokens
    .values()
    .map((_, i) => refusalAt(tokens, i))
    .find((refusal) => refusal !== undefined)
}

function refusalAt(tokens: readonly SqlToken[], i: number): string | undefined {
  const token = tokens[i]
  if (isSign(token, '$')) return 'holds a parameter; write the value itself'
  if (token?.kind !== 'word') return undefined
  if (SYSTEM_NAME.test(token.text) && !isCatalogOfFunctions(tokens, i))
    return `names ${token.text}; only the views of the schema analytics can be read`
  if (!isSign(tokens[i + 1], '(')) return undefined
  if (!token.quoted && BEFORE_PARENTHESIS.has(token.text)) return undefined
  const before = tokens[i - 1]
  if (isSign(before, ')') || (before?.kind === 'word' && !before.quoted && BEFORE_NEW_NAME.has(before.text)))
    return undefined
  if (ANALYST_FUNCTIONS.has(token.text)) return undefined
  return `calls ${token.text}(), which is not among the functions that can be called here`
}

/** `pg_catalog.round(…)`: the name of the schema before a function that may be called. */
function isCatalogOfFunctions(tokens: readonly SqlToken[], i: number): boolean {
  const [schema, dot, name, parenthesis] = tokens.slice(i, i + 4)
  return (
    schema?.kind === 'word' &&
    schema.text === 'pg_catalog' &&
    isSign(dot, '.') &&
    name?.kind === 'word' &&
    isSign(parenthesis, '(')
  )
}

function isSign(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text
}
