/** The version of the service, as package.json states it: stored with every artefact and replay. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const PACKAGE = path.join(import.meta.dirname, '../../package.json')

let version: string | undefined

export function codeVersion(): string {
  version ??= (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version
  return version
}
