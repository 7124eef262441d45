/**
 * Zeros that mean "no value". A price of exactly 0 is genuine in this market, so zeros are refused only where their surroundings
 * contradict them. Measured on GME's results (PUN 2004-2022, all zones 2022-2024):
 *
 * - PUN and the mainland zones come down to zero gradually: none of their 15 runs of zeros lay between two prices above
 *   7.61 €/MWh (`cnor` and `csud`, hour 12 of 2024-09-29).
 * - Sicily, Sardinia and Calabria depend on few lines and drop to zero abruptly: Sardinia's hours 10-18 of 2023-09-07 stood at 0
 *   between 132.59 and 133.53, its hour 11 of 2024-04-03 alone at 0 between 135.00 and 93.98. Their own neighbouring hours prove nothing.
 * - No zone had a zero in the hours 3 and 4 of a change day, where publishers are known to write zeros, nor a whole day of zeros.
 */
import { hoursInMarketDay } from '../market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../market/zones.ts'
import type { Items, Parsed, ZoneDay } from '../publishers/observations.ts'

/** €/MWh. Prices this far from zero on every side contradict a run of zeros; four times the maximum observed. */
const FAR_FROM_ZERO = 30
/** The same for the hours around a daylight-saving change: low enough for a cheap night. */
const FAR_FROM_ZERO_ON_CHANGE = 5
const CHANGE_HOURS = { first: 3, last: 4 }

/** Zones whose price does not jump to zero and back between neighbouring intervals. */
const GRADUAL_ZONES: ReadonlySet<ZoneCode> = new Set([NATIONAL_ZONE, 'nord', 'cnor', 'csud', 'sud'])

/** Ordinals, first and last inclusive. */
interface ZeroRun {
  first: number
  last: number
}

/** The runs of exact zeros that the zone-day's other prices contradict. */
export function contradictedZeroRuns(zoneDay: ZoneDay): ZeroRun[] {
  return zeroRuns(zoneDay.prices).filter((run) => isContradicted(run, zoneDay))
}

/** `[5, 0, 0, 7, 0]` has the runs 2-3 and 5-5. */
export function zeroRuns(prices: readonly (number | undefined)[]): ZeroRun[] {
  const runs: ZeroRun[] = []
  for (const [index, price] of prices.entries()) {
    if (price !== 0) continue
    const run = runs.at(-1)
    if (run?.last === index) run.last += 1
    else runs.push({ first: index + 1, last: index + 1 })
  }
  return runs
}

function isContradicted(run: ZeroRun, { zone, day, prices, resolutionMinutes }: ZoneDay): boolean {
  const sides = [prices[run.first - 2], prices[run.last]].filter((price) => price !== undefined)
  if (sides.length === 0) return true // nothing but zeros
  if (GRADUAL_ZONES.has(zone) && allBeyond(sides, FAR_FROM_ZERO)) return true
  const hourOf = (ordinal: number) => Math.ceil((ordinal * resolutionMinutes) / 60)
  const atChange =
    hoursInMarketDay(day) !== 24 && hourOf(run.first) >= CHANGE_HOURS.first && hourOf(run.last) <= CHANGE_HOURS.last
  return atChange && allBeyond(sides, FAR_FROM_ZERO_ON_CHANGE)
}

/** All on the same side of zero: between −40 and 40 a price may well pass through zero. */
function allBeyond(sides: readonly number[], distance: number): boolean {
  return sides.every((price) => price >= distance) || sides.every((price) => price <= -distance)
}

// Zeros of the islands and Calabria cannot be judged by their own prices (see above). But if the same document has a contradicted
// zero for the PUN or a mainland zone, its zeros for the other zones in that interval are not trusted either.

/** Passes items through in order. Zone-days of one day are adjacent; they get the fault if another zone of that day proves it. */
export async function* contradictCompanionZeros(parsed: AsyncIterable<Parsed>): Items {
  let companions: ZoneDay[] = []
  try {
    for await (const item of parsed) {
      const [first] = companions
      if (item.kind === 'zone-day' && (first === undefined || sameDay(first, item))) {
        companions.push(item)
        continue
      }
      yield* addCompanionFaults(companions)
      companions = []
      if (item.kind === 'zone-day') companions.push(item)
      else yield item
    }
  } catch (err) {
    yield* addCompanionFaults(companions)
    throw err
  }
  yield* addCompanionFaults(companions)
}

function sameDay(a: ZoneDay, b: ZoneDay): boolean {
  return a.resolutionMinutes === b.resolutionMinutes && a.day.equals(b.day)
}

function addCompanionFaults(companions: ZoneDay[]): ZoneDay[] {
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
