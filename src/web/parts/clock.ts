import type { View } from '../view.ts'

/** Writes the clock time of one of these instants, with its offset where the same clock time comes twice: `02:00 (+01:00)`. */
export function clockAmong(startsAt: readonly string[], view: View): (instant: string) => string {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const wall of startsAt.map(wallOf)) (seen.has(wall) ? repeated : seen).add(wall)
  return (instant) => {
    const text = view.formats.clock(instant)
    return repeated.has(wallOf(instant)) ? `${text} (${instant.slice(19)})` : text
  }
}

/** `2026-10-25T02:00` */
function wallOf(instant: string): string {
  return instant.slice(0, 16)
}
