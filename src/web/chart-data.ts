/** The table behind a chart. */
export interface ChartData {
  /** Name of the chart on its page. */
  name: string
  title: string
  /** Name of the first column: `date`, `month`, `starts_at`. */
  at: string
  /** `name` is used in files; default: the label in snake case. */
  columns: { name?: string; label: string; unit?: string }[]
  rows: { at: string | number; values: (number | string | undefined)[] }[]
  notes?: string[]
  /** The `source` of the responses; default: the sources of all requests of the page. */
  source?: string | undefined
  /** File name without the extension; default: `name`. */
  file?: string
}
