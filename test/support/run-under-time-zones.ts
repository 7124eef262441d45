/**
 * Runs the tests in which time matters under several time zones of the machine: none of them may change an answer. The machine's own is
 * left to `npm test`.
 */
import { spawnSync } from 'node:child_process'

const TIME_ZONES = ['UTC', 'Europe/Rome', 'America/New_York', 'Pacific/Apia']
/** Left out: the protocol of the engine, keys and limits, the documents about the interface, whole processes. */
const SUITES = [
  'test/unit/api/contract',
  'test/unit/market',
  'test/unit/api/http/market-day-clock.test.ts',
  'test/unit/ingest',
  'test/unit/jobs',
  'test/unit/api/access/quota-ledger.test.ts',
  'test/unit/publishers',
  'test/sql/daily-prices.test.ts',
  'test/sql/jobs.test.ts',
  'test/sql/market-days.test.ts',
  'test/sql/plan-exports.test.ts',
  'test/sql/quarantine.test.ts',
  'test/sql/real-history.test.ts',
  'test/sql/store-zone-days.test.ts',
  'test/sql/usage.test.ts',
  'test/sql/zone-hours.test.ts',
  'test/contract/change-days.test.ts',
  'test/contract/observations.test.ts',
  'test/contract/prices',
  'test/contract/pun',
  'test/contract/today',
]

const own = Temporal.Now.timeZoneId()

for (const zone of TIME_ZONES.filter((one) => one !== own)) {
  console.log(`\nTZ=${zone}`)
  const run = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...SUITES],
    { stdio: 'inherit', env: { ...process.env, TZ: zone } },
  )
  if (run.status !== 0) process.exit(run.status ?? 1)
}
