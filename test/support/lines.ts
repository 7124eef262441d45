/** Rows as lines, values separated by spaces: `nord 2026-03-29 12.5`; a missing value is `null`. */
export function linesOf(rows: Iterable<object>): string[] {
  return Array.from(rows, (row) => Object.values(row).map(String).join(' '))
}
