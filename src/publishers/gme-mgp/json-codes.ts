/** Names in GME's JSON: the data set `ME_ZonalPrices` of its API, and the rows behind its public pages. */

/** Fields of a row of `ME_ZonalPrices`. Values are strings to some clients and numbers to others. */
export const FIELDS = {
  day: 'FlowDate',
  market: 'Market',
  zone: 'Zone',
  hour: 'Hour',
  /** Quarter-hour of the day, 1..96 (92, 100); 0 or absent where the rows are hours. */
  period: 'Period',
  price: 'Price',
} as const

/** Fields of a row behind the public pages: elapsed hour and the last quarter-hour in it. The row does not state its zone. */
export const PAGE_FIELDS = { day: 'df', hour: 'h', lastQuarter: 'qh', price: 'p' } as const

export const QUARTERS_PER_HOUR = 4
