/**
 * Cache of keys and their holders. Malformed keys are refused by their checksum alone; others are looked up once and cached until any key
 * is created, changed or revoked, which every process detects within the polling interval of key_version.
 */

import { LRUCache } from 'lru-cache'
import type { ApiKeyRecord } from '../../store/api-keys.ts'
import { hashApiKey, isWellFormedApiKey } from './api-key.ts'

const KEYS_CACHED_MAX = 200_000
const UNKNOWN_CACHED_MAX = 10_000
/** If the version has not been read for this long, the cache is not used: a revoked key must be refused within five seconds. */
const VERSION_AGE_MS_MAX = 4_000

export type KeyVerdict =
  | { ok: true; key: ApiKeyRecord }
  | { ok: false; reason: 'malformed' | 'unknown' | 'revoked' | 'expired' }

interface KeyCacheOptions {
  find(sha256: string): Promise<ApiKeyRecord | undefined>
  /** The version of the keys, and how long ago it was read. */
  version(): { number: number; ageMs: number }
  now(): Temporal.Instant
}

interface CachedKey {
  key: ApiKeyRecord
  /** Version of the keys at the time of the look-up. */
  version: number
}

export class KeyCache {
  readonly #options: KeyCacheOptions
  readonly #known = boundedCache<CachedKey>(KEYS_CACHED_MAX)
  /** Unknown keys, each with the version of the keys at the time of its look-up. */
  readonly #unknown = boundedCache<number>(UNKNOWN_CACHED_MAX)

  readonly #lookUps = new Map<string, Promise<ApiKeyRecord | 'unknown'>>()

  constructor(options: KeyCacheOptions) {
    this.#options = options
  }

  /**
   * Calls `beforeGuess` before looking up a key that was never seen; if it throws, there is no look-up. A key that was
   * once valid does not count as a guess, however often it is looked up again.
   */
  async verify(text: string, beforeGuess: () => Promise<unknown>): Promise<KeyVerdict> {
    if (!isWellFormedApiKey(text)) return { ok: false, reason: 'malformed' }
    const sha256 = hashApiKey(text)
    return this.#verdictOn(this.#findCached(sha256) ?? (await this.#lookUp(sha256, beforeGuess)))
  }

  /** Returns the key if it is cached and valid; never looks it up. */
  recall(text: string): ApiKeyRecord | undefined {
    const remembered = this.#findCached(hashApiKey(text))
    const verdict = remembered && this.#verdictOn(remembered)
    return verdict?.ok ? verdict.key : undefined
  }

  #verdictOn(key: ApiKeyRecord | 'unknown'): KeyVerdict {
    if (key === 'unknown') return { ok: false, reason: 'unknown' }
    if (key.revokedAt !== null) return { ok: false, reason: 'revoked' }
    if (key.expiresAt !== null && Temporal.Instant.compare(key.expiresAt, this.#options.now()) <= 0) {
      return { ok: false, reason: 'expired' }
    }
    return { ok: true, key }
  }

  #findCached(sha256: string): ApiKeyRecord | 'unknown' | undefined {
    const { number, ageMs } = this.#options.version()
    if (ageMs > VERSION_AGE_MS_MAX) return undefined
    const known = this.#known.get(sha256)
    if (known?.version === number) return known.key
    return this.#unknown.get(sha256) === number ? 'unknown' : undefined
  }

  /** Concurrent requests with the same key share a look-up; if it fails, each retries it. */
  async #lookUp(sha256: string, beforeGuess: () => Promise<unknown>): Promise<ApiKeyRecord | 'unknown'> {
    const underWay = this.#lookUps.get(sha256)
    if (underWay !== undefined) {
      const shared = await underWay.catch(() => undefined)
      if (shared !== undefined) return shared
    }
    const lookUp = this.#read(sha256, beforeGuess).finally(() => this.#lookUps.delete(sha256))
    this.#lookUps.set(sha256, lookUp)
    return lookUp
  }

  async #read(sha256: string, beforeGuess: () => Promise<unknown>): Promise<ApiKeyRecord | 'unknown'> {
    if (!this.#known.has(sha256)) await beforeGuess()
    const version = this.#options.version().number
    const key = await this.#options.find(sha256)
    // The record may predate a concurrent change; its entry then has an older version and is read again.
    if (key !== undefined) {
      this.#known.set(sha256, { key, version })
      return key
    }
    this.#known.delete(sha256)
    this.#unknown.set(sha256, version)
    return 'unknown'
  }
}

/** LRU cache whose memory grows with its entries; LRUCache's own `max` allocates memory for all of them at once. */
export function boundedCache<Value extends {}>(entriesMax: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: entriesMax, sizeCalculation: () => 1 })
}
