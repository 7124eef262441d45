/** Zones of the electricity day-ahead market as the contract spells them. Spec: "Zonal prices", "Hourly prices". */

/** The code under which the PUN itself is stored and asked for. */
export const NATIONAL_ZONE = 'nazionale'

/** The six market zones the contract shows, in its order. */
export const MARKET_ZONES = ['nord', 'cnor', 'csud', 'sud', 'sici', 'sard'] as const

/** Every zone whose prices are stored: the PUN, the six, and Calabria, a zone of its own since 2021. */
export const STORED_ZONES = [NATIONAL_ZONE, ...MARKET_ZONES, 'cala'] as const
export type ZoneCode = (typeof STORED_ZONES)[number]

/** Whether the text is the code of a zone whose prices are stored. */
export function isZoneCode(text: string): text is ZoneCode {
  return (STORED_ZONES as readonly string[]).includes(text)
}
