/** Rotation of keys by their holders. */

import { keyRotated } from '../../platform/events.ts'
import type { Logger } from '../../platform/log.ts'
import { rotateApiKey } from '../../store/api-keys.ts'
import type { Sql } from '../../store/database.ts'
import { newApiKey } from '../access/api-key.ts'

export interface KeyRotation {
  /** Undefined if the key is invalid or has already been replaced. */
  rotate(
    keyId: string,
    oldExpiresAt: Temporal.Instant,
    now: Temporal.Instant,
  ): Promise<{ id: string; key: string; previousUntil: Temporal.Instant } | undefined>
}

interface KeyRotationOptions {
  sql: Sql
  log: Logger
  /** Makes this process detect the change at once; others do within seconds. */
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
