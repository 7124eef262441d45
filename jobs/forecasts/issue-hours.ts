/** Makes the hours of one issue: of each day the active model's from the best inputs that are there for it, and the naive forecast's. */
import { createHash } from 'node:crypto'
import type { Series } from '../../models/history.ts'
import { type DailyHours, type HourlyHistory, lastPricedDay } from '../../models/hourly/history.ts'
import {
  HOURLY_REACH_DAYS,
  type HourlyArtefact,
  type HourlyDayForecast,
  type HourlyModel,
  type InputStep,
  type Quantiles,
} from '../../models/hourly/model.ts'
import { stepsFor } from '../../models/hourly/steps.ts'
import { type HoursOfZone, hoursOf, TooLittleHistory } from '../../models/model.ts'
import { clockHoursOf, hoursInMarketDay, type MarketDay } from '../../src/market/market-day.ts'
import { artefactOf } from './artefact-bytes.ts'
import { stateName } from './predict.ts'
import type { ArtefactBytes, MadeHours } from './task.ts'

const PRICE_DECIMALS = 4

export interface HourlyModels {
  /** Trained ahead, best first. */
  trained: HourlyModel[]
  /** Needs no training; forecasts the days that no trained model can, and is what all are compared with. */
  naive: HourlyModel
}

export function hourlyModels(all: readonly HourlyModel[]): HourlyModels {
  const naive = all.find(({ isBaseline }) => isBaseline)
  if (naive === undefined) throw new Error('there is no naive model of hours: see models/hourly/registry.ts')
  return { trained: all.filter(({ isBaseline }) => !isBaseline), naive }
}

/** A trained state that is sound, with the model it belongs to. */
export interface HourlyState {
  model: HourlyModel
  artefact: HourlyArtefact
  /** Identifies the training; empty for a model without one. */
  state: string
}

/** The newest artefact that can be used, if any can, and why those after it cannot. */
export function hourlyStates(
  stored: readonly ArtefactBytes[],
  models: HourlyModels,
): { states: HourlyState[]; used: ArtefactBytes[]; problems: string[] } {
  const problems: string[] = []
  for (const one of stored) {
    const model = models.trained.find(({ id, version }) => id === one.model && version === one.version)
    try {
      if (model === undefined) throw new RangeError(`there is no model ${one.model} ${one.version} of hours any more`)
      const artefact = artefactOf<HoursOfZone>(one.content)
      return { states: [{ model, artefact, state: stateName(one) }], used: [one], problems }
    } catch (err) {
      if (!(err instanceof RangeError || err instanceof SyntaxError)) throw err
      problems.push(err.message)
    }
  }
  return { states: [], used: [], problems }
}

/**
 * Each of the days to come by the first state that can, from the first of the day's steps that it can; by the naive model where none can.
 * The naive forecasts follow. @throws TooLittleHistory where not even it can
 */
export async function makeHours(
  history: HourlyHistory,
  states: readonly HourlyState[],
  { naive }: HourlyModels,
  wantedSteps: readonly InputStep[] | undefined = undefined,
): Promise<MadeHours[]> {
  const last = lastPricedDay(history.prices)
  if (last === undefined) throw new TooLittleHistory(hoursOf(history.zone), naive.daysNeeded, 0)
  const own: HourlyState = { model: naive, artefact: await naive.train(history), state: '' }
  const all = [...states, own]
  const made = new Map<string, HourlyDayForecast[] | undefined>()
  const forecastOf = (state: HourlyState, step: InputStep) => {
    const key = `${all.indexOf(state)} ${step}`
    if (!made.has(key)) made.set(key, forecastOrNone(state, history, step))
    return made.get(key)
  }
  const published = Array.from({ length: HOURLY_REACH_DAYS }, (_, i) => {
    const steps = stepsFor(history.fundamentals, last + 1 + i).filter((step) => wantedSteps?.includes(step) ?? true)
    for (const state of all) {
      for (const step of steps) {
        const day = state.model.steps.includes(step) ? forecastOf(state, step)?.[i] : undefined
        if (day !== undefined && isWhole(day)) return madeHours('published', state, step, day)
      }
    }
    throw new TooLittleHistory(hoursOf(history.zone), naive.daysNeeded, 0)
  })
  const benchmark = forecastOf(own, 'prices-only') ?? []
  return [...published, ...benchmark.map((day) => madeHours('benchmark', own, 'prices-only', day))]
}

function forecastOrNone({ model, artefact }: HourlyState, history: HourlyHistory, step: InputStep) {
  try {
    return model.forecast(artefact, history, { days: HOURLY_REACH_DAYS, step })
  } catch (err) {
    if (err instanceof TooLittleHistory || err instanceof RangeError) return undefined
    throw err
  }
}

/** A number that is none is never issued: the next step, or the naive model, takes the day. */
function isWhole({ hours }: HourlyDayForecast): boolean {
  return hours.every(({ p10, p50, p90 }) => p10 <= p50 && p50 <= p90 && Number.isFinite(p10 + p90))
}

function madeHours(
  role: MadeHours['role'],
  { model, state }: HourlyState,
  inputs: InputStep,
  { day, hours, mean }: HourlyDayForecast,
): MadeHours {
  const elapsed = elapsedHours(day, hours)
  return {
    role,
    model: model.id,
    version: state === '' ? model.version : `${model.version}+${state}`,
    inputs,
    targetDate: day.toString(),
    p10: elapsed.map(({ p10 }) => roundPrice(p10)),
    p50: elapsed.map(({ p50 }) => roundPrice(p50)),
    p90: elapsed.map(({ p90 }) => roundPrice(p90)),
    mean,
  }
}

/** 23 hours in March, without the skipped one; 25 in October, the double one twice. */
function elapsedHours(day: MarketDay, hours: readonly Quantiles[]): Quantiles[] {
  return clockHoursOf(hoursInMarketDay(day)).map((clock) => hours[clock] as Quantiles)
}

/** As the ledger keeps prices. */
export function roundPrice(price: number): number {
  return Number(price.toFixed(PRICE_DECIMALS))
}

/** SHA-256 over everything that the model was given: each series with its name and first day, its values as little-endian doubles, and the artefacts. */
export function hourlyInputsSha256(history: HourlyHistory, artefacts: readonly ArtefactBytes[]): string {
  const hash = createHash('sha256')
  const add = (name: string, firstDay: number, values: Float64Array) =>
    hash.update(`${name}|${firstDay}|`, 'utf8').update(littleEndian(values))
  const addHours = (name: string, series: DailyHours | undefined) => series && add(name, series.firstDay, series.values)
  const addDays = (name: string, { firstDay, prices }: Series) => add(name, firstDay, prices)
  const { zone, prices, national, gas, fundamentals } = history
  addHours(zone, prices)
  add(`${zone} mean`, prices.firstDay, prices.means)
  if (national !== prices) addHours('nazionale', national)
  addDays('PSV', gas.PSV)
  addDays('TTF', gas.TTF)
  addHours('load', fundamentals.load)
  addHours('wind', fundamentals.wind)
  addHours('solar', fundamentals.solar)
  addHours('usual wind', fundamentals.usual?.wind)
  addHours('usual solar', fundamentals.usual?.solar)
  for (const [market, series] of Object.entries(fundamentals.neighbours ?? {})) addHours(market, series)
  for (const { content } of artefacts) hash.update(content)
  return hash.digest('hex')
}

function littleEndian(values: Float64Array): DataView {
  const bytes = new DataView(new ArrayBuffer(values.length * 8))
  values.forEach((value, i) => {
    bytes.setFloat64(i * 8, value, true)
  })
  return bytes
}
