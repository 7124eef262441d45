import { describe, expect, it } from 'vitest'
import { HOURS } from '../../../models/hourly/history.ts'
import { POOR, simulatedWeather } from '../../support/simulated-weather.ts'

describe('simulated forecasts of wind and sun', () => {
  const firstDay = 20_000
  const cells = Array.from({ length: 400 * HOURS }, (_, at) => at)
  const wind = { firstDay, values: Float64Array.from(cells, (at) => 3000 + 2000 * Math.sin(at / 50)) }
  const solar = {
    firstDay,
    values: Float64Array.from(cells, (at) => Math.max(0, 6000 * Math.sin(((at % HOURS) - 6) / 4))),
  }
  const error = (forecast: Float64Array, actual: Float64Array) => {
    const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length
    return Math.sqrt(mean(forecast.map((mw, at) => (mw - (actual[at] as number)) ** 2))) / mean(actual)
  }

  it('have the wanted error, the same each time, and no sun at night', () => {
    const made = simulatedWeather(wind, solar, POOR)
    expect(error(made.wind.values, wind.values)).toBeCloseTo(POOR.wind, 4)
    expect(error(made.solar.values, solar.values)).toBeCloseTo(POOR.solar, 4)
    expect(simulatedWeather(wind, solar, POOR)).toEqual(made)
    expect(made.solar.values.filter((mw, at) => mw > 0 && solar.values[at] === 0)).toHaveLength(0)
  })
})
