/** Assembles the access control of a process: keys from the database, counters in the store of LIMITS_STORE, and the quota ledger. */
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/log.ts'
import type { Config } from '../../service/config/config.ts'
import { findApiKeyByHash } from '../../store/api-keys.ts'
import type { DataVersion } from '../../store/data-version.ts'
import type { Database } from '../../store/database.ts'
import { changeUsage, recordQuotaReached } from '../../store/usage.ts'
import type { AccessControl } from './access-control.ts'
import { KeyCache } from './key-cache.ts'
import { openLimitsStore } from './limits-store.ts'
import { QuotaLedger } from './quota-ledger.ts'
import { DAY_SECONDS, HOUR_SECONDS, rateLimiter } from './rate-limiter.ts'

interface AccessOptions {
  config: Pick<Config, 'limits'>
  database: Pick<Database, 'sql'>
  clock: Clock
  dataVersion: Pick<DataVersion, 'keys' | 'advance' | 'announceBy'>
  log: Logger
}

/** Disposing writes the counts that have not been stored yet. */
export async function openAccessControl(options: AccessOptions): Promise<AccessControl & AsyncDisposable> {
  const { config, database, clock, dataVersion, log } = options
  const { store, openRequestsPerMinute, openRequestsPerDay, pageRequestsPerMinute } = config.limits
  const { sql } = database
  await using stack = new AsyncDisposableStack()
  const counts = stack.use(
    await openLimitsStore(typeof store === 'string' ? store : new URL(store.reveal()), {
      sql,
      version: dataVersion,
      log,
    }),
  )
  const quotas = stack.use(
    new QuotaLedger(
      {
        change: (changes) => changeUsage(sql, changes),
        async recordReached(reached) {
          try {
            await recordQuotaReached(sql, reached, clock.now())
          } catch (err) {
            log.warn({ err }, 'a quota that was reached could not be recorded')
            throw err
          }
        },
      },
      (err) => log.error({ err }, 'usage of keys could not be written'),
    ),
  )
  const resources = stack.move()
  const daily = rateLimiter(counts.dayCounter, DAY_SECONDS)
  return {
    keys: new KeyCache({
      find: (sha256) => findApiKeyByHash(sql, sha256),
      version: () => dataVersion.keys(),
      now: () => clock.now(),
    }),
    minutes: rateLimiter(counts.counter),
    days: openRequestsPerDay === undefined ? undefined : { limiter: daily, limit: openRequestsPerDay },
    hourly: rateLimiter(counts.hourCounter, HOUR_SECONDS),
    daily,
    quotas,
    openRequestsPerMinute,
    pageRequestsPerMinute,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
