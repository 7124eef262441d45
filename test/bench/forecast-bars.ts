/** What the forecasts of each asset must reach on days that no choice was made on, €/MWh. */
import type { ForecastAsset } from '../../models/model.ts'

export interface ForecastBars {
  asset: ForecastAsset
  /** First and last target day. */
  from: string
  to: string
  /** The active model. */
  model: string
  /** Those it is compared with; the walk always, which errors are relative to. */
  others: readonly string[]
  bars: readonly { horizonDays: number; score: 'MAE' | 'pinball'; must: number }[]
  /** MAE of the next day, forecast at midday. */
  midday?: number
  /** Horizons whose bands are judged one by one. */
  coveredHorizonsDays?: readonly number[]
}

const BASELINES = ['conformal-walk', 'exponential-smoothing', 'same-weekday', 'last-day'] as const
/** A walk's own figure, give or take: how far gas must keep up with it. */
const LIKE_WALK = 1.02

export const FORECAST_BARS: readonly ForecastBars[] = [
  {
    asset: 'PUN',
    from: '2023-01-01',
    to: '2023-12-31',
    model: 'pun-ensemble',
    others: ['conformal-walk'],
    bars: [{ horizonDays: 1, score: 'MAE', must: 7.3 }],
    midday: 7.5,
  },
  {
    asset: 'PUN',
    from: '2024-01-01',
    to: '2024-12-31',
    model: 'pun-ensemble',
    others: ['lear', 'base', ...BASELINES],
    bars: [
      { horizonDays: 1, score: 'MAE', must: 5.7 },
      { horizonDays: 1, score: 'pinball', must: 1.99 },
      { horizonDays: 7, score: 'pinball', must: 2.95 },
      { horizonDays: 30, score: 'pinball', must: 4.15 },
      { horizonDays: 90, score: 'pinball', must: 6.65 },
      { horizonDays: 180, score: 'pinball', must: 9 },
    ],
    midday: 5.85,
    coveredHorizonsDays: [7, 30, 90, 180],
  },
  {
    asset: 'PSV',
    from: '2023-10-01',
    to: '2024-09-30',
    model: 'base',
    others: BASELINES,
    bars: [
      { horizonDays: 1, score: 'MAE', must: 0.93 },
      { horizonDays: 1, score: 'pinball', must: 0.328 },
      { horizonDays: 7, score: 'pinball', must: 0.82 * LIKE_WALK },
      { horizonDays: 30, score: 'pinball', must: 1.39 * LIKE_WALK },
      { horizonDays: 90, score: 'pinball', must: 2.4 * LIKE_WALK },
      { horizonDays: 180, score: 'pinball', must: 3.16 * LIKE_WALK },
    ],
  },
  {
    asset: 'TTF',
    from: '2024-01-01',
    to: '2024-12-31',
    model: 'base',
    others: BASELINES,
    bars: [
      { horizonDays: 1, score: 'pinball', must: 0.267 * LIKE_WALK },
      { horizonDays: 7, score: 'pinball', must: 0.58 * LIKE_WALK },
      { horizonDays: 30, score: 'pinball', must: 1.173 * LIKE_WALK },
      { horizonDays: 90, score: 'pinball', must: 2.383 * LIKE_WALK },
      { horizonDays: 180, score: 'pinball', must: 3.275 * LIKE_WALK },
    ],
  },
]

/** Of the 80 % bands from 1 to 30 days ahead, pooled over the year. */
export const COVERAGE_MIN = 0.76
export const COVERAGE_MAX = 0.9
/** Of those of one horizon. */
export const HORIZON_COVERAGE = { min: 0.76, max: 0.88 }
