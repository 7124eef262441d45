/** A wait that an abort signal ends at once. */
import { setTimeout as delay } from 'node:timers/promises'

export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Rejects with the signal's reason if it is aborted. */
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
