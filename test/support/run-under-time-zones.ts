/**
 * Runs the tests in which time matters under several time zones of the machine: none of them may change an answer. The machine's own is
 * left to `npm test` and `npm run test:slow`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const TIME_ZONES = ['UTC', 'Europe/Rome', 'America/New_York', 'Pacific/Apia']
/** Where a date or a time of day is read or written, by us or by a library that knows the machine's zone. */
const SUITES = [
  'test/unit/market/market-day.test.ts',
  'test/unit/market/trading-days.test.ts',
  'test/unit/market/duration.test.ts',
  'test/unit/models/clock-hours.test.ts',
  'test/unit/ingest/gate.test.ts',
  'test/unit/ingest/named-day.test.ts',
  'test/unit/ingest/spans.test.ts',
  'test/unit/jobs',
  'test/unit/publishers/entsoe.test.ts',
  'test/unit/publishers/gme-mgp.test.ts',
  'test/unit/publishers/price-csv-days.test.ts',
  'test/unit/publishers/price-csv-intervals.test.ts',
  'test/unit/publishers/schedule.test.ts',
  'test/unit/platform/fetch',
  'test/unit/delivery/webhooks/retry-schedule.test.ts',
  'test/unit/api/access/quota-ledger.test.ts',
  'test/unit/market/quota-period.test.ts',
  'test/unit/api/http/market-day-clock.test.ts',
  'test/sql/daily-prices.test.ts',
  'test/sql/market-days.test.ts',
  'test/sql/plan-exports.test.ts',
  'test/sql/store-zone-days.test.ts',
  'test/sql/usage.test.ts',
  'test/sql/zone-hours.test.ts',
  'test/contract/change-days.test.ts',
  'test/contract/series-arrow.test.ts',
  'test/contract/pun/get-now-and-next.test.ts',
  'test/contract/today',
  'test/web/every-page.test.ts',
]
// Vitest passes over a name that matches nothing as long as another one does.
const gone = SUITES.filter((suite) => !existsSync(suite))
if (gone.length > 0) throw new Error(`there is no ${gone.join(', ')}`)

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
