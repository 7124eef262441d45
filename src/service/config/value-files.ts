/** `<NAME>_FILE` names a file with the value of `<NAME>`, as secrets are handed to containers. */
import { readFileSync } from 'node:fs'

const SUFFIX = '_FILE'

interface StatedValues {
  values: Record<string, string>
  problems: string[]
}

/** The variables, with values read from their files, without the line end that editors add. Unknown names are ignored. */
export function readValueFiles(stated: Readonly<Record<string, string>>, known: readonly string[]): StatedValues {
  const values = { ...stated }
  const problems: string[] = []
  for (const name of known) {
    const file = stated[name + SUFFIX]
    if (file === undefined) continue
    delete values[name + SUFFIX]
    if (stated[name] !== undefined) {
      problems.push(`${name}: is set twice, directly and by ${name + SUFFIX}`)
      continue
    }
    try {
      values[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    } catch (err) {
      problems.push(`${name + SUFFIX}: ${err instanceof Error ? err.message : String(err)}`)
    }
  }
  return { values, problems }
}
