/** How charts show an actual price and its forecast with the band. */
import type { ChartTable } from './chart.ts'

interface BandTexts {
  actual: string
  low: string
  median: string
  high: string
  bandKey: string
}

/** Columns and key of price, p10, median and p90, in this order. */
export function bandColumns(texts: BandTexts): Pick<ChartTable, 'columns' | 'key'> {
  return {
    columns: [
      { label: texts.actual, line: 'actual' },
      { label: texts.low, line: 'low' },
      { label: texts.median, line: 'median' },
      { label: texts.high, line: 'high' },
    ],
    key: [
      { line: 'actual', label: texts.actual },
      { line: 'median', label: texts.median },
      { line: 'low', label: texts.bandKey },
    ],
  }
}
