/** EEX's names in the yearly report of its primary auctions of EU emission allowances. */

/** The auctioned product that counts as the price of CO2: general allowances since 2013. T2PA, EAA2, EAA3 (aviation) do not. */
export const CONTRACT = 'T3PA'

/** Headers in lower case, without the line breaks that some years have in them. */
export const COLUMNS = {
  date: 'date',
  contract: 'contract',
  price: 'auction price €/tco2',
  volume: 'auction volume tco2',
} as const
/** From 2020 on. */
export const STATUS_COLUMN = 'status'

/** Identifies the header row, whatever is above it. */
export const HEADER_MARK = 'auction price'

export const CANCELLED = /^cancel/i
