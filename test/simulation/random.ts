/** Reproducible random numbers, all derived from those that fast-check drew for a history. */

/** Mixes integers into a number in [0, 1) (finalizer of MurmurHash3). */
export function hashToUnit(...parts: number[]): number {
  let hash = 0x9747b28c
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return (hash >>> 0) / 2 ** 32
}

export function randomSequence(seed: number): () => number {
  let count = 0
  return () => {
    count += 1
    return hashToUnit(seed, count)
  }
}
