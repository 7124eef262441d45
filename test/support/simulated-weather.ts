/**
 * Forecasts of wind and sun as a forecaster of a given quality might have made them, from what came about; the real ones of the past
 * are not at hand. Errors go together over hours, and those of the sun over the day; they know nothing of prices, load or other days.
 */
import { type DailyHours, HOURS } from '../../models/hourly/history.ts'
import { seededRandom } from '../../models/numeric/random.ts'

export interface Quality {
  /** Root mean square of the hours' errors over the mean. */
  wind: number
  solar: number
  seed: number
}

/** Half the usual forecaster's skill. */
export const POOR: Quality = { wind: 0.22, solar: 0.15, seed: 8 }

const WIND_MEMORY = 0.97
const SOLAR_MEMORY = 0.9

export function simulatedWeather(wind: DailyHours, solar: DailyHours, quality: Quality) {
  const normal = normals(seededRandom(quality.seed))
  const windErrors = autoregression(wind.values.length, WIND_MEMORY, normal)
  const solarErrors = autoregression(solar.values.length, SOLAR_MEMORY, normal)
  const clouds = Float64Array.from({ length: solar.values.length / HOURS }, normal)
  const mean = meanOf(wind.values)
  return {
    wind: ofQuality(wind, quality.wind, (mw, k, at) => mw + k * (0.35 * mean + 0.65 * mw) * (windErrors[at] as number)),
    solar: ofQuality(solar, quality.solar, (mw, k, at) => {
      return mw * (1 + k * (0.8 * (clouds[Math.floor(at / HOURS)] as number) + 0.6 * (solarErrors[at] as number)))
    }),
  }
}

/** Strong enough for the wanted error, by bisection. */
function ofQuality(
  { firstDay, values }: DailyHours,
  wanted: number,
  forecast: (mw: number, strength: number, at: number) => number,
): DailyHours {
  const mean = meanOf(values)
  let [low, high] = [0, 3]
  let made = values
  for (let round = 0; round < 40; round++) {
    const strength = (low + high) / 2
    made = values.map((mw, at) => Math.max(0, forecast(mw, strength, at)))
    const squares = made.map((mw, at) => (mw - (values[at] as number)) ** 2)
    if (Math.sqrt(meanOf(squares)) / mean < wanted) low = strength
    else high = strength
  }
  return { firstDay, values: made }
}

function autoregression(count: number, memory: number, normal: () => number): Float64Array {
  const values = new Float64Array(count)
  let last = normal()
  for (let at = 0; at < count; at++) {
    last = memory * last + Math.sqrt(1 - memory ** 2) * normal()
    values[at] = last
  }
  return values
}

/** Box and Muller. */
function normals(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** NaN cells are left out. */
function meanOf(values: Float64Array): number {
  let [sum, count] = [0, 0]
  for (const value of values) {
    if (Number.isNaN(value)) continue
    sum += value
    count++
  }
  return sum / count
}
