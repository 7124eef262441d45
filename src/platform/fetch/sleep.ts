/** Waiting that a stop ends at once. */
import { setTimeout as delay } from 'node:timers/promises'

export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Fails with the signal's reason when it is aborted meanwhile. */
export const sleep: Sleep = async (milliseconds, signal) => {
  signal.throwIfAborted()
  if (milliseconds <= 0) return
  try {
    await delay(milliseconds, undefined, { signal })
  } catch (err) {
    signal.throwIfAborted()
    throw err
  }
}
