/** Seeds: hourly forecasts entered into the ledger as the issuing job enters them. */

import type { ForecastChain } from '../../src/api/contract/forecasts.ts'
import { hoursOf, type InputStep, type IssueKind } from '../../src/market/forecast-scope.ts'
import { hoursInMarketDay } from '../../src/market/market-day.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import type { Sql } from '../../src/store/database.ts'
import { issueForecasts, type NewHourlyForecast } from '../../src/store/forecast-ledger.ts'

export interface SeedHours {
  zone: ZoneCode
  /** The last known market day; targets begin on the next. */
  infoDate: string
  issuedAt: string
  issue?: IssueKind
  chain?: ForecastChain
  days?: number
  /** Median by hour and day, both from 1; the band is 10 below and 12 above it, the benchmark 3 above it. */
  p50?: (hour: number, day: number) => number
  inputs?: InputStep
  /** Hash of the models' inputs. */
  inputsSha256?: string
}

/** Enters one issue with a published and a benchmark forecast for each day; returns how many were entered. */
export function seedHours(sql: Sql, { zone, infoDate, issuedAt, ...rest }: SeedHours): Promise<number> {
  const {
    issue = 'midday',
    chain = 'issued',
    days = 8,
    p50 = (hour) => 100 + hour,
    inputs = 'prices-only',
    inputsSha256 = 'ab'.repeat(32),
  } = rest
  const row = (role: NewHourlyForecast['role'], day: number): NewHourlyForecast => {
    const target = Temporal.PlainDate.from(infoDate).add({ days: day })
    const hours = Array.from(
      { length: hoursInMarketDay(target) },
      (_, i) => p50(i + 1, day) + (role === 'benchmark' ? 3 : 0),
    )
    return {
      role,
      model: role === 'published' ? 'ridge' : 'same-hour',
      version: '1',
      inputs: role === 'published' ? inputs : 'prices-only',
      targetDate: target.toString(),
      p10: hours.map((price) => price - 10),
      p50: hours,
      p90: hours.map((price) => price + 12),
    }
  }
  const all = Array.from({ length: days }, (_, i) => i + 1)
  return issueForecasts(sql, {
    chain,
    subject: hoursOf(zone),
    issue,
    issuedAt: Temporal.Instant.from(issuedAt),
    infoDate,
    inputsSha256,
    forecasts: [...all.map((day) => row('published', day)), ...all.map((day) => row('benchmark', day))],
  })
}
