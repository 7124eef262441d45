/** A broken promise, by its name in `test/guarantees.md` or the README of this folder, and how it was detected. */
export class Violation extends Error {
  readonly promise: string
  override name = 'Violation'

  constructor(promise: string, seen: string) {
    super(`${promise}\n    ${seen}`)
    this.promise = promise
  }
}

/** Throws if the lines differ from the expected ones; shows the first few differences. */
export function expectLines(promise: string, actual: readonly string[], expected: readonly string[]): void {
  const [have, want] = [new Set(actual), new Set(expected)]
  const missing = expected.filter((line) => !have.has(line))
  const unexpected = actual.filter((line) => !want.has(line))
  if (missing.length + unexpected.length === 0 && actual.length === expected.length) return
  const shown = (lines: string[]) => lines.slice(0, 5).join(' | ')
  throw new Violation(
    promise,
    `${actual.length} for ${expected.length}; missing: ${shown(missing)}; unexpected: ${shown(unexpected)}`,
  )
}
