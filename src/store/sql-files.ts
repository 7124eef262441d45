/** The files under sql/, read once. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

export const SQL_FOLDER = path.join(import.meta.dirname, '../../sql')

/** The text of `sql/queries/<name>.sql`; its head comment says what it answers and what its parameters are. */
export function query(name: string): string {
  return readFileSync(path.join(SQL_FOLDER, 'queries', `${name}.sql`), 'utf8')
}
