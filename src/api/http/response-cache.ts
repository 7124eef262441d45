/**
 * LRU cache of finished responses in memory, bounded in bytes. The key contains everything a response depends on (including the
 * data version and the market day), so an ingest and midnight make old responses unreachable. A `no_data` error
 * is cached for some seconds, since many clients poll for the value; other errors never are.
 * A cache belongs to one app with a fixed base URL, which is therefore not part of the key.
 */
import { LRUCache } from 'lru-cache'
import { ApiError } from '../contract/errors.ts'
import type { StoredAnswer } from './stored-answer.ts'

const BYTES_MAX = 64 * 1024 * 1024
/** A single answer may take an eighth of the cache; larger ones are computed each time. */
const ANSWER_BYTES_MAX = BYTES_MAX / 8
const NO_DATA_SECONDS_MAX = 15
const NO_DATA_BYTES = 2048

export class ResponseCache {
  readonly #answers: LRUCache<string, StoredAnswer | ApiError>
  /** Running computations, so that simultaneous requests for one URL compute it once. */
  readonly #pending = new Map<string, Promise<StoredAnswer>>()

  constructor(options: { nowMs: () => number; bytesMax?: number }) {
    this.#answers = new LRUCache({
      maxSize: options.bytesMax ?? BYTES_MAX,
      maxEntrySize: Math.min(ANSWER_BYTES_MAX, options.bytesMax ?? BYTES_MAX),
      sizeCalculation: (answer, key) => (answer instanceof ApiError ? NO_DATA_BYTES : answer.bytesMax) + key.length,
      perf: { now: options.nowMs },
      ttlResolution: 0,
    })
  }

  /** Throws a cached `no_data`. */
  get(key: string): StoredAnswer | undefined {
    const known = this.#answers.get(key)
    if (known instanceof ApiError) throw known
    return known
  }

  /** Returns the cached response, else the pending one, else the result of `make`. */
  async getOrMake(key: string, ttlSeconds: number, make: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
    const known = this.get(key) ?? this.#pending.get(key)
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
    } catch (err) {
      if (err instanceof ApiError && err.code === 'no_data') {
        this.#answers.set(key, err, { ttl: Math.min(err.retryAfterSeconds ?? 0, NO_DATA_SECONDS_MAX) * 1000 })
      }
      throw err
    } finally {
      this.#pending.delete(key)
    }
  }
}
