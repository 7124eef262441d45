/**
 * Averages regressions and boosted trees of the hours, for each number of days ahead and each set of inputs, with a band from their own
 * past errors.
 */

import {
  adaptShares,
  bandsAfter,
  type CellOffsets,
  ErrorScales,
  initialShares,
  TRAIL_DAYS,
} from '../../bands/error-shares.ts'
import { DAY_KINDS, type DayNumber, dayKind, marketDay } from '../../calendar.ts'
import {
  assertArtefactOf,
  HOURLY_REACH_DAYS,
  type HourlyArtefact,
  type HourlyDayForecast,
  type HourlyModel,
  hoursOf,
  INPUT_STEPS,
  type InputStep,
  type Quantiles,
  TooLittleHistory,
} from '../../model.ts'
import { pack, unpacked } from '../../pack.ts'
import { countDays, HOURS, type HourlyHistory } from '../history.ts'
import { type Features, features } from './features.ts'
import { applyLearners, fitLearners, type Learners, ROWS_MIN } from './learners.ts'
import { fromRelative, toRelative } from './relative-price.ts'
import { PASS_THROUGH_DAYS, passThroughShares, type SurpriseDay, surpriseOf } from './swiss-surprise.ts'
import { type ZoneView, zoneView } from './zone-view.ts'

/** Days before the last one at which learners are fitted to backfill forecasts from before the first training. */
const BACKFILL_CUTOFFS_DAYS = [TRAIL_DAYS, TRAIL_DAYS / 2]
/** Backfilled days from which the shares outside the band are learned. */
const ADAPTATION_DAYS = 91
const DAYS_NEEDED = ROWS_MIN + TRAIL_DAYS + 2 * HOURLY_REACH_DAYS

/** Out-of-sample medians of past targets, €/MWh, 24 for each day from `firstDay`. */
interface Trail {
  firstDay: DayNumber
  medians: Float64Array
  /** Only with a Swiss price, by hour: the relative prices forecast without it, and its surprise. */
  past?: { plain: Float64Array; news: Float64Array }
}

/** The model of one set of inputs and one number of days ahead. */
interface Branch {
  ahead: number
  step: InputStep
  learners: Learners
  /** Ends with the last target forecast before the training. */
  trail: Trail
  /** Target shares of prices outside the band, by block, adapted up to the last target known at the training. */
  shares: Shares
}

interface Shares {
  hours: Float64Array
  mean: Float64Array
}

interface State {
  through: DayNumber
  branches: Branch[]
}

/** A history, its view, and its features by number of days ahead. */
interface FeatureCache {
  history: HourlyHistory
  view: ZoneView
  at(ahead: number): Features
}

interface EnsembleOptions {
  /** Days ahead; all that are forecast by default, fewer for experiments. */
  reachDays?: readonly number[]
  steps?: readonly InputStep[]
  /** Boosted trees of each learner for the next day; farther ahead there are fewer. */
  trees?: number
}

const STEPS: readonly InputStep[] = INPUT_STEPS
const TREES = 250
/** Weight of the prices-only forecast in the daily level of forecasts from more inputs. Chosen on July 2022 to 2023. */
const PLAIN_SHARE = 0.3
/** Exponent of the last week in the error scale. Chosen on 2020 to 2023. */
const RECENCY = 0.4
const REACH_DAYS = Array.from({ length: HOURLY_REACH_DAYS }, (_, at) => at + 1)

export function hourlyEnsemble({
  reachDays = REACH_DAYS,
  steps = STEPS,
  trees = TREES,
}: EnsembleOptions = {}): HourlyModel {
  let last: FeatureCache | undefined
  const model: HourlyModel = {
    id: 'hourly-ensemble',
    version: '6',
    isBaseline: false,
    description:
      'Ridge regressions on the days of the same season and kind, and boosted trees of the 24 hours, with an adaptive conformal band.',
    daysNeeded: DAYS_NEEDED,
    steps,

    async train(history, { seed = 0, previous } = {}) {
      const view = requireZoneView(history)
      const before = previous && stateOf(previous, history)
      const branches = reachDays.flatMap((ahead) => {
        const usable = steps.filter((step) => hasInputsFor(history, step, ahead))
        return usable.length === 0 ? [] : trainAhead(view, { ahead, steps: usable, seed, trees }, before)
      })
      return {
        model: model.id,
        version: model.version,
        asset: hoursOf(history.zone),
        span: { from: marketDay(view.firstDay).toString(), to: marketDay(view.lastDay).toString() },
        backend: 'none',
        seed,
        metrics: {},
        ...pack({ through: view.lastDay, branches } satisfies State),
      } satisfies HourlyArtefact
    },

    forecast(artefact, history, { days, step }) {
      const { through, branches } = stateOf(artefact, history)
      const seen = cachedFeatures(history)
      if (seen.view.lastDay < through)
        throw new RangeError(
          `${model.id} has learned from days after ${marketDay(seen.view.lastDay)} and cannot forecast from it`,
        )
      const made: HourlyDayForecast[] = []
      for (const ahead of reachDays.filter((one) => one <= days)) {
        const used = ahead > 1 && step === 'everything' ? 'without-neighbours' : step
        const branch = branches.find((one) => one.ahead === ahead && one.step === used)
        const forecast = branch && forecastOf(branch, seen, through)
        if (!forecast) throw new TooLittleHistory(hoursOf(history.zone), DAYS_NEEDED, countDays(history.prices))
        made.push(forecast)
      }
      return made
    },
  }
  return model

  /** Caches the last history, because the steps of an issue use the same one in turn. */
  function cachedFeatures(history: HourlyHistory): FeatureCache {
    if (last?.history !== history) {
      const view = requireZoneView(history)
      const byAhead = new Map<number, Features>()
      const at = (ahead: number) => {
        const found = byAhead.get(ahead) ?? features(view, ahead)
        byAhead.set(ahead, found)
        return found
      }
      last = { history, view, at }
    }
    return last
  }

  function stateOf(artefact: HourlyArtefact, { zone }: HourlyHistory): State {
    assertArtefactOf(model, artefact, [hoursOf(zone)])
    return unpacked<State>(artefact)
  }
}

