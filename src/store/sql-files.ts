/** The files under sql/, read once. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Sql, Transaction } from './connect-sql.ts'

export const SQL_FOLDER = path.join(import.meta.dirname, '../../sql')

/** Returns the text of `sql/queries/<name>.sql`; its head comment describes its result and its parameters. */
export function queryText(name: string): string {
  return readFileSync(path.join(SQL_FOLDER, 'queries', `${name}.sql`), 'utf8')
}

/** A connection, a transaction or a replica. */
export type Queryable = Pick<Sql | Transaction, 'unsafe'>
type Parameter = NonNullable<Parameters<Queryable['unsafe']>[1]>[number]

/** Returns a function that runs that file as a prepared statement: `await LIST_DAYS(sql, from, to)` gives its rows. */
export function query<Row extends object>(name: string) {
  return preparedQuery<Row>(queryText(name))
}

/** The same for hours, from a file about days: each comment `-- hours: …` in it replaces the line above. */
export function queryOfHours<Row extends object>(name: string) {
  return preparedQuery<Row>(renderTemplate(queryText(name), 'hours'))
}

/**
 * Returns a function that runs that file or, as of an instant, `<name>_as_of`. If the two differ only in their relations, there is one
 * file, in which each comment `-- as of: from …` replaces the line above. The instant is the last parameter.
 */
export function queryAsOf<Row extends object>(name: string) {
  const text = queryText(name)
  const textAsOf = renderTemplate(text, 'as of')
  const [current, past] = [
    preparedQuery<Row>(text),
    preparedQuery<Row>(textAsOf === text ? queryText(`${name}_as_of`) : textAsOf),
  ]
  return (sql: Queryable, asOf: Temporal.Instant | string | undefined, ...parameters: Parameter[]) =>
    asOf === undefined ? current(sql, ...parameters) : past(sql, ...parameters, asOf)
}

/** The row of a `Type`: null where a property is undefined. */
export type RowOf<Type> = {
  [Name in keyof Type]-?: undefined extends Type[Name] ? Exclude<Type[Name], undefined> | null : Type[Name]
}

/** Replaces null by undefined. */
export function withoutNulls<Type>(row: RowOf<Type>): Type {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])) as Type
}

function renderTemplate(text: string, of: 'hours' | 'as of'): string {
  return text.replace(new RegExp(`^.*\\n *-- ${of}: (.*)$`, 'gm'), '$1')
}

function preparedQuery<Row extends object>(text: string) {
  return (sql: Queryable, ...parameters: Parameter[]) => sql.unsafe<Row[]>(text, parameters, { prepare: true })
}
