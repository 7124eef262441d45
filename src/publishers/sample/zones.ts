/**
 * How the lines between zones make their prices differ. The sun and the wind are in the south and on the islands, the demand in
 * the north: where the surplus exceeds what a line carries, the zones behind it have less left for plants to serve, and a lower
 * price; where the north needs more than lines bring, its price is higher. Everywhere else zones stay equal.
 */
import type { NATIONAL_ZONE, ZoneCode } from '../../market/zones.ts'
import type { Load } from './load.ts'
import { uniformNoise } from './noise.ts'

export type PhysicalZone = Exclude<ZoneCode, typeof NATIONAL_ZONE>

const NORTH_TO_SOUTH: readonly PhysicalZone[] = ['nord', 'cnor', 'csud', 'sud', 'cala']

/** Which line of the mainland is the first to fill, as the number of zones north of it; the one south of Rome most often. */
const BORDERS = [1, 2, 3, 3, 3]

/** What the lines carry on a day, as shares of the country's highest demand. */
interface Lines {
  zonesNorthOfBorder: number
  northLimit: number
  southLimit: number
  sicilyLimit: number
  sardiniaLimit: number
  /** Demand that Sicily's own plants must serve while the cable is being repaired. */
  sicilyShortage: number
}

const draws = uniformNoise('lines')

/** Demand left to plants in each zone, as a share of the country's highest demand. */
type Residuals = Record<PhysicalZone, number>

export function residualsOf(load: Load, lines: Lines): Residuals {
  const country = load.demand - load.solar - load.wind
  const surplus = Math.max(0, 0.75 * load.solar + load.wind - lines.southLimit)
  const shortage = Math.max(0, country - lines.northLimit)
  const onMainland = (zone: PhysicalZone) =>
    NORTH_TO_SOUTH.indexOf(zone) < lines.zonesNorthOfBorder
      ? country + 0.1 * surplus + 0.14 * shortage
      : country - 0.7 * surplus - 0.09 * shortage
  return {
    nord: onMainland('nord'),
    cnor: onMainland('cnor'),
    csud: onMainland('csud'),
    sud: onMainland('sud'),
    cala: onMainland('cala'),
    sici:
      onMainland('cala') +
      lines.sicilyShortage +
      0.12 * shortage -
      Math.max(0, 0.7 * load.solar + load.wind - lines.sicilyLimit),
    sard: onMainland('csud') - 0.05 * shortage - Math.max(0, 0.3 * load.solar + load.wind - lines.sardiniaLimit),
  }
}

/** The lines of a day, given as days since 1970. */
export function linesOn(day: number): Lines {
  return {
    zonesNorthOfBorder: BORDERS[Math.floor(draws(day, 0) * BORDERS.length)] ?? 1,
    northLimit: 0.33 + 0.24 * draws(day, 5),
    southLimit: 0.14 + 0.24 * draws(day, 1),
    sicilyLimit: 0.2 + 0.2 * draws(day, 2),
    sardiniaLimit: 0.1 + 0.12 * draws(day, 3),
    sicilyShortage: draws(day, 4) < 0.08 ? 0.06 : 0,
  }
}
