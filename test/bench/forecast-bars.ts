/** What the forecasts of each asset must reach on days that no choice was made on, €/MWh. */
import type { ForecastAsset } from '../../models/model.ts'

export interface ForecastBars {
  asset: ForecastAsset
  /** First and last target day. */
  from: string
  to: string
  /** The active model. */
  model: string
  /** Those it is compared with. */
  others: readonly string[]
  bars: readonly { horizonDays: number; score: 'MAE' | 'pinball'; must: number; aim: number }[]
}

const BASELINES = ['conformal-walk', 'exponential-smoothing', 'same-weekday', 'last-day'] as const
/** A walk's own figure, give or take: how far gas must keep up with it. */
const LIKE_WALK = 1.02

export const FORECAST_BARS: readonly ForecastBars[] = [
  {
    asset: 'PUN',
    from: '2024-01-01',
    to: '2024-12-31',
    model: 'pun-ensemble',
    others: ['lear', 'base', ...BASELINES],
    bars: [
      { horizonDays: 1, score: 'MAE', must: 5.98, aim: 5.75 },
      { horizonDays: 1, score: 'pinball', must: 1.99, aim: 1.95 },
      { horizonDays: 7, score: 'pinball', must: 3.33, aim: 3.1 },
      { horizonDays: 30, score: 'pinball', must: 4.94, aim: 4.37 },
      { horizonDays: 90, score: 'pinball', must: 7.09, aim: 6.7 },
      { horizonDays: 180, score: 'pinball', must: 10.8, aim: 9.4 },
    ],
  },
  {
    asset: 'PSV',
    from: '2023-10-01',
    to: '2024-09-30',
    model: 'base',
    others: BASELINES,
    bars: [
      { horizonDays: 1, score: 'MAE', must: 0.93, aim: 0.88 },
      { horizonDays: 1, score: 'pinball', must: 0.328, aim: 0.29 },
      { horizonDays: 7, score: 'pinball', must: 0.82 * LIKE_WALK, aim: 0.78 },
      { horizonDays: 30, score: 'pinball', must: 1.39 * LIKE_WALK, aim: 1.27 },
      { horizonDays: 90, score: 'pinball', must: 2.4 * LIKE_WALK, aim: 2.33 },
      { horizonDays: 180, score: 'pinball', must: 3.16 * LIKE_WALK, aim: 3.12 },
    ],
  },
  {
    asset: 'TTF',
    from: '2024-01-01',
    to: '2024-12-31',
    model: 'base',
    others: BASELINES,
    bars: [
      { horizonDays: 1, score: 'pinball', must: 0.267 * LIKE_WALK, aim: 0.265 },
      { horizonDays: 7, score: 'pinball', must: 0.58 * LIKE_WALK, aim: 0.577 },
      { horizonDays: 30, score: 'pinball', must: 1.173 * LIKE_WALK, aim: 1.1 },
      { horizonDays: 90, score: 'pinball', must: 2.383 * LIKE_WALK, aim: 2.34 },
      { horizonDays: 180, score: 'pinball', must: 3.275 * LIKE_WALK, aim: 3.26 },
    ],
  },
]

/** Of the 80 % bands from 1 to 30 days ahead, pooled over the year. */
export const COVERAGE_MIN = 0.76
export const COVERAGE_MAX = 0.9
