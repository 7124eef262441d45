/** A service with four years of prices and an issue of each asset based on them, on 21 November 2026 at 14:00 in Rome. */
import { seedIssue } from '../../support/forecasts.ts'
import { dailyPrice } from '../../support/prices.ts'
import { serviceOfFile, type TestService } from '../../support/service.ts'

export const NOW = '2026-11-21T13:00:00Z'
const FIRST_DAY = Temporal.PlainDate.from('2022-11-22')

/** PUN is 2 × gas + 0.4 × CO2, plus a seasonal cycle. */
export async function startForecastService(): Promise<TestService> {
  const service = await serviceOfFile({ now: NOW })
  const days = Array.from({ length: 1461 }, (_, i) => FIRST_DAY.add({ days: i }))
  const tradingDays = days.slice(0, -2).filter(({ dayOfWeek }) => dayOfWeek <= 5)
  const gas = (day: Temporal.PlainDate) => 35 + 8 * Math.sin(day.since('2022-01-01').days / 170)
  const co2 = (day: Temporal.PlainDate) => 75 + 6 * Math.cos(day.since('2022-01-01').days / 90)
  const season = (day: Temporal.PlainDate) => Math.cos((day.dayOfYear / 365) * 2 * Math.PI)
  await service.seed([
    ...days.map((day) => dailyPrice('PUN', day.toString(), 8 + 2 * gas(day) + 0.4 * co2(day) + season(day))),
    ...days.slice(0, -1).map((day) => dailyPrice('PSV', day.toString(), gas(day) + 2)),
    ...tradingDays.map((day) => dailyPrice('TTF', day.toString(), gas(day))),
    ...tradingDays.map((day) => dailyPrice('CO2', day.toString(), co2(day))),
  ])
  const [evening, later] = ['2026-11-20T18:30:00Z', '2026-11-20T18:31:00Z']
  await seedIssue(service.sql, { asset: 'PSV', infoDate: '2026-11-21', issuedAt: evening, p50: () => 37 })
  await seedIssue(service.sql, { asset: 'TTF', infoDate: '2026-11-20', issuedAt: evening, p50: () => 35 })
  await seedIssue(service.sql, { asset: 'PUN', infoDate: '2026-11-21', issuedAt: later, p50: () => 111 })
  await seedIssue(service.sql, { asset: 'PUN', infoDate: '2026-11-22', issuedAt: '2026-11-21T12:02:11Z' })
  return service
}
