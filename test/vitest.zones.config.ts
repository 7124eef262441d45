/**
 * The time-dependent tests under two more time zones of the machine, in one run: neither may change a result. Code that reads the
 * machine's zone by mistake is wrong on at least one side of Rome: New York is five or six hours behind and changes on other
 * days, Apia is eleven or twelve hours ahead and never changes, so the date differs for half of each day. `npm test` uses the machine's
 * own zone, UTC in CI.
 */
import { QUICK, runOf } from './vitest.config.ts'

const TIME_ZONES = ['America/New_York', 'Pacific/Apia']
/** Tests in which a date or a time of day is read or written, by our code or by a library that uses the machine's zone. */
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
  'test/sql/api-keys.test.ts',
  'test/sql/daily-prices.test.ts',
  'test/sql/plan-exports.test.ts',
  'test/sql/store-zone-days.test.ts',
  'test/sql/zone-hours.test.ts',
  'test/simulation',
  'test/contract/series-arrow.test.ts',
  'test/contract/pun/get-now-and-next.test.ts',
  'test/contract/today',
  'test/web/every-page.test.ts',
]
const include = QUICK.filter((file) => SUITES.some((suite) => file === suite || file.startsWith(`${suite}/`)))
const gone = SUITES.filter((suite) => !include.some((file) => file.startsWith(suite)))
if (gone.length > 0) throw new Error(`there is no ${gone.join(', ')}`)

export const ZONES = TIME_ZONES.map((zone) => ({
  extends: true as const,
  test: {
    name: zone,
    include,
    isolate: false,
    env: { TZ: zone, ONE_SEED: 'on' },
    setupFiles: ['test/support/expect-time-zone.ts'],
  },
}))

export default runOf(ZONES)
