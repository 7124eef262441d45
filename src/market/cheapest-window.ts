/** Finds the cheapest window of a price curve in which to run something for a number of hours. Times are seconds since 1970. */

interface PricedInterval {
  startsAt: number
  endsAt: number
  price: number
}

/** A quarter of an hour. Windows consist of whole slots, so that they can span intervals of any length. */
export const SLOT_SECONDS = 900

interface Slot {
  startsAt: number
  price: number
  /** Index of its interval in the curve. */
  interval: number
}

interface WindowRequest {
  slots: number
  isContiguous: boolean
  /** The first instant at which it may begin. */
  from: number
  /** The instant by which it has to end. */
  until: number
  /** Whether a slot may be used. */
  isAllowed: (startsAt: number) => boolean
}

/** A contiguous part of a window. */
export interface WindowBlock {
  startsAt: number
  endsAt: number
  mean: number
  /** Indices of its first and last interval in the curve. */
  first: number
  last: number
}

export interface CheapestWindow {
  mean: number
  blocks: WindowBlock[]
}

/** Returns the cheapest window, the earliest of equal ones; undefined if the curve has too few allowed slots. */
export function cheapestWindow(curve: readonly PricedInterval[], request: WindowRequest): CheapestWindow | undefined {
  const usable = slotsOf(curve).filter(
    ({ startsAt }) =>
      startsAt >= request.from && startsAt + SLOT_SECONDS <= request.until && request.isAllowed(startsAt),
  )
  const chosen = request.isContiguous ? cheapestRun(usable, request.slots) : cheapestSlots(usable, request.slots)
  return chosen && { mean: meanOf(chosen), blocks: blocksOf(chosen) }
}

/** Mean of the slots beginning at `from`; undefined if one of them has no price. */
export function meanFrom(curve: readonly PricedInterval[], from: number, slots: number): number | undefined {
  const run = slotsOf(curve)
    .filter(({ startsAt }) => startsAt >= from)
    .slice(0, slots)
  return run.length === slots && isRun(run) && run[0]?.startsAt === from ? meanOf(run) : undefined
}

function slotsOf(curve: readonly PricedInterval[]): Slot[] {
  return curve.flatMap(({ startsAt, endsAt, price }, interval) =>
    Array.from({ length: (endsAt - startsAt) / SLOT_SECONDS }, (_, i) => ({
      startsAt: startsAt + i * SLOT_SECONDS,
      price,
      interval,
    })),
  )
}

/** Means are compared with a tolerance, so that rounding does not favour a later window of the same price. */
const MEAN_TOLERANCE = 1e-9

function cheapestRun(slots: readonly Slot[], length: number): Slot[] | undefined {
  let best: { at: number; mean: number } | undefined
  for (let at = 0; at + length <= slots.length; at++) {
    const run = slots.slice(at, at + length)
    if (!isRun(run)) continue
    const mean = meanOf(run)
    if (best === undefined || mean < best.mean - MEAN_TOLERANCE) best = { at, mean }
  }
  return best && slots.slice(best.at, best.at + length)
}

function cheapestSlots(slots: readonly Slot[], count: number): Slot[] | undefined {
  if (slots.length < count) return undefined
  return slots
    .toSorted((a, b) => a.price - b.price || a.startsAt - b.startsAt)
    .slice(0, count)
    .sort((a, b) => a.startsAt - b.startsAt)
}

/** Whether the slots are contiguous. They are sorted and distinct, so comparing the first and the last is enough. */
function isRun(slots: readonly Slot[]): boolean {
  const [first, last] = [slots[0], slots.at(-1)]
  if (first === undefined || last === undefined) return false
  return last.startsAt - first.startsAt === (slots.length - 1) * SLOT_SECONDS
}

function blocksOf(slots: readonly Slot[]): WindowBlock[] {
  const runs: Slot[][] = []
  for (const slot of slots) {
    const run = runs.at(-1)
    if (run?.at(-1)?.startsAt === slot.startsAt - SLOT_SECONDS) run.push(slot)
    else runs.push([slot])
  }
  return runs.map((run) => {
    const [first, last] = [run[0] as Slot, run.at(-1) as Slot]
    return {
      startsAt: first.startsAt,
      endsAt: last.startsAt + SLOT_SECONDS,
      mean: meanOf(run),
      first: first.interval,
      last: last.interval,
    }
  })
}

function meanOf(slots: readonly Slot[]): number {
  return slots.reduce((sum, { price }) => sum + price, 0) / slots.length
}
