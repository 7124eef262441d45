/** Wind and solar output from weather runs, on simulated weather and plants: no real data is available. */
import { describe, expect, it } from 'vitest'
import type { HoursRevision } from '../../../models/hourly/record.ts'
import { seededRandom } from '../../../models/numeric/random.ts'
import { type OutputInputs, outputForecasts, type Plant } from '../../../models/output/output.ts'

const DAYS = 900
const FIRST = 19_700
const DAY_MS = 86_400_000
const HOURS = 24

/** A run in the morning of the day before, with some error; output metered the night after, from growing capacity. */
function scene(plant: Plant): OutputInputs {
  const random = seededRandom(11)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const weather: HoursRevision[] = []
  const temperature: HoursRevision[] = []
  const metered: HoursRevision[] = []
  let [wind, cloud] = [0, 0.7]
  for (let day = FIRST; day < FIRST + DAYS; day++) {
    const season = Math.cos((2 * Math.PI * (day - 19_890)) / 365.25)
    cloud = Math.min(1, Math.max(0.2, 0.7 + 0.7 * (cloud - 0.7) + 0.12 * normal()))
    const grown = 1 + (day - FIRST) / 3000
    const error = plant === 'wind' ? 0.5 * normal() : 0.06 * normal()
    const [run, degrees, output] = [new Float64Array(HOURS), new Float64Array(HOURS), new Float64Array(HOURS)]
    for (let hour = 0; hour < HOURS; hour++) {
      degrees[hour] = 15 + 10 * season + 5 * Math.sin((2 * Math.PI * (hour - 9)) / 24)
      if (plant === 'wind') {
        wind = 0.96 * wind + 0.28 * normal() * 2.6
        const speed = Math.max(0, 7 - season + wind)
        run[hour] = Math.max(0, speed + error)
        output[hour] = 9000 * grown * Math.min(1, Math.max(0, (speed - 3) / 10) ** 2)
      } else {
        const height = Math.max(0, Math.sin((Math.PI * (hour - 5.5 + season)) / (13 + 2 * season)))
        const radiation = hour < 4 || hour > 20 ? 0 : 900 * height * (0.75 + 0.25 * season) * cloud
        run[hour] = radiation * (1 + error)
        output[hour] = 20 * grown * radiation * (1 - 0.004 * ((degrees[hour] as number) - 25))
      }
    }
    const before = (day - 1) * DAY_MS + 5 * 3_600_000
    weather.push({ day, hours: run, knownAtMs: before })
    temperature.push({ day, hours: degrees, knownAtMs: before })
    metered.push({ day, hours: output, knownAtMs: (day + 1) * DAY_MS + 2 * 3_600_000 })
  }
  return plant === 'wind' ? { weather, metered } : { weather, temperature, metered }
}

/** Root mean square error of the hours relative to the mean, from day 500 on. */
function errorOf(forecasts: readonly HoursRevision[], metered: readonly HoursRevision[]): number {
  const actual = new Map(metered.map(({ day, hours }) => [day, hours]))
  let [squares, sum, count] = [0, 0, 0]
  for (const { day, hours } of forecasts) {
    const own = actual.get(day)
    if (own === undefined || day < FIRST + 500) continue
    for (let hour = 0; hour < HOURS; hour++) {
      squares += ((hours[hour] as number) - (own[hour] as number)) ** 2
      sum += own[hour] as number
      count++
    }
  }
  return Math.sqrt(squares / count) / (sum / count)
}

describe.each(['wind', 'solar'] as const)('%s output from weather runs', (plant) => {
  const inputs = scene(plant)
  const forecasts = outputForecasts(plant, inputs, FIRST)

  it('has a much lower error than persistence', () => {
    const own = errorOf(forecasts, inputs.metered)
    const persistence = errorOf(
      inputs.metered.map(({ day, ...rest }) => ({ ...rest, day: day + 1 })),
      inputs.metered,
    )
    expect(own).toBeLessThan(0.6 * persistence)
    expect(own).toBeLessThan(plant === 'wind' ? 0.35 : 0.15)
    expect(forecasts.every(({ hours }) => Array.from(hours).every((mw) => mw >= 0))).toBe(true)
  })

  it('of a run does not depend on later data, whether removed or multiplied', () => {
    const cut = FIRST + 600
    const cutMs = cut * DAY_MS
    const early = (revisions: readonly HoursRevision[]) => revisions.filter(({ knownAtMs }) => knownAtMs < cutMs)
    const changed = (revisions: readonly HoursRevision[]) =>
      revisions.map((one) =>
        one.knownAtMs < cutMs ? one : { ...one, hours: Array.from(one.hours, (value) => 3 * value) },
      )
    for (const of of [early, changed]) {
      const { weather, temperature, metered } = inputs
      const given = { weather: of(weather), metered: of(metered), ...(temperature && { temperature: of(temperature) }) }
      expect(early(outputForecasts(plant, given, FIRST))).toEqual(early(forecasts))
    }
    expect(early(forecasts).length).toBeGreaterThan(300)
  })

  it('is not forecast from less than half a year, or from a run with a gap', () => {
    const first = Math.min(...forecasts.map(({ day }) => day))
    expect(first - FIRST).toBeGreaterThan(182)
    expect(first - FIRST).toBeLessThan(182 + 40)
    const holed = inputs.weather.map((run, at) =>
      at === 700 ? { ...run, hours: [...Array.from(run.hours).slice(1), Number.NaN] } : run,
    )
    const days = outputForecasts(plant, { ...inputs, weather: holed }, FIRST).map(({ day }) => day)
    expect(days).not.toContain(FIRST + 700)
    expect(days).toContain(FIRST + 701)
  })
})