export const hourlyEnsembleModel = hourlyEnsemble()

/** @throws TooLittleHistory */
function requireZoneView(history: HourlyHistory): ZoneView {
  const view = zoneView(history)
  const days = countDays(history.prices)
  if (!view || days < DAYS_NEEDED) throw new TooLittleHistory(hoursOf(history.zone), DAYS_NEEDED, days)
  return view
}

/** Whether the step's inputs were ever known. Neighbours that clear earlier have prices for the next day only. */
function hasInputsFor({ fundamentals }: HourlyHistory, step: InputStep, ahead: number): boolean {
  const { load, wind, solar, usual, neighbours } = fundamentals
  const hasWeather = load !== undefined && wind !== undefined && solar !== undefined
  switch (step) {
    case 'everything':
      return hasWeather && neighbours?.CH !== undefined && ahead === 1
    case 'without-neighbours':
      return hasWeather
    case 'usual-weather':
      return load !== undefined && usual !== undefined
    case 'without-weather':
      return load !== undefined
    case 'prices-only':
      return true
  }
}

interface Training {
  ahead: number
  steps: readonly InputStep[]
  seed: number
  trees: number
}

function trainAhead(view: ZoneView, training: Training, before: State | undefined): Branch[] {
  const { lastDay } = view
  const { ahead, steps } = training
  const inputs = features(view, ahead)
  const own = steps.map((step) => before?.branches.find((one) => one.ahead === ahead && one.step === step))
  const learned = own.map((branch) => branch?.learners)
  const fitted = fitLearners(view, inputs, { ...training, through: lastDay }, learned)
  if (!fitted) return []
  const fresh = steps.filter((_, at) => !own[at])
  const backfill = fresh.length === 0 ? [] : backfillTrails(view, inputs, { ...training, steps: fresh })
  return fitted.flatMap((learners, at) => {
    const step = steps[at] as InputStep
    const old = own[at]
    if (old) {
      const trail = extendTrail(old.trail, view, inputs, old.learners, lastDay + ahead - 1)
      const span = { from: (before as State).through + 1, to: lastDay }
      const shares = sharesAfter(scalesOf(view, trail, ahead), old.shares, span)
      return [{ ahead, step, learners, trail, shares }]
    }
    const trail = backfill[fresh.indexOf(step)]
    if (!trail) return []
    const span = { from: lastDay - ADAPTATION_DAYS + 1, to: lastDay }
    const initial = { hours: initialShares(HOURS), mean: initialShares(1) }
    const shares = sharesAfter(scalesOf(view, trail, ahead), initial, span)
    return [{ ahead, step, learners, trail, shares }]
  })
}

/** Backfills trails from before the first training, with regressions fitted twice and without trees, which take long. */
function backfillTrails(view: ZoneView, inputs: Features, training: Training): (Trail | undefined)[] {
  const { ahead, steps } = training
  const trails: (Trail | undefined)[] = steps.map(() => undefined)
  BACKFILL_CUTOFFS_DAYS.forEach((cutoff, at) => {
    const through = view.lastDay - cutoff
    const next = view.lastDay - (BACKFILL_CUTOFFS_DAYS[at + 1] ?? 0)
    const fitted = fitLearners(view, inputs, { ...training, through, trees: 0 })
    fitted?.forEach((learners, place) => {
      const trail = trails[place] ?? { firstDay: through + ahead, medians: new Float64Array(0) }
      trails[place] = extendTrail(trail, view, inputs, learners, next + ahead - 1)
    })
  })
  return trails
}

