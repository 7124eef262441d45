/** Seeds: forecasts entered into the ledger as the issuing job enters them. */

import type { ForecastChain } from '../../src/api/contract/forecasts.ts'
import type { AssetCode } from '../../src/market/assets.ts'
import type { Sql } from '../../src/store/database.ts'
import { issueForecasts, type NewForecast } from '../../src/store/forecast-ledger.ts'
import type { NewArtefact } from '../../src/store/forecast-models.ts'

export interface SeedIssue {
  asset: AssetCode
  /** The last known market day; targets begin on the next. */
  infoDate: string
  issuedAt: string
  chain?: ForecastChain
  days?: number
  /** Restricts the issue to these days. */
  targets?: (day: Temporal.PlainDate) => boolean
  /** Median of the n-th day from 1; the band is 10 below and 12 above it, the benchmark 3 above it. */
  p50?: (day: number) => number
  /** Hash of the models' inputs. */
  inputs?: string
}

/** Enters one issue with a published and a benchmark forecast for each day; returns how many were entered. */
export function seedIssue(sql: Sql, { asset, infoDate, issuedAt, ...rest }: SeedIssue): Promise<number> {
  const {
    chain = 'issued',
    days = 180,
    targets = () => true,
    p50 = (day) => 100 + day / 10,
    inputs = 'ab'.repeat(32),
  } = rest
  const info = Temporal.PlainDate.from(infoDate)
  const row = (role: NewForecast['role'], day: number, median: number): NewForecast => ({
    role,
    model: role === 'published' ? 'base' : 'walk',
    version: '1',
    targetDate: info.add({ days: day }).toString(),
    p10: median - 10,
    p50: median,
    p90: median + 12,
  })
  const all = Array.from({ length: days }, (_, i) => i + 1).filter((day) => targets(info.add({ days: day })))
  return issueForecasts(sql, {
    chain,
    subject: asset,
    issuedAt: Temporal.Instant.from(issuedAt),
    infoDate,
    inputsSha256: inputs,
    forecasts: [
      ...all.map((day) => row('published', day, p50(day))),
      ...all.map((day) => row('benchmark', day, p50(day) + 3)),
    ],
  })
}

/** The artefact of a training on data up to that day, with content that no model can load. */
export function trainedArtefact(dataTo: string, about: Partial<NewArtefact> = {}): NewArtefact {
  return {
    asset: 'PSV',
    model: 'net',
    version: '1',
    trainedAt: Temporal.Instant.from(`${dataTo}T05:00:00Z`),
    dataFrom: '2025-01-01',
    dataTo,
    synthetic: false,
    backend: 'wasm',
    codeVersion: '1.0.0',
    metrics: { mae: 1 },
    content: Uint8Array.of(1),
    ...about,
  }
}
