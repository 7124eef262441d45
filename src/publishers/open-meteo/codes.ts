/** Open-Meteo's names of what is read, with the unit each must come in. */
import type { FundamentalSeries } from '../../market/fundamentals.ts'

export interface WeatherVariable {
  series: FundamentalSeries
  unit: string
  /** A mean over the hour before the time it stands at, where the others are values at that time. */
  ofHourBefore: boolean
  /** What the mean of a zone is weighted by. */
  weight: 'windGw' | 'solarGw'
}

export const VARIABLES: Readonly<Record<string, WeatherVariable>> = {
  wind_speed_100m: { series: 'wind-speed', unit: 'm/s', ofHourBefore: false, weight: 'windGw' },
  shortwave_radiation: { series: 'solar-radiation', unit: 'W/m²', ofHourBefore: true, weight: 'solarGw' },
  temperature_2m: { series: 'temperature', unit: '°C', ofHourBefore: false, weight: 'solarGw' },
}

/** Of the past: what was forecast by a run two days before each hour, all of it known by the morning of the day before. */
export const TWO_DAYS_BEFORE = '_previous_day2'
