/** Plain-text tables and charts. */
const EIGHTHS = ' ▁▂▃▄▅▆▇█'
const CHART_LINES = 6

/** Renders a table; columns of numbers are right-aligned. */
export function table(head: string[], rows: string[][]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const isNumber = head.map((_, column) => rows.length > 0 && rows.every((row) => /^-?[\d.]+$/.test(row[column] ?? '')))
  return lines
    .map((line) =>
      line
        .map((text, column) =>
          isNumber[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Renders one bar per value. Bars start at zero, or at the lowest value if negative. */
export function chart(values: number[]): string {
  const bottom = Math.min(0, ...values)
  const top = Math.max(...values)
  const heights = values.map((value) => Math.round(((value - bottom) / (top - bottom || 1)) * CHART_LINES * 8))
  const width = values.length > 30 ? 1 : 2
  const line = (level: number) =>
    heights
      .map((height) => EIGHTHS.charAt(Math.max(0, Math.min(8, height - level * 8))).repeat(width))
      .join('')
      .trimEnd()
  const lines = Array.from({ length: CHART_LINES }, (_, i) => line(CHART_LINES - 1 - i))
  return [`${top.toFixed(2)} ┐`, ...lines.map((text) => `  ${text}`), `${bottom.toFixed(2)} ┘`].join('\n')
}
