/** The latest price of an index as an image: an SVG document that loads nothing and needs no script. */

import { SERVICE_NAME } from '../../api/contract/identity.ts'
import type { PriceObservation } from '../../api/contract/observations.ts'
import type { Asset } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { type Html, html } from '../html.ts'
import { cardTexts } from '../i18n/cards.ts'
import { indexTexts, priceTexts } from '../i18n/indices.ts'
import { staleDays } from '../parts/price-end.ts'
import { isSynthetic } from '../parts/provenance.ts'
import type { View } from '../view.ts'

export const CARD_WIDTH = 320
export const CARD_HEIGHT = 150
/** Characters that fit in the card's width at the size of the last line. */
const LINE_CHARACTERS = 52

/** `auto` follows the reader's setting. */
export const CARD_THEMES = ['auto', 'light', 'dark'] as const
type CardTheme = (typeof CARD_THEMES)[number]

export interface CardFigures {
  asset: Asset
  observation: PriceObservation | undefined
  /** The preceding price, in the unit of `value_native` if set, else of `value`. */
  previous: { date: string; value: number } | undefined
}

export function priceCard(figures: CardFigures, today: MarketDay, theme: CardTheme, view: View): string {
  const { asset } = figures
  const texts = cardTexts[view.language]
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}" role="img" aria-labelledby="title description" xml:lang="${view.language}">
<title id="title">${texts.title(asset.code)}</title>
<desc id="description">${description(figures, today, view)}</desc>
${styles(theme)}
<rect class="ground" x="0.5" y="0.5" width="${CARD_WIDTH - 1}" height="${CARD_HEIGHT - 1}" rx="10"/>
<g aria-hidden="true">
<text class="code" x="16" y="30">${asset.code}</text>
<text class="soft small" x="${CARD_WIDTH - 16}" y="30" text-anchor="end">${indexTexts[view.language][asset.code].what}</text>
${figures.observation ? priceLines(figures.observation, figures, today, view) : missingLine(view)}
<text class="soft tiny" x="16" y="${CARD_HEIGHT - 12}">${SERVICE_NAME}</text>
</g>
</svg>
`.text
}

function priceLines(
  observation: PriceObservation,
  { asset, previous }: CardFigures,
  today: MarketDay,
  view: View,
): Html {
  const { value, unit } = shownPrice(observation)
  const age = staleDays(asset.code, observation.date, today)
  const stale = age === undefined ? '' : `, ${priceTexts[view.language].age(age)}`
  return html`<text class="price" x="16" y="70">${view.formats.number(value)}<tspan class="unit" dx="7">${unit}</tspan></text>
${previous && changeText(value - previous.value, previous.date, view)}
<text class="small${stale !== '' && ' warning'}" x="16" y="93">${view.formats.day(observation.date)}${stale}</text>
<text class="${isSynthetic(observation.source) ? 'warning' : 'soft'} tiny" x="16" y="114">${sourceLine(observation, view)}</text>`
}

function changeText(difference: number, since: string, view: View): Html {
  const arrow = difference > 0 ? '▲' : difference < 0 ? '▼' : '■'
  const direction = difference > 0 ? 'up' : difference < 0 ? 'down' : 'soft'
  return html`<text class="small ${direction}" x="${CARD_WIDTH - 16}" y="62" text-anchor="end">${arrow} ${view.formats.signed(difference)}</text>
<text class="tiny soft" x="${CARD_WIDTH - 16}" y="78" text-anchor="end">${cardTexts[view.language].since(view.formats.shortDay(since))}</text>`
}

function missingLine(view: View): Html {
  return html`<text class="missing warning" x="16" y="72">${cardTexts[view.language].missing}</text>`
}

/** A sentence with everything the image shows and the full name of the source. */
function description({ asset, observation }: CardFigures, today: MarketDay, view: View): string {
  const texts = cardTexts[view.language]
  if (observation === undefined) return texts.missingLong
  const { value, unit } = shownPrice(observation)
  const age = staleDays(asset.code, observation.date, today)
  return [
    `${view.formats.number(value)} ${unit}`,
    `${texts.marketDay} ${view.formats.day(observation.date)}`,
    ...(age === undefined ? [] : [priceTexts[view.language].age(age)]),
    ...(isSynthetic(observation.source) ? [texts.synthetic] : []),
    `${texts.source}: ${observation.source}`,
  ].join('. ')
}

function sourceLine({ source }: PriceObservation, view: View): string {
  const texts = cardTexts[view.language]
  return isSynthetic(source) ? texts.synthetic : shortened(`${texts.source}: ${source}`)
}

/** Price in the unit of its market. */
function shownPrice({ value, unit, value_native, unit_native }: PriceObservation): {
  value: number
  unit: string
} {
  return { value: value_native ?? value, unit: unit_native ?? unit }
}

function shortened(text: string): string {
  return text.length <= LINE_CHARACTERS ? text : `${text.slice(0, LINE_CHARACTERS - 1).trimEnd()}…`
}

const LIGHT = html`.ground{fill:#fff;stroke:#d8e0e6}text{fill:#14212b}.soft,.unit{fill:#51606c}.up{fill:#a83a12}.down{fill:#0a6a52}.warning{fill:#8a4b00}`
const DARK = html`.ground{fill:#151d23;stroke:#2a3740}text{fill:#e4eaee}.soft,.unit{fill:#9fb0bc}.up{fill:#ff9d76}.down{fill:#5fd0ae}.warning{fill:#f3c969}`

function styles(theme: CardTheme): Html {
  return html`<style>text{font-family:"Segoe UI","Helvetica Neue",system-ui,"Noto Sans","Liberation Sans",sans-serif}.code{font-size:20px;font-weight:700}.price{font-size:34px;font-weight:700}.unit{font-size:15px;font-weight:400}.missing{font-size:20px;font-weight:600}.small{font-size:13px}.tiny{font-size:10px}${theme === 'dark' ? DARK : LIGHT}${theme === 'auto' && html`@media(prefers-color-scheme:dark){${DARK}}`}</style>`
}
