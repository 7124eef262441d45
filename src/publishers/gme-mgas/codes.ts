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

/** Names of a row's fields in JSON. */
export interface JsonSpelling {
  session: string
  product: string
  /** Weighted mean of the session's trades, €/MWh. */
  price: string
  /** MWh. */
  volume: string
}

export const JSON_SPELLINGS: readonly JsonSpelling[] = [
  { session: 'data', product: 'prodotto', price: 'prezzoRiferimento', volume: 'volumiMWh' },
  { session: 'FlowDate', product: 'Product', price: 'AveragePrice', volume: 'MWhVolumes' },
]

/** Values of `Market` that are not the day-ahead one. */
export const WITHIN_DAY = /^M[IT]/i

/** The sheet of the yearly workbook that holds the PSV, and its header. */
export const YEAR_SHEET = /^MGP-GAS\s*-\s*Negoziazione continua$/i
export const YEAR_DAY = /^giorno gas/i
export const YEAR_PRICE = /^prezzo medio ponderato/i
export const YEAR_UNIT = '€/MWh'
