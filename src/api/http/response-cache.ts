/**
 * Finished answers in memory, bounded in bytes, the longest unused going first. The key holds everything an answer depends on (the
 * data version and the market day among it), so an ingest and midnight make old answers unreachable. Errors are never kept.
 * One cache belongs to one app, whose base URL is fixed; that is why addresses are not part of the key.
 */
import { LRUCache } from 'lru-cache'
import type { StoredAnswer } from './stored-answer.ts'

const BYTES_MAX = 64 * 1024 * 1024
/** A single answer may take an eighth of the cache; larger ones are computed each time. */
const ANSWER_BYTES_MAX = BYTES_MAX / 8

export class ResponseCache {
  readonly #answers: LRUCache<string, StoredAnswer>
  /** Computations under way, so that a rush for one address computes it once. */
  readonly #pending = new Map<string, Promise<StoredAnswer>>()

  constructor(options: { nowMs: () => number; bytesMax?: number }) {
    this.#answers = new LRUCache({
      maxSize: options.bytesMax ?? BYTES_MAX,
      maxEntrySize: Math.min(ANSWER_BYTES_MAX, options.bytesMax ?? BYTES_MAX),
      sizeCalculation: (answer, key) => answer.bytesMax + key.length,
      perf: { now: options.nowMs },
      ttlResolution: 0,
    })
  }

  get(key: string): StoredAnswer | undefined {
    return this.#answers.get(key)
  }

  /** The stored answer, else the one being made, else the one `make` makes. */
  async getOrMake(key: string, ttlSeconds: number, make: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
    const known = this.#answers.get(key) ?? this.#pending.get(key)
    if (known) return known
    const pending = this.#make(key, ttlSeconds, make)
    this.#pending.set(key, pending)
    return pending
  }

  async #make(key: string, ttlSeconds: number, make: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
    try {
      const answer = await make()
      this.#answers.set(key, answer, { ttl: ttlSeconds * 1000 })
      return answer
    } finally {
      this.#pending.delete(key)
    }
  }
}
