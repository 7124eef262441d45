/** How many kills, random histories and variants are tested: a few with `npm test`, all with `npm run test:long`. */

const VARIANTS = 3

/** Set by `vitest.long.config.ts`. */
export const isLongRun = process.env.TEST_LONG === 'on'

export const repetitions = (ordinary: number, inFull: number): number => (isLongRun ? inFull : ordinary)

/** A few of the variants, rotating by round, so that all are covered over the rounds; all of them in a long run. */
export function variants<T>(all: readonly T[], round: number): T[] {
  if (isLongRun) return [...all]
  return Array.from({ length: VARIANTS }, (_, i) => all[(round * VARIANTS + i) % all.length] as T)
}
