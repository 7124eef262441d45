/** Keys replaced by their holders. */

import { keyRotated } from '../../platform/events.ts'
import type { Logger } from '../../platform/log.ts'
import { rotateApiKey } from '../../store/api-keys.ts'
import type { Sql } from '../../store/database.ts'
import { newApiKey } from '../access/api-key.ts'

export interface KeyRotation {
  /** Undefined where the key is not valid or is replaced already. */
  rotate(
    keyId: string,
    oldExpiresAt: Temporal.Instant,
    now: Temporal.Instant,
  ): Promise<{ id: string; key: string; previousUntil: Temporal.Instant } | undefined>
}

interface KeyRotationOptions {
  sql: Sql
  log: Logger
  /** Lets this process hear of the change at once; others do within seconds. */
  refresh(): Promise<unknown>
}

export function keyRotation({ sql, log, refresh }: KeyRotationOptions): KeyRotation {
  return {
    async rotate(keyId, oldExpiresAt, now) {
      const { key, ...stored } = newApiKey()
      const previousUntil = await rotateApiKey(sql, keyId, oldExpiresAt, { ...stored, createdAt: now }, { once: true })
      if (previousUntil === undefined) return undefined
      await refresh()
      keyRotated(log, { keyId: stored.id, previousId: keyId, previousUntil: previousUntil.toString() })
      return { id: stored.id, key, previousUntil }
    },
  }
}
