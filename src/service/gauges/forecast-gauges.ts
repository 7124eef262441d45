/** How good the forecasts have been of late and when they were last made, read at each scrape. */

import type { MetricFamily } from '../../platform/metrics/exposition.ts'
import type { RecentForecasts } from '../../store/forecast-monitor.ts'

type Errors = NonNullable<RecentForecasts['errors']>

/** An asset without a scored day has no errors here: they are missing, not 0. */
export function forecastFamilies(recent: readonly RecentForecasts[]): MetricFamily[] {
  const gauge = (name: string, help: string, value: (one: RecentForecasts) => number | undefined): MetricFamily => ({
    name,
    help,
    type: 'gauge',
    samples: recent.flatMap((one) => {
      const measured = value(one)
      return measured === undefined ? [] : [{ name, labels: { asset: one.asset, chain: one.chain }, value: measured }]
    }),
  })
  const error = (name: string, help: string, value: (errors: Errors) => number | undefined) =>
    gauge(`energy_forecast_${name}`, `${help}, last 30 scored days at the shortest horizon.`, ({ errors }) =>
      errors === undefined ? undefined : value(errors),
    )
  return [
    gauge('energy_forecast_issued_timestamp_seconds', 'When forecasts were last issued.', ({ issuedAt }) =>
      Math.floor(issuedAt.epochMilliseconds / 1_000),
    ),
    gauge('energy_forecast_scored_days', 'Days behind the errors, 30 at most.', ({ errors }) => errors?.n ?? 0),
    error('mae_eur_mwh', 'Mean absolute error of the median', ({ mae }) => mae),
    error('bias_eur_mwh', 'Mean of median less price', ({ bias }) => bias),
    error('pinball_eur_mwh', 'Mean pinball loss of p10, p50 and p90', ({ pinball }) => pinball),
    error('rmae', 'Mean absolute error as a share of the naive forecast’s', ({ rmae }) => rmae),
    error('coverage80', 'Share of prices between p10 and p90; 0.8 is the promise', ({ coverage80 }) => coverage80),
  ]
}
