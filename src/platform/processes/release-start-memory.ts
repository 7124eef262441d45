/**
 * Releases memory left over from the start, which V8 would keep until the heap grows again: an eighth of the memory of an idle
 * service. Runs once, when the work after a start is done.
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
