/** Replaces the Node timers that a job sleeps with: simulated time passes instead of real time. */
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/** If set, each wait calls it with the milliseconds and ends at once. */
let pass: ((ms: number) => void) | undefined

const wait = timers.setTimeout
timers.setTimeout = ((ms = 0, value?: unknown, options?: object) => {
  if (pass === undefined) return wait(ms, value, options)
  pass(ms)
  return timers.setImmediate(value)
}) as typeof timers.setTimeout
syncBuiltinESMExports()

export async function skippingWaits<T>(passing: (ms: number) => void, work: () => Promise<T>): Promise<T> {
  pass = passing
  try {
    return await work()
  } finally {
    pass = undefined
  }
}
