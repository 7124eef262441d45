/** How often kills and random histories are repeated, and how many variants are tried: a few by `npm test`, all by `npm run test:long`. */

const VARIANTS = 3

/** What `vitest.long.config.ts` sets. */
export const isLongRun = process.env.TEST_LONG === 'on'

export const repetitions = (ordinary: number, inFull: number): number => (isLongRun ? inFull : ordinary)

/** A few of the variants, the next ones in each round, so that none is left out over the rounds; all of them in a long run. */
export function variants<T>(all: readonly T[], round: number): T[] {
  if (isLongRun) return [...all]
  return Array.from({ length: VARIANTS }, (_, i) => all[(round * VARIANTS + i) % all.length] as T)
}
