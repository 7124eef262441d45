import type { ZoneCode } from '../../src/market/zones.ts'
import { hoursOf } from '../model.ts'
import type { HourlyArtefact, HourlyModel } from './model.ts'

/** @throws RangeError where the artefact is another model's, another version's, or another zone's */
export function assertHourlyArtefactOf({ id, version }: HourlyModel, artefact: HourlyArtefact, zone: ZoneCode): void {
  if (artefact.model === id && artefact.version === version && artefact.asset === hoursOf(zone)) return
  throw new RangeError(
    `${id} ${version} cannot forecast ${hoursOf(zone)} from an artefact of ${artefact.model} ${artefact.version} for ${artefact.asset}`,
  )
}
