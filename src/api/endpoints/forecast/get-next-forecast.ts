import * as z from 'zod'
import { requireAssetBySlug } from '../../../market/assets.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import type { AccuracyBasis, ForecastErrors, ForecastPoint } from '../../../store/forecasts.ts'
import { forecastSlug, type NextForecast, nextForecast } from '../../contract/forecasts.ts'
import { endpoint } from '../../http/endpoint.ts'
import { creditsOf } from '../source-credits.ts'
import { recentAccuracy } from './best-basis.ts'
import { type CurrentIssue, latestForecast } from './current-issue.ts'
import { exampleIssue, FORECAST_EXAMPLE_URL } from './examples.ts'
import { methodologyUrl, showError, showPrice } from './present.ts'

/** Forecast of the next market day. Spec: "Next-day forecast". */
export const getNextForecast = endpoint({
  id: 'getNextForecast',
  method: 'get',
  path: '/forecast/{asset}/next',
  tag: 'Forecasts',
  summary: 'Get the next-day forecast',
  description:
    'Returns the forecast of the next market day whose price is not known yet, with the errors of the last 30 ' +
    'scored days. TTF is priced on trading days: on a Friday evening the next one is Monday, three days ahead.' +
    ' Where prices have ended, the day after the last of them is replayed: `basis` is `replay`.',
  plan: 'Developer',
  cache: '1h',
  pathSchema: z.object({ asset: forecastSlug }),
  reply: nextForecast,
  example: presentNext(exampleIssue(), exampleErrors(), FORECAST_EXAMPLE_URL),
  fails: ['no_data'],
  async handle({ path, service, today, now }) {
    const issue = await latestForecast({ service, today, now }, requireAssetBySlug(path.asset).code)
    const accuracy = await recentAccuracy(
      service.forecasts,
      issue,
      issue.basis === 'live' ? today : Temporal.PlainDate.from(issue.last.day),
    )
    return presentNext(issue, accuracy, service.config.baseUrl)
  },
})

interface Accuracy {
  basis: AccuracyBasis
  errors: ForecastErrors
}

function presentNext(issue: CurrentIssue, accuracy: Accuracy | undefined, baseUrl: URL): NextForecast {
  const next = issue.points[0] as ForecastPoint
  const { sourceIds } = issue.last
  return {
    asset: issue.asset.code as NextForecast['asset'],
    target_date: next.targetDate,
    value: showPrice(next.p50),
    unit: '€/MWh',
    p10: showPrice(next.p10),
    p90: showPrice(next.p90),
    model: issue.model,
    basis: issue.basis,
    ...(accuracy && presentAccuracy(accuracy)),
    n: accuracy?.errors.n ?? 0,
    mape_left_out: accuracy?.errors.mapeLeftOut ?? 0,
    horizon_days: next.horizonDays,
    info_date: issue.infoDate,
    generated_at: toUtcIso(issue.issuedAt),
    methodology: methodologyUrl(baseUrl),
    ...creditsOf(sourceIds, baseUrl),
  }
}

function presentAccuracy({ basis, errors }: Accuracy) {
  return {
    ...(errors.mape !== undefined && { mape_30d: showError(errors.mape) }),
    mae_30d: showError(errors.mae),
    ...(errors.rmae !== undefined && { rmae_30d: showError(errors.rmae) }),
    coverage80_30d: showError(errors.coverage80),
    accuracy_basis: basis,
  }
}

function exampleErrors(): Accuracy {
  const errors = {
    days: 30,
    n: 30,
    mae: 7.42,
    mape: 0.071,
    mapeLeftOut: 0,
    bias: 0.8,
    coverage80: 0.8,
    pinball: 2.1,
    rmae: 0.81,
  }
  return { basis: 'issued', errors: { ...errors, benchmark: undefined } }
}
