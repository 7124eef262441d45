/** Real publisher files, which are not part of the project: in a folder outside the checkout, present on some machines only. */
import { existsSync } from 'node:fs'
import path from 'node:path'

const SHARED_DATA = path.join(import.meta.dirname, '../../../shared/data')

/** Path of a real file; undefined if it is absent, so that tests can skip: `describe.skipIf(!file)(needsSharedData(…), …)`. */
export function sharedData(relativePath: string): string | undefined {
  const file = path.join(SHARED_DATA, relativePath)
  return existsSync(file) ? file : undefined
}

/** Title of a suite that says why it may be skipped. */
export function needsSharedData(title: string): string {
  return `${title} (needs ../shared/data)`
}
