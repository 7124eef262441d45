/** Makes the access control of a process: its keys from the database, its counters where LIMITS_STORE says, its ledger of months. */
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/log.ts'
import type { Config } from '../../service/config/config.ts'
import { findApiKeyByHash } from '../../store/api-keys.ts'
import type { DataVersion } from '../../store/data-version.ts'
import type { Database } from '../../store/database.ts'
import { addUsage, usageOf } from '../../store/usage.ts'
import type { AccessControl } from './access-control.ts'
import { KeyRing } from './key-ring.ts'
import { openLimitsStore } from './limits-store.ts'
import { DAY_SECONDS, minuteLimiter } from './minute-limiter.ts'
import { QuotaLedger } from './quota-ledger.ts'

export interface AccessOptions {
  config: Pick<Config, 'limits'>
  database: Pick<Database, 'sql'>
  clock: Clock
  dataVersion: Pick<DataVersion, 'keys'>
  log: Logger
}

/** Disposing writes what has been counted and not yet stored. */
export async function openAccessControl(options: AccessOptions): Promise<AccessControl & AsyncDisposable> {
  const { config, database, clock, dataVersion, log } = options
  const { store, openRequestsPerMinute, openRequestsPerDay } = config.limits
  const { sql } = database
  await using stack = new AsyncDisposableStack()
  const counts = stack.use(await openLimitsStore(typeof store === 'string' ? store : new URL(store.reveal()), sql, log))
  const quotas = stack.use(
    new QuotaLedger({ add: (uses) => addUsage(sql, uses), read: (keyId, month) => usageOf(sql, keyId, month) }, (err) =>
      log.error({ err }, 'usage could not be written, it is kept for the next time'),
    ),
  )
  const resources = stack.move()
  const daily = minuteLimiter(counts.dayCounter, DAY_SECONDS)
  return {
    keys: new KeyRing({
      find: (sha256) => findApiKeyByHash(sql, sha256),
      version: () => dataVersion.keys(),
      now: () => clock.now(),
    }),
    minutes: minuteLimiter(counts.counter),
    days: openRequestsPerDay === undefined ? undefined : { limiter: daily, limit: openRequestsPerDay },
    daily,
    quotas,
    openRequestsPerMinute,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
