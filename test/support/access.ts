/** Access control without a database: no keys, and limits that tests do not reach by accident. */
import type { AccessControl } from '../../src/api/access/access-control.ts'
import { MemoryCounter } from '../../src/api/access/memory-counter.ts'
import { DAY_SECONDS, HOUR_SECONDS, rateLimiter } from '../../src/api/access/rate-limiter.ts'
import type { ApiKeyRecord, KeyedPlan } from '../../src/store/api-keys.ts'

export function testAccess(overrides: Partial<AccessControl> = {}): AccessControl {
  return {
    keys: { verify: async () => ({ ok: false, reason: 'unknown' }), recall: () => undefined },
    minutes: rateLimiter(new MemoryCounter()),
    days: undefined,
    hourly: rateLimiter(new MemoryCounter(HOUR_SECONDS), HOUR_SECONDS),
    daily: rateLimiter(new MemoryCounter(DAY_SECONDS), DAY_SECONDS),
    quotas: { used: async () => 0, reserve: async () => ({ admitted: true, used: 0 }), refund: () => {} },
    openRequestsPerMinute: 1_000_000,
    pageRequestsPerMinute: 1_000_000,
    ...overrides,
  }
}

/** Verifies keys from a map: `knownKeys({ k1: 'Developer' })`. Their text need not have the format of a key. */
export function knownKeys(keys: Record<string, KeyedPlan | Partial<ApiKeyRecord>>): AccessControl['keys'] {
  return {
    async verify(text) {
      const about = Object.hasOwn(keys, text) ? keys[text] : undefined
      if (about === undefined) return { ok: false, reason: 'unknown' }
      return { ok: true, key: keyRecord(text, typeof about === 'string' ? { plan: about } : about) }
    },
    recall: () => undefined,
  }
}

export function keyRecord(text: string, about: Partial<ApiKeyRecord>): ApiKeyRecord {
  return {
    id: text,
    hint: text,
    plan: 'Developer',
    owner: 'a test',
    email: null,
    requestsPerMinute: null,
    requestsPerMonth: null,
    attribution: null,
    createdAt: Temporal.Instant.from('2026-01-01T00:00:00Z'),
    expiresAt: null,
    revokedAt: null,
    rotatedFrom: null,
    root: text,
    ...about,
  }
}
