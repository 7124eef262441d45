/** A forecast as the documentation shows it; the figures are invented. */
import { ASSETS } from '../../../market/assets.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import type { CurrentIssue } from './current-issue.ts'

export const FORECAST_EXAMPLE_URL = EXAMPLE_BASE_URL

export function exampleIssue(): CurrentIssue {
  return {
    asset: ASSETS.PUN,
    chain: 'issued',
    infoDate: '2026-11-22',
    issuedAt: Temporal.Instant.from('2026-11-21T12:02:11Z'),
    model: 'base',
    version: '1',
    basis: 'live',
    points: [
      { targetDate: '2026-11-23', horizonDays: 1, p10: 96.4, p50: 112.35, p90: 130.12 },
      { targetDate: '2026-11-24', horizonDays: 2, p10: 94.8, p50: 114.05, p90: 135.9 },
    ],
    last: {
      asset: 'PUN',
      day: '2026-11-22',
      price: 114.02,
      sourceIds: ['gme-mgp'],
      observedAt: Temporal.Instant.from('2026-11-21T11:57:00Z'),
    },
  }
}
