/** Replaces the Node timers that a job sleeps with: simulated time passes instead of real time. */
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/** If set, each wait calls it with the milliseconds and ends at once. */
let onWait: ((ms: number) => void) | undefined

const wait = timers.setTimeout
timers.setTimeout = ((ms = 0, value?: unknown, options?: object) => {
  if (onWait === undefined) return wait(ms, value, options)
  onWait(ms)
  return timers.setImmediate(value)
}) as typeof timers.setTimeout
syncBuiltinESMExports()

export async function withSkippedWaits<T>(passing: (ms: number) => void, work: () => Promise<T>): Promise<T> {
  onWait = passing
  try {
    return await work()
  } finally {
    onWait = undefined
  }
}
