/** Trainings of days and of hours share two places: each needs a core and some 300 MB. */
import os from 'node:os'

let free = Math.min(2, os.availableParallelism())
const waiting: (() => void)[] = []

/** Runs when a place is free, in the order of the calls. */
export async function withTrainingSlot<Result>(run: () => Promise<Result>): Promise<Result> {
  if (free > 0) free--
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await run()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}
