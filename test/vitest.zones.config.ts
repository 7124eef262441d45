/**
 * The tests in which time matters under several time zones of the machine, all in one run: none of them may change an answer. The
 * machine's own is left to `npm test` and `npm run test:slow`.
 */
import { defineConfig } from 'vitest/config'
import { inMemory, settings, testsIn } from './vitest.config.ts'

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
  'test/unit/publishers/conformity.test.ts',
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
const all = testsIn('{unit,sql,contract,web}')
const include = all.filter((file) => SUITES.some((suite) => file === suite || file.startsWith(`${suite}/`)))
const gone = SUITES.filter((suite) => !include.some((file) => file.startsWith(suite)))
if (gone.length > 0) throw new Error(`there is no ${gone.join(', ')}`)

const shared = settings(inMemory())
const zones = TIME_ZONES.filter((zone) => zone !== Temporal.Now.timeZoneId())

export default defineConfig({
  test: {
    ...shared,
    projects: zones.map((zone) => ({
      extends: true as const,
      test: {
        name: zone,
        include,
        isolate: false,
        env: { TZ: zone },
        setupFiles: ['test/support/expect-time-zone.ts'],
      },
    })),
  },
})
