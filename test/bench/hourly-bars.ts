/** What the hours must reach, €/MWh: chosen on the years before 2024, which is the test. */
import type { InputStep } from '../../models/model.ts'
import type { ZoneCode } from '../../src/market/zones.ts'

export interface HourlyBars {
  zone: ZoneCode
  year: 2023 | 2024
  step: InputStep
  /** Quality of the simulated forecasts of wind and sun. */
  weather?: 'usual' | 'poor'
  bars: readonly { ahead: number; mae: number; pinball?: number }[]
  /** Of the daily mean of the next day, MAE. */
  daily?: number
  /** Whether the coverage of each block of four hours is judged. */
  isCoverageJudged?: boolean
}

export const HOURLY_BARS: readonly HourlyBars[] = [
  {
    ...{ zone: 'nazionale', year: 2023, step: 'prices-only', isCoverageJudged: true },
    bars: [{ ahead: 1, mae: 10.7, pinball: 3.65 }],
  },
  {
    ...{ zone: 'nazionale', year: 2023, step: 'without-neighbours', weather: 'usual' },
    bars: [{ ahead: 1, mae: 9.9 }],
    daily: 6.7,
  },
  {
    ...{ zone: 'nazionale', year: 2023, step: 'without-neighbours', weather: 'poor' },
    bars: [],
    daily: 6.9,
  },
  {
    ...{ zone: 'nazionale', year: 2024, step: 'prices-only', isCoverageJudged: true },
    bars: [
      { ahead: 1, mae: 8.5, pinball: 2.85 },
      { ahead: 2, mae: 9.8 },
      { ahead: 3, mae: 10.2 },
      { ahead: 7, mae: 11.5 },
    ],
  },
  { zone: 'nord', year: 2024, step: 'prices-only', bars: [{ ahead: 1, mae: 8.8, pinball: 2.95 }] },
  { zone: 'sud', year: 2024, step: 'prices-only', bars: [{ ahead: 1, mae: 9.9, pinball: 3.38 }] },
  { zone: 'sici', year: 2024, step: 'prices-only', bars: [{ ahead: 1, mae: 11.5, pinball: 4 }] },
]

/** Of the 80 % band over a year, in each block of four hours. */
export const BLOCK_COVERAGE = { min: 0.78, max: 0.82 }
/** A gain that is no luck. */
export const P_MAX = 0.01