/** Appends the learners' forecasts of the targets after the trail's last one, up to `last`; drops days that are too old. */
function extendTrail(trail: Trail, view: ZoneView, inputs: Features, learners: Learners, last: DayNumber): Trail {
  const { firstDay } = trail
  const from = Math.max(firstDay, last - TRAIL_DAYS + 1)
  const grown = (values: Float64Array = new Float64Array(0)) => {
    const longer = new Float64Array((last - from + 1) * HOURS).fill(Number.NaN)
    longer.set(values.subarray((from - firstDay) * HOURS))
    return longer
  }
  const medians = grown(trail.medians)
  const past = learners.news && { plain: grown(trail.past?.plain), news: grown(trail.past?.news) }
  for (let target = Math.max(from, firstDay + trail.medians.length / HOURS); target <= last; target++) {
    const at = (target - from) * HOURS
    let relative = applyLearners(learners, inputs, target)
    if (learners.news && past) {
      const plain = applyLearners(learners.news.base, inputs, target)
      const news = surpriseOf(view.fundamentals.neighbours?.CH, learners.news.expected, inputs, target)
      const shares = passThroughShares(surpriseDays(view, inputs, from, past, target))
      relative = relative.map((value, hour) => {
        const informed = (plain[hour] as number) + (shares[hour] as number) * (news[hour] as number)
        return (value + informed) / 2
      })
      past.plain.set(plain, at)
      past.news.set(news, at)
    }
    const prices = pricesOf(relative, inputs, target)
    const plain = learners.plain && pricesOf(applyLearners(learners.plain, inputs, target), inputs, target)
    const moved = plain ? PLAIN_SHARE * (meanOf(plain) - meanOf(prices)) : 0
    medians.set(
      prices.map((price) => price + moved),
      at,
    )
  }
  return { firstDay: from, medians, ...(past && { past }) }
}

function pricesOf(relative: Float64Array, inputs: Features, target: DayNumber): Float64Array {
  const level = inputs.level(target)
  return relative.map((value) => fromRelative(value, level))
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Swiss surprises of the days before the target, and the errors of forecasts without them. */
function surpriseDays(
  { published, firstDay, lastDay }: ZoneView,
  inputs: Features,
  from: DayNumber,
  { plain, news }: NonNullable<Trail['past']>,
  target: DayNumber,
): SurpriseDay[] {
  const days: SurpriseDay[] = []
  for (let day = Math.max(from, target - PASS_THROUGH_DAYS); day < target && day <= lastDay; day++) {
    const [at, level] = [(day - from) * HOURS, inputs.level(day)]
    const errors = Float64Array.from({ length: HOURS }, (_, hour) => {
      const price = published[(day - firstDay) * HOURS + hour] as number
      return toRelative(price, level) - (plain[at + hour] as number)
    })
    days.push({ news: news.subarray(at, at + HOURS), errors })
  }
  return days
}

interface Scales {
  hours: ErrorScales
  mean: ErrorScales
}

/** Error scales of the trail's targets with published hours. */
function scalesOf({ published, firstDay, holidays }: ZoneView, trail: Trail, ahead: number): Scales {
  const start = (trail.firstDay - firstDay) * HOURS
  const hours = trail.medians.map((median, at) => (published[start + at] ?? Number.NaN) - median)
  const means = Float64Array.from({ length: hours.length / HOURS }, (_, day) => {
    return meanOf(hours.subarray(day * HOURS, (day + 1) * HOURS))
  })
  const kinds = { count: DAY_KINDS, of: (day: DayNumber) => dayKind(day, holidays) }
  return {
    hours: new ErrorScales({ firstDay: trail.firstDay, cells: HOURS, values: hours }, ahead, {
      recency: RECENCY,
      kinds,
    }),
    mean: new ErrorScales({ firstDay: trail.firstDay, cells: 1, values: means }, ahead),
  }
}

function sharesAfter(scales: Scales, { hours, mean }: Shares, span: { from: DayNumber; to: DayNumber }): Shares {
  return { hours: adaptShares(scales.hours, hours, span), mean: adaptShares(scales.mean, mean, span) }
}

/** Returns undefined if too few errors are known for a band. */
function forecastOf(
  { ahead, learners, trail, shares }: Branch,
  { view, at }: FeatureCache,
  through: DayNumber,
): HourlyDayForecast | undefined {
  const { lastDay } = view
  const inputs = at(ahead)
  const fullTrail = extendTrail(trail, view, inputs, learners, lastDay + ahead)
  const scales = scalesOf(view, fullTrail, ahead)
  const now = sharesAfter(scales, shares, { from: through + 1, to: lastDay })
  const ofHours = bandsAfter(scales.hours, lastDay, now.hours)
  const ofMean = bandsAfter(scales.mean, lastDay, now.mean)
  if (!ofHours || !ofMean) return undefined
  const medians = fullTrail.medians.subarray(-HOURS)
  return {
    day: marketDay(lastDay + ahead),
    hours: quantiles(medians, ofHours),
    mean: quantiles([meanOf(medians)], ofMean)[0] as Quantiles,
  }
}

function quantiles(medians: ArrayLike<number>, { below, above }: CellOffsets): Quantiles[] {
  return Array.from(medians, (p50, cell) => {
    return { p10: p50 + (below[cell] as number), p50, p90: p50 + (above[cell] as number) }
  })
}
