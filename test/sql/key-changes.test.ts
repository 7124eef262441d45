/** The changes of a key that only its holder sees. */
import { describe, expect, it } from 'vitest'
import { QuotaLedger } from '../../src/api/access/quota-ledger.ts'
import { findApiKey, revokeApiKey, rotateApiKey } from '../../src/store/api-keys.ts'
import { changeStore } from '../../src/store/changes.ts'
import { changeUsage, type ReachedQuota, recordQuotaReached, type UsageChange } from '../../src/store/usage.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { databaseOfFile } from '../support/database.ts'

const NOW = Temporal.Instant.from('2026-10-25T00:30:00Z')
const MONTH = '2026-10-01'

const { sql } = (await databaseOfFile()).database

/** What the holder of the chain that begins with this key sees. */
async function seenBy(keyRoot: string) {
  const { changes } = await changeStore(sql).after(0, { keyRoot, limit: 100 })
  return changes.map(({ kind, details }) => ({ kind, ...details }))
}
const successor = () => ({
  id: `key_${crypto.randomUUID().slice(-12)}`,
  sha256: crypto.randomUUID().replaceAll('-', '').repeat(2),
  hint: 'svc_live_New…',
})

describe('a change of a key', () => {
  it('is recorded when it is rotated and revoked, once, for its holder alone', async () => {
    const [{ id }, other] = [await seedApiKey(sql), await seedApiKey(sql)]
    const hint = (await findApiKey(sql, id))?.hint
    const next = successor()
    await rotateApiKey(sql, id, NOW.add({ hours: 24 }), { ...next, createdAt: NOW })
    for (let i = 0; i < 2; i++) await revokeApiKey(sql, next.id, NOW)
    expect(await seenBy(id)).toEqual([
      { kind: 'key.rotated', key: hint, by: next.hint, valid_until: '2026-10-26T00:30:00Z' },
      { kind: 'key.revoked', key: next.hint },
    ])
    expect(await seenBy(other.id)).toEqual([])
  })

  it('says that 80 and 100 % of a month are used, once each, whatever is refunded, restarted or counted elsewhere', async () => {
    const { id } = await seedApiKey(sql)
    const recorded: Promise<void>[] = []
    await using ledgers = new AsyncDisposableStack()
    const process = () => {
      const recordReached = (reached: ReachedQuota) => {
        const done = recordQuotaReached(sql, reached, NOW)
        recorded.push(done)
        return done
      }
      const store = { change: (changes: UsageChange[]) => changeUsage(sql, changes), recordReached }
      const ledger = ledgers.use(
        new QuotaLedger(store, (err) => {
          throw err
        }),
      )
      return async (requests: number, month = MONTH) => {
        for (let i = 0; i < requests; i++) await ledger.reserve(id, month, 10)
        for (let i = 0; i > requests; i--) ledger.refund(id, month)
        await ledger.settle()
        await Promise.all(recorded)
      }
    }
    const [one, two] = [process(), process()]
    for (const requests of [7, 1, -2, 2]) await one(requests)
    expect(await seenBy(id)).toMatchObject([{ kind: 'quota.reached', month: '2026-10', percent: 80, quota: 10 }])
    for (const requests of [1, 5]) await two(requests)
    await one(-1)
    await process()(3)
    expect((await seenBy(id)).map(({ kind, ...details }) => [kind, details])).toMatchObject([
      ['quota.reached', { percent: 80 }],
      ['quota.reached', { percent: 100 }],
    ])
    await one(9, '2026-11-01')
    expect((await seenBy(id)).at(-1)).toMatchObject({ month: '2026-11', percent: 80 })
  })
})
