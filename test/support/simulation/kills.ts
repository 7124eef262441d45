/** Where a process is killed: drawn at random, but the same for the same seed. */
export interface Kill {
  /** During which look at what is due. */
  look: number
  /** So long after so many requests of it to publishers; a look without as many is killed at its end. */
  request: number
  afterMs: number
}

const REQUESTS_MAX = 8
const AFTER_MS_MAX = 120

export function drawKills(seed: number, count: number, looks: number): Kill[] {
  const random = mulberry32(seed)
  const drawn = new Map<number, Kill>()
  while (drawn.size < count) {
    const look = Math.floor(random() * looks)
    drawn.set(look, {
      look,
      request: 1 + Math.floor(random() * REQUESTS_MAX),
      afterMs: Math.floor(random() * AFTER_MS_MAX),
    })
  }
  return [...drawn.values()]
}

/** A small generator of 32 bits (Tommy Ettinger's mulberry32), good enough to scatter events. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
