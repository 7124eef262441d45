/** Steps whose inputs are available for a day. */
import { INPUT_STEPS, type InputStep } from '../../src/market/forecast-scope.ts'
import type { DayNumber } from '../calendar.ts'
import { type Fundamentals, hasDay } from './history.ts'

/** One neighbouring market suffices. The model itself handles load beyond the reach of its forecast. */
const NEEDED: Record<InputStep, (fundamentals: Fundamentals, day: DayNumber) => boolean> = {
  everything: (known, day) => hasWeather(known, day) && hasNeighbour(known, day),
  'without-neighbours': hasWeather,
  'usual-weather': ({ load, usual }, day) => hasDay(load, day) && hasDay(usual?.wind, day) && hasDay(usual?.solar, day),
  'without-weather': ({ load }, day) => hasDay(load, day),
  'prices-only': () => true,
}

/** Steps that can forecast the day, best first; `prices-only` is always included. */
export function stepsFor(fundamentals: Fundamentals, day: DayNumber): InputStep[] {
  return INPUT_STEPS.filter((step) => NEEDED[step](fundamentals, day))
}

function hasWeather({ wind, solar }: Fundamentals, day: DayNumber): boolean {
  return hasDay(wind, day) && hasDay(solar, day)
}

function hasNeighbour({ neighbours = {} }: Fundamentals, day: DayNumber): boolean {
  return Object.values(neighbours).some((prices) => hasDay(prices, day))
}
