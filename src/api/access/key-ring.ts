/**
 * Who holds a key. Malformed keys are refused by their checksum alone; the others are looked up once and remembered until a key
 * anywhere is created, changed or revoked, which every process learns within the polling interval of key_version.
 */
import { LRUCache } from 'lru-cache'
import type { ApiKeyRecord } from '../../store/api-keys.ts'
import { hashApiKey, isWellFormedApiKey } from './api-key.ts'

const KEYS_REMEMBERED_MAX = 200_000
const UNKNOWN_REMEMBERED_MAX = 10_000
/** Where the version has not been heard of for this long, memory is not trusted: a revoked key must die within five seconds. */
const VERSION_AGE_MS_MAX = 4_000

export type KeyVerdict =
  | { ok: true; key: ApiKeyRecord }
  | { ok: false; reason: 'malformed' | 'unknown' | 'revoked' | 'expired' }

export interface KeyRingOptions {
  find(sha256: string): Promise<ApiKeyRecord | undefined>
  /** The version of the keys, and for how long it is known. */
  version(): { number: number; ageMs: number }
  now(): Temporal.Instant
}

export class KeyRing {
  readonly #options: KeyRingOptions
  readonly #known = new LRUCache<string, ApiKeyRecord>({ max: KEYS_REMEMBERED_MAX })
  readonly #unknown = new LRUCache<string, true>({ max: UNKNOWN_REMEMBERED_MAX })
  #rememberedUnder: number | undefined

  constructor(options: KeyRingOptions) {
    this.#options = options
  }

  async judge(text: string): Promise<KeyVerdict> {
    if (!isWellFormedApiKey(text)) return { ok: false, reason: 'malformed' }
    const sha256 = hashApiKey(text)
    const key = this.#remembered(sha256) ?? (await this.#lookUp(sha256))
    if (key === 'unknown') return { ok: false, reason: 'unknown' }
    if (key.revokedAt !== null) return { ok: false, reason: 'revoked' }
    if (key.expiresAt !== null && Temporal.Instant.compare(key.expiresAt, this.#options.now()) <= 0) {
      return { ok: false, reason: 'expired' }
    }
    return { ok: true, key }
  }

  #remembered(sha256: string): ApiKeyRecord | 'unknown' | undefined {
    const { number, ageMs } = this.#options.version()
    if (number !== this.#rememberedUnder) {
      this.#known.clear()
      this.#unknown.clear()
      this.#rememberedUnder = number
    }
    if (ageMs > VERSION_AGE_MS_MAX) return undefined
    return this.#known.get(sha256) ?? (this.#unknown.has(sha256) ? 'unknown' : undefined)
  }

  async #lookUp(sha256: string): Promise<ApiKeyRecord | 'unknown'> {
    const asked = this.#options.version().number
    const key = await this.#options.find(sha256)
    // A change that happened meanwhile may not be in what was read; then it is not remembered.
    if (asked === this.#options.version().number) {
      if (key === undefined) this.#unknown.set(sha256, true)
      else this.#known.set(sha256, key)
    }
    return key ?? 'unknown'
  }
}
