/** Publishers of the values in rows, each once, in alphabetical order. */
export function sourceIdsOf(rows: readonly { sources: readonly string[] | null }[]): string[] {
  return [...new Set(rows.flatMap(({ sources }) => sources ?? []))].sort()
}
