/** The forecast of the next 30 days with its band, drawn after the last 30 days. */

import type { ForecastCurve, NextForecast } from '../../api/contract/forecasts.ts'
import type { DailySeries } from '../../api/contract/series.ts'
import { METHODOLOGY_PATH } from '../../api/endpoints/forecast/present.ts'
import type { Asset } from '../../market/assets.ts'
import { type Html, html } from '../html.ts'
import { pricePageTexts } from '../i18n/price-page.ts'
import type { View } from '../view.ts'
import { bandColumns } from './band-columns.ts'
import { chart } from './chart.ts'
import { forecastStart } from './price-end.ts'

export interface Forecast {
  asset: Asset
  curve: ForecastCurve | undefined
  next: NextForecast | undefined
  /** The last 30 days. */
  month: DailySeries
  /** Whether prices have ended, as the page has said. */
  isEnded: boolean
}

export function forecastSection({ asset, curve, month, isEnded }: Forecast, view: View): Html {
  const texts = pricePageTexts[view.language]
  const { formats } = view
  return html`<section><h2 id="forecast">${texts.forecast}</h2>
${curve ? html`<p>${texts[curve.basis === 'live' ? 'issued' : 'computed'](formats.instant(curve.generated_at), curve.model)} ${texts.known(formats.day(curve.info_date))}</p>${forecastStart({ basis: curve.basis, first: curve.points[0]?.date ?? curve.info_date, infoDate: curve.info_date }, view)}${fan(curve, month, view)}` : html`<p class="${isEnded ? 'soft' : 'notice'}">${texts.noForecast}</p>`}
<p><a href="${view.href(`/forecasts?asset=${asset.slug}`)}">${texts.trackRecord}</a> · <a href="${view.href(METHODOLOGY_PATH)}">${texts.methodology}</a></p>
</section>`
}

function fan({ asset, unit, points }: ForecastCurve, month: DailySeries, view: View): Html {
  const texts = pricePageTexts[view.language]
  const past = month.points.map(({ date, value }) => ({ date, values: [value, undefined, undefined, undefined] }))
  const future = points.map(({ date, p10, p50, p90 }) => ({ date, values: [undefined, p10, p50, p90] }))
  return chart(
    {
      caption: texts.forecastCaption(asset),
      dayLabel: texts.day,
      unit,
      ...bandColumns(texts),
      rows: [...future, ...past.toReversed()],
      file: `${asset.toLowerCase()}_forecast`,
    },
    view,
  )
}
