/** A service with all that its pages can show: prices of two months, hours, zones, forecasts and what came of them. */
import { MARKET_ZONES } from '../../src/contract/zones.ts'
import { scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { seedIssue } from './forecasts.ts'
import { dailyPrice, zoneDay } from './prices.ts'
import { startTestService, type TestService } from './service.ts'

export const SITE_TODAY = '2026-11-20'
const DAYS = 60

/** The clock stands at 14:30 in Rome, when tomorrow's prices are published. */
export async function startSite(): Promise<TestService> {
  const service = await startTestService({ now: `${SITE_TODAY}T13:30:00Z` })
  const today = Temporal.PlainDate.from(SITE_TODAY)
  const days = Array.from({ length: DAYS }, (_, i) => today.subtract({ days: DAYS - 1 - i }).toString())
  const wave = (i: number) => 110 + 20 * Math.sin(i / 6)
  const tomorrow = today.add({ days: 1 }).toString()
  await service.seed([
    ...days.map((day, i) => zoneDay('nazionale', day, 60, (hour) => wave(i) + hour)),
    ...[SITE_TODAY, tomorrow].map((day) => zoneDay('nazionale', day, 15, (quarter) => wave(quarter) - 60)),
    ...MARKET_ZONES.map((zone, i) => zoneDay(zone, tomorrow, 60, () => 35 + 6 * i)),
  ])
  const daily = (asset: 'PSV' | 'TTF' | 'Brent' | 'CO2', base: number) =>
    days.map((day, i) => dailyPrice(asset, day, base + Math.sin(i / 4)))
  await service.seed(daily('PSV', 31), { source: 'gme-mgas' })
  await service.seed([...daily('TTF', 29)], { source: 'eex-ttf' })
  await service.seed([...daily('Brent', 84)], { source: 'eia-brent' })
  await service.seed([...daily('CO2', 76)], { source: 'eex-eua' })
  await forecastAll(service, today)
  return service
}

/** An issue a day for the last weeks, each of them scored by what came, the last from tomorrow's price on. */
async function forecastAll({ sql }: TestService, today: Temporal.PlainDate): Promise<void> {
  for (let back = 20; back >= 1; back--) {
    const infoDate = today.subtract({ days: back }).toString()
    await seedIssue(sql, { asset: 'PUN', infoDate, issuedAt: `${infoDate}T12:30:00Z`, days: 3, p50: () => 120 })
  }
  const infoDate = today.add({ days: 1 }).toString()
  await seedIssue(sql, { asset: 'PUN', infoDate, issuedAt: `${today}T13:00:00Z`, days: 40, p50: (day) => 90 + day / 4 })
  await scoreForecasts(sql, 'PUN', Temporal.Instant.from(`${today}T13:10:00Z`))
}
