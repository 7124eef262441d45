/** EEX's names in its two public forms of gas prices at the TTF. */

/** Columns of the neutral gas price's CSV, without the unit after them. */
export const NGP_COLUMNS = { day: 'gasday', price: 'indexvalue', volume: 'indexvolume', status: 'status' } as const

/** How the CSV begins, whatever its encoding. */
export const NGP_BEGINNING = 'Gasday;'

/** The unit after `IndexValue`, without the euro sign, which some editions garble. */
export const NGP_UNIT = /\(\D*\/MWh\)$/i

/** `Final NGP`: the gas day is over and its price fixed. */
export const FINAL = /^final\b/i
/** `Temporary NGP`: computed while the gas day is traded; replaced by the final one. */
export const TEMPORARY = /^temporary\b/i
/** In place of a price. */
export const NO_INDEX = /^no\s*index$/i

/** Columns of a table of settlements. */
export const TABLE_COLUMNS = { day: 'deliveryDay', price: 'settlPx', currency: 'currency', unit: 'uOM' } as const
export const CURRENCY = 'EUR'
export const UNIT = 'MWh'
