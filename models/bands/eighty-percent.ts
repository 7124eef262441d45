/** The 80% band of every forecast: between these two quantiles, on both sides of the median. */
export const LOW = 0.1
export const MEDIAN = 0.5
export const HIGH = 0.9
export const QUANTILES = [LOW, MEDIAN, HIGH] as const
