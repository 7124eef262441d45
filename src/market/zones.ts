/** Zones of the electricity day-ahead market as the contract spells them. Spec: "Zonal prices", "Hourly prices". */

/** The code under which the PUN itself is stored and requested. */
export const NATIONAL_ZONE = 'nazionale'

/** The six market zones of the contract, in its order. */
export const MARKET_ZONES = ['nord', 'cnor', 'csud', 'sud', 'sici', 'sard'] as const

/** All market zones, including Calabria, which became a zone on 1 January 2021. */
export const ALL_MARKET_ZONES = [...MARKET_ZONES, 'cala'] as const
export type MarketZone = (typeof ALL_MARKET_ZONES)[number]

/** Every zone whose prices are stored: the PUN and the market zones. */
export const STORED_ZONES = [NATIONAL_ZONE, ...ALL_MARKET_ZONES] as const
export type ZoneCode = (typeof STORED_ZONES)[number]

/** Whether the text is the code of a zone whose prices are stored. */
export function isZoneCode(text: string): text is ZoneCode {
  return (STORED_ZONES as readonly string[]).includes(text)
}
