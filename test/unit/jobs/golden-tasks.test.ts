/** Recorded daily and hourly issues and replays: the same prices give the same ledger rows and the same hash of inputs. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { performTask } from '../../../jobs/forecasts/perform-task.ts'
import { usualPublication } from '../../../jobs/forecasts/price-record.ts'
import { sameHour } from '../../../models/hourly/same-hour/same-hour.ts'
import { MODELS } from '../../../models/registry.ts'
import type { ForecastAsset } from '../../../src/market/forecast-scope.ts'
import { hoursInMarketDay } from '../../../src/market/market-day.ts'
import type { PriceVersion } from '../../../src/store/price-versions.ts'
import { nationalHolidays } from '../../support/national-holidays.ts'

const LAST = Temporal.PlainDate.from('2026-03-28')
const versionsOf = (asset: ForecastAsset, level: number): PriceVersion[] =>
  Array.from({ length: 400 }, (_, i) => LAST.subtract({ days: 399 - i }))
    .filter((day) => asset !== 'TTF' || day.dayOfWeek <= 5)
    .map((day, i) => {
      const hours = Array.from(
        { length: hoursInMarketDay(day) },
        (_, hour) => level + ((i * 13) % 17) + ((hour * i) % 5),
      )
      const price = hours.reduce((sum, one) => sum + one, 0) / hours.length
      const fetchedAtMs = usualPublication(asset, day).epochMilliseconds + 60_000
      return { day: day.toString(), price, intervals: asset === 'PUN' ? hours : null, fetchedAtMs, synthetic: false }
    })
const task = {
  versions: { PUN: versionsOf('PUN', 90), PSV: versionsOf('PSV', 30), TTF: versionsOf('TTF', 28) },
  holidays: nationalHolidays(2024, 2028),
  nowMs: Temporal.Instant.from('2026-03-27T19:30:00Z').epochMilliseconds,
}
const hours = { versions: { nord: versionsOf('PUN', 80) }, fundamentals: [] }
const models = { ofDays: MODELS.filter(({ id }) => id !== 'pun-ensemble'), ofHours: [sameHour] }
const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)

it('an issue reproduces the recorded forecasts', async () => {
  const subjects = ['PUN', 'PSV', 'TTF', 'hours:nazionale', 'hours:nord'] as const
  const requests = subjects.map((subject) => ({ subject, model: undefined, artefacts: [] }))
  const issued = await performTask({ kind: 'issue', ...task, requests, hours }, undefined, models)
  const found = issued.issues.map((made) => {
    if (made.outcome !== 'made') return made
    const rows = made.forecasts.map(({ role, model, version, targetDate, p10, p50, p90 }) => {
      return [role, model, version, targetDate, p10, p50, p90]
    })
    return `${made.infoDate} ${rows.length} ${sha256(rows)} from ${made.inputsSha256.slice(0, 16)}`
  })
  expect(found).toMatchInlineSnapshot(`
    [
      "2026-03-28 388 8b3dd35116446db5 from 722cfb214a6997f4",
      "2026-03-28 388 2ee7b82903b6d4a6 from 722cfb214a6997f4",
      "2026-03-27 272 66e89986377e907a from 722cfb214a6997f4",
      "2026-03-28 16 fe026dfff42ff4d6 from 20ef0ff212d3c8d6",
      "2026-03-28 16 6d3796278c0dc73b from 88cc6b94fc255cc1",
    ]
  `)
})

it('a replay reproduces the recorded forecasts', async () => {
  const days = { from: '2026-03-20', to: '2026-03-28' }
  const ofHours = { subject: 'hours:nord', hours } as const
  const replays = [
    await performTask({ kind: 'replay', subject: 'TTF', ...days, ...task }, undefined, models),
    await performTask({ kind: 'replay', ...ofHours, ...days, ...task }, undefined, models),
  ]
  const rows = replays.map(({ forecasts }) =>
    forecasts.map(({ role, model, infoDate, issuedAtMs, targetDate, p10, p50, p90, actual }) => {
      return [role, model, infoDate, issuedAtMs, targetDate, p10, p50, p90, actual]
    }),
  )
  expect(rows.map((all) => `${all.length} ${sha256(all)}`)).toMatchInlineSnapshot(`
    [
      "1634 5d4cf9fe7a512537",
      "144 a443b630c9e746cb",
    ]
  `)
})
