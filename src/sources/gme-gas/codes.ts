/** GME's codes in the XML of continuous trading on the gas market. */

/** Row element of a product in a session. */
export const PRODUCT_ROW = 'negoziazione_continua'

/** A day-ahead product by its delivery day: `MGP-2026-01-15`. Weekends (`WE-…`), working days (`WD-…`) and within-day (`MI-…`) differ. */
export const DAY_PRODUCT = /^MGP-(\d{4}-\d{2}-\d{2})$/

export const SESSION_TAG = 'DataSessione'
export const PRODUCT_TAG = 'NomeProdotto'

/** Mean of the session's trades weighted by volume, €/MWh; absent where nothing was traded. */
export const PRICE_TAG = 'PrezzoMedio'

/** What was traded, MWh; absent where nothing was. */
export const VOLUME_TAG = 'Volumi'
