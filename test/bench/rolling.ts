/** Rolling evaluation: every issue of a span made again with only what was published before it, and scored by horizon. */
import { pastIssues } from '../../jobs/forecasts/past-issues.ts'
import { usualPublication } from '../../jobs/forecasts/price-record.ts'
import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import { historyAt, type PriceRecord, priceOn } from '../../models/history.ts'
import type { Scored } from '../../models/metrics.ts'
import type { Artefact, ForecastAsset, ForecastModel } from '../../models/model.ts'

export interface RollingOptions {
  record: PriceRecord
  asset: ForecastAsset
  /** First and last target day. */
  from: string
  to: string
  horizonsDays: readonly number[]
  refitDays: number
  /** Whether the forecast of midday, made before the evening's gas prices, is scored as well. */
  isMiddayScored?: boolean
}

export interface Rolled {
  /** Scored forecasts by horizon, in order of their targets. */
  byHorizon: Map<number, Scored[]>
  /** Every band from 1 to 30 days ahead. */
  upTo30: Scored[]
  /** Of the next day, made at midday. */
  midday: Scored[]
  trainSeconds: number
  trainings: number
  predictSeconds: number
  issues: number
}

export async function rollingEvaluation(model: ForecastModel, options: RollingOptions): Promise<Rolled> {
  const { record, asset, horizonsDays, refitDays, isMiddayScored = false } = options
  const [from, to] = [options.from, options.to].map((day) => dayNumber(Temporal.PlainDate.from(day))) as [
    number,
    number,
  ]
  const { series } = historyAt(record, Temporal.Instant.from('2100-01-01T00:00:00Z'))
  const rolled: Rolled = {
    byHorizon: new Map(horizonsDays.map((horizon) => [horizon, []])),
    upTo30: [],
    midday: [],
    trainSeconds: 0,
    trainings: 0,
    predictSeconds: 0,
    issues: 0,
  }
  let artefact: Artefact | undefined
  let trainedOn: DayNumber = 0
  for (const { info, history } of pastIssues(record, asset, from - Math.max(...horizonsDays), to - 1)) {
    if (!artefact || info - trainedOn >= refitDays) {
      const started = performance.now()
      artefact = await model.train(history, { asset, previous: artefact })
      trainedOn = info
      rolled.trainSeconds += (performance.now() - started) / 1000
      rolled.trainings++
    }
    const started = performance.now()
    const forecasts = model.predict(artefact, history, marketDay(info))
    rolled.issues++
    rolled.predictSeconds += (performance.now() - started) / 1000
    if (isMiddayScored && info + 1 >= from && info + 1 <= to) {
      const midday = historyAt(record, usualPublication(asset, marketDay(info)))
      const [next] = model.predict(artefact, midday, marketDay(info))
      const actual = priceOn(series[asset], info + 1)
      if (next && !Number.isNaN(actual)) rolled.midday.push({ p10: next.p10, p50: next.p50, p90: next.p90, actual })
    }
    for (const { targetDate, horizonDays, p10, p50, p90 } of forecasts) {
      const target = dayNumber(targetDate)
      const actual = priceOn(series[asset], target)
      if (target < from || target > to || Number.isNaN(actual)) continue
      rolled.byHorizon.get(horizonDays)?.push({ p10, p50, p90, actual })
      if (horizonDays <= 30) rolled.upTo30.push({ p10, p50, p90, actual })
    }
  }
  return rolled
}
