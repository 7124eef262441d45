/**
 * The databases that a first start unpacks instead of creating its own: prepared at installation (`npm run prepare-database`). If
 * they are missing, or their inputs have changed since, a first start creates its own and takes longer.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** `migrated`: only the schema. `sample`: with synthetic data up to the day of preparation; the start adds what is newer. */
export type FirstDatabase = 'migrated' | 'sample'

const ROOT = path.join(import.meta.dirname, '../..')
const FOLDER = path.join(ROOT, 'node_modules/.cache/first-database')
/** Their inputs: the schema, the publishers, the versions of the engine and the queue, and the code that makes them. */
const INPUTS = [
  'sql/migrations',
  'sql/objects',
  'src/publishers',
  'package.json',
  'src/service/prepare-first-database.ts',
]

/** Returns the packed database, if it exists. */
export function findFirstDatabase(kind: FirstDatabase): string | undefined {
  const file = firstDatabaseFile(kind)
  return existsSync(file) ? file : undefined
}

export function firstDatabaseFile(kind: FirstDatabase): string {
  return path.join(FOLDER, `${kind}-${digestOfInputs()}.zst`)
}

/** Changes whenever an input changes. */
function digestOfInputs(): string {
  const hash = createHash('sha256')
  for (const file of INPUTS.flatMap(filesOf)) hash.update(`${file}\0`).update(readFileSync(path.join(ROOT, file)))
  return hash.digest('hex').slice(0, 16)
}

function filesOf(input: string): string[] {
  if (path.extname(input) !== '') return [input]
  const entries = readdirSync(path.join(ROOT, input), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))).sort()
}
