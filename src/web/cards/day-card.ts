/** Link preview for messengers and social networks: tomorrow's PUN once published, else today's. SVG, rendered as PNG by `draw-png.ts`. */
import { SERVICE_NAME } from '../../api/contract/identity.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { priceLevel } from '../../market/price-level.ts'
import { type Html, html } from '../html.ts'
import { cardTexts } from '../i18n/cards.ts'
import { hourTexts } from '../i18n/hours.ts'
import { priceTexts } from '../i18n/indices.ts'
import { bestWindows, type CompleteDay, latestCompleteDay } from '../parts/day-answer.ts'
import { clockSpan, intervalsOf } from '../parts/day-intervals.ts'
import type { DayOfHours } from '../parts/hours-section.ts'
import { axisOf } from '../parts/plot.ts'
import { staleDays } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import type { View } from '../view.ts'

/** In pixels, for Open Graph. */
export const DAY_CARD_SIZE = { width: 1200, height: 630 }
const MARGIN = 70
const CHART = { top: 330, bottom: 560 }
const FILLS = { low: '#2b9467', normal: '#7d919f', high: '#d2571f' }

/** `last`: the last day with prices, shown if today has none. */
export function dayCard(
  days: { today: DayOfHours; tomorrow: DayOfHours; last: DayOfHours },
  today: MarketDay,
  view: View,
): string {
  const { width, height } = DAY_CARD_SIZE
  const shown = latestCompleteDay({ today: days.today.prices ?? days.last.prices, tomorrow: days.tomorrow.prices })
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="PT Sans Caption" fill="#14212b">
<rect width="${width}" height="${height}" fill="#fff"/>
<rect width="${width}" height="12" fill="#0f6f94"/>
${shown ? dayOf(shown, today, view) : html`<text x="${MARGIN}" y="150" font-size="54" font-weight="700">${cardTexts[view.language].missing}</text>`}
<text x="${MARGIN}" y="605" font-size="24" fill="#51606c">${SERVICE_NAME}</text>
</svg>`.text
}

function dayOf({ day, isTomorrow }: CompleteDay, today: MarketDay, view: View): Html {
  const texts = hourTexts[view.language]
  const intervals = intervalsOf(day)
  const inUnit = (value: number) => `${view.formats.number(value)} ${day.unit}`
  const line = (y: number, label: string, text: string) =>
    html`<text x="${MARGIN}" y="${y}" font-size="32"><tspan fill="#51606c">${label}: </tspan><tspan font-weight="700">${text}</tspan></text>\n`
  const { cheapest, dearest } = bestWindows(intervals)
  const age = staleDays('PUN', day.date, today)
  const name = isTomorrow ? texts.tomorrow : texts.today
  return html`<text x="${MARGIN}" y="92" font-size="32" fill="#51606c">${age === undefined && `${name}, `}${view.formats.weekday(day.date)}${age !== undefined && html`<tspan fill="#8a4b00">, ${priceTexts[view.language].age(age)}</tspan>`}</text>
<text x="${MARGIN}" y="170" font-size="68" font-weight="700">PUN ${inUnit(day.stats.avg)}</text>
${cheapest && line(232, texts.cheapestWindow, `${clockSpan(cheapest, intervals, view)}, ${inUnit(cheapest.mean)}`)}
${dearest && line(282, texts.dearestWindow, `${clockSpan(dearest, intervals, view)}, ${inUnit(dearest.mean)}`)}
${bars(day, intervals)}
${isSynthetic(day.source) && html`<text x="${DAY_CARD_SIZE.width - MARGIN}" y="605" text-anchor="end" font-size="24" font-weight="700" fill="#8a4b00">${cardTexts[view.language].synthetic}</text>`}`
}

function bars({ stats, expected }: CompleteDay['day'], intervals: ReturnType<typeof intervalsOf>): Html {
  const axis = axisOf(intervals.map(({ value }) => value))
  const y = (value: number) => CHART.top + ((axis.high - value) / (axis.high - axis.low)) * (CHART.bottom - CHART.top)
  const step = (DAY_CARD_SIZE.width - 2 * MARGIN) / expected
  return html`${intervals.map(({ ordinal, value }) => {
    const top = y(Math.max(0, value))
    return html`<rect x="${MARGIN + (ordinal - 1) * step}" y="${top}" width="${step * 0.86}" height="${y(Math.min(0, value)) - top}" fill="${FILLS[priceLevel(value, stats.avg)]}"/>`
  })}`
}
