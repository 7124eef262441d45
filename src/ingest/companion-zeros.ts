/**
 * Zeros of the islands and Calabria cannot be assessed by their own day (see zero-runs.ts). But where the same document states a zero
 * for the PUN or a mainland zone that is contradicted, its zeros for the other zones in that interval are no better.
 */
import type { Items, Parsed, ZoneDay } from '../publishers/observations.ts'
import { contradictedZeroRuns, zeroRuns } from './zero-runs.ts'

/** Passes items on in their order; zone-days of one day, which come together, get the fault where a companion proves it. */
export async function* contradictCompanionZeros(parsed: AsyncIterable<Parsed>): Items {
  let companions: ZoneDay[] = []
  try {
    for await (const item of parsed) {
      const [first] = companions
      if (item.kind === 'zone-day' && (first === undefined || sameDay(first, item))) {
        companions.push(item)
        continue
      }
      yield* withFaults(companions)
      companions = []
      if (item.kind === 'zone-day') companions.push(item)
      else yield item
    }
  } catch (err) {
    yield* withFaults(companions)
    throw err
  }
  yield* withFaults(companions)
}

function sameDay(a: ZoneDay, b: ZoneDay): boolean {
  return a.resolutionMinutes === b.resolutionMinutes && a.day.equals(b.day)
}

function withFaults(companions: ZoneDay[]): ZoneDay[] {
  for (const zoneDay of companions) {
    const runs = zeroRuns(zoneDay.prices)
    if (runs.length === 0 || contradictedZeroRuns(zoneDay).length > 0) continue
    const proof = companions.find((other) =>
      contradictedZeroRuns(other).some((bad) => runs.some((run) => run.first <= bad.last && bad.first <= run.last)),
    )
    if (!proof) continue
    const detail = `zeros in intervals that the document states as 0 for ${proof.zone} too, where neighbouring prices contradict it`
    zoneDay.faults.push({ code: 'zero_run', place: `${zoneDay.zone} ${zoneDay.day}`, detail })
  }
  return companions
}
