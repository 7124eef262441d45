/** EIA's codes in answers of its API v2, route `petroleum/pri/spt`. */

/** Europe Brent spot price FOB. Several series share the route. */
export const SERIES = 'RBRTE'

export const UNITS = '$/BBL'
