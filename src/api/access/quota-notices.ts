/** Has it recorded, once a month, that a key has used 80 and 100 % of its requests. */
import { boundedCache } from '../../platform/bounded-cache.ts'
import type { ReachedQuota, UsageChange, UsageTotal } from '../../store/usage.ts'

const PERCENT_MARKS = [100, 80]
const KEYS_REMEMBERED_MAX = 200_000

interface NoticesOptions {
  /** Does nothing where it is recorded already, by another process or before a restart. */
  record(reached: ReachedQuota): Promise<void>
  onError(error: unknown): void
}

/** Looks at totals after they were stored. */
export function quotaNotices({ record, onError }: NoticesOptions) {
  /** The highest mark notified for each key and month. */
  const highestNotified = boundedCache<number>(KEYS_REMEMBERED_MAX)

  return (changes: readonly UsageChange[], totals: readonly UsageTotal[]): void => {
    const quotas = new Map(changes.map(({ keyId, month, quota }) => [`${keyId} ${month}`, quota]))
    for (const { keyId, month, total } of totals) {
      const id = `${keyId} ${month}`
      const quota = quotas.get(id)
      if (quota === undefined || quota === 0) continue
      const percent = PERCENT_MARKS.find((mark) => total * 100 >= quota * mark)
      if (percent === undefined || percent <= (highestNotified.get(id) ?? 0)) continue
      highestNotified.set(id, percent)
      record({ keyId, month, percent, quota }).catch((err) => {
        highestNotified.delete(id)
        onError(err)
      })
    }
  }
}
