/** Live heap size: garbage is collected first, so that the figure does not depend on when V8 last did. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

export function liveHeapBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
