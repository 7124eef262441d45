/** Data for tests of the clients, the tools for assistants and the dashboard: prices with predictable answers. */
import { MARKET_ZONES } from '../../src/market/zones.ts'
import { scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { seedIssue } from './forecasts.ts'
import { seedHours } from './hourly-forecasts.ts'
import { exampleOffers, publishOffers } from './offers.ts'
import { dailyPrice, daysBetween, zoneDay } from './prices.ts'
import { startTestService, type TestService, type TestServiceOptions } from './service.ts'

/** 14:30 in Rome, when tomorrow's prices are published. */
export const SCENE_NOW = '2026-11-20T13:30:00Z'
const TODAY = '2026-11-20'
const TOMORROW = '2026-11-21'

const dayOfMonth = (day: string) => Number(day.slice(8))

/**
 * PUN: 100, plus the day of the month, plus 0.01 per hour (per quarter-hour today and tomorrow). `nord`: 50 plus the hour in March and
 * April, 60 plus the hour on 25 October; 1 May lacks hour 7. Zones tomorrow: 35, 41, 47 and so on, in the order of `MARKET_ZONES`.
 */
export async function startClientScene(options: Partial<TestServiceOptions> = {}): Promise<TestService> {
  const service = await startTestService({ now: SCENE_NOW, ...options })
  await seedPastForecasts(service)
  const national = daysBetween('2026-09-01', '2026-11-19')
  await service.seed([
    ...national.map((day) => zoneDay('nazionale', day, 60, (hour) => 100 + dayOfMonth(day) + hour / 100)),
    ...[TODAY, TOMORROW].map((day) =>
      zoneDay('nazionale', day, 15, (quarter) => 100 + dayOfMonth(day) + quarter / 100),
    ),
    ...daysBetween('2026-03-01', '2026-04-30').map((day) => zoneDay('nord', day, 60, (hour) => 50 + hour)),
    zoneDay('nord', '2026-05-01', 60, (hour) => (hour === 7 ? undefined : 50 + hour)),
    zoneDay('nord', '2026-10-25', 60, (hour) => 60 + hour),
    ...MARKET_ZONES.map((zone, i) => zoneDay(zone, TOMORROW, 60, () => 35 + 6 * i)),
  ])
  const everyDay = daysBetween('2026-09-01', TODAY)
  await service.seed(
    everyDay.map((day) => dailyPrice('PSV', day, 30 + dayOfMonth(day) / 10)),
    { source: 'gme-mgas' },
  )
  await service.seed(
    everyDay.map((day, i) => dailyPrice('TTF', day, 28 + (i % 5) / 10)),
    { source: 'eex-ttf' },
  )
  await service.seed(
    everyDay.map((day) => dailyPrice('Brent', day, 80 + dayOfMonth(day) / 10)),
    { source: 'eia-brent' },
  )
  await service.seed(
    everyDay.map((day) => dailyPrice('CO2', day, 70 + dayOfMonth(day) / 10)),
    { source: 'eex-eua' },
  )
  await seedCurrentForecasts(service)
  await publishOffers(service, exampleOffers('luce'), { day: TODAY })
  return service
}

/** Twenty issues at 120 €/MWh, each issued before the prices of its target day. */
async function seedPastForecasts({ sql }: TestService): Promise<void> {
  for (const infoDate of daysBetween('2026-10-31', '2026-11-19'))
    await seedIssue(sql, { asset: 'PUN', infoDate, issuedAt: `${infoDate}T12:30:00Z`, days: 1, p50: () => 120 })
}

/** Issued with tomorrow's price: 90 plus the horizon in days. */
async function seedCurrentForecasts({ sql }: TestService): Promise<void> {
  const latest = { infoDate: TOMORROW, issuedAt: `${TODAY}T13:00:00Z` }
  await seedIssue(sql, { asset: 'PUN', ...latest, days: 40, p50: (day) => 90 + day })
  await seedHours(sql, { zone: 'nazionale', ...latest })
  await scoreForecasts(sql, 'PUN', Temporal.Instant.from(`${TODAY}T13:10:00Z`))
}
