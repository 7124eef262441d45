/** Access control without a database: no keys, limits that no test reaches by accident. */
import type { AccessControl } from '../../src/limits/access-control.ts'
import { memoryCounter, minuteLimiter } from '../../src/limits/minute-limiter.ts'

export function testAccess(overrides: Partial<AccessControl> = {}): AccessControl {
  return {
    keys: { judge: async () => ({ ok: false, reason: 'unknown' }) },
    minutes: minuteLimiter(memoryCounter()),
    days: undefined,
    quotas: { used: async () => 0, count: () => {} },
    openRequestsPerMinute: 1_000_000,
    ...overrides,
  }
}
