/** Access control without a database: no keys, limits that no test reaches by accident. */
import type { AccessControl } from '../../src/api/access/access-control.ts'
import { DAY_SECONDS, memoryCounter, minuteLimiter } from '../../src/api/access/minute-limiter.ts'
import type { ApiKeyRecord, KeyedPlan } from '../../src/store/api-keys.ts'

export function testAccess(overrides: Partial<AccessControl> = {}): AccessControl {
  return {
    keys: { judge: async () => ({ ok: false, reason: 'unknown' }) },
    minutes: minuteLimiter(memoryCounter()),
    days: undefined,
    daily: minuteLimiter(memoryCounter(DAY_SECONDS), DAY_SECONDS),
    quotas: { used: async () => 0, count: () => {} },
    openRequestsPerMinute: 1_000_000,
    ...overrides,
  }
}

/** A key ring that knows these keys by their text, which need not have the form of a key: `knownKeys({ k1: 'Developer' })`. */
export function knownKeys(plans: Record<string, KeyedPlan>): AccessControl['keys'] {
  return {
    async judge(text) {
      const plan = Object.hasOwn(plans, text) ? plans[text] : undefined
      return plan === undefined ? { ok: false, reason: 'unknown' } : { ok: true, key: recordOf(text, plan) }
    },
  }
}

function recordOf(text: string, plan: KeyedPlan): ApiKeyRecord {
  return {
    id: text,
    hint: text,
    plan,
    owner: 'a test',
    email: null,
    requestsPerMinute: null,
    requestsPerMonth: null,
    attribution: null,
    createdAt: Temporal.Instant.from('2026-01-01T00:00:00Z'),
    expiresAt: null,
    revokedAt: null,
    rotatedFrom: null,
  }
}
