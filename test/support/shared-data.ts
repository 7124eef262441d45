/** Real publisher files, which are not part of the project: a folder beside the checkout, present on some machines only. */
import { existsSync } from 'node:fs'
import path from 'node:path'

const SHARED_DATA = path.join(import.meta.dirname, '../../../shared/data')

/** Path of a real file, undefined where it is absent; tests then skip: `describe.skipIf(!file)(needsSharedData(…), …)`. */
export function sharedData(relativePath: string): string | undefined {
  const file = path.join(SHARED_DATA, relativePath)
  return existsSync(file) ? file : undefined
}

/** Title of a suite that says why it may be skipped. */
export function needsSharedData(title: string): string {
  return `${title} (needs ../shared/data)`
}
