/** Prices from header-driven CSV: the header tells shape, columns and separator. Rules in the README of this folder. */
import type { Parsed } from '../observations.ts'
import { parseDays } from './days.ts'
import type { PriceCsvLayout } from './header.ts'
import { parseIntervals } from './intervals.ts'

/** Yields zone-days in €/MWh or daily prices in the asset's native unit. Fails with UnreadableDocument at the end of what can be read. */
export function parsePriceCsv(
  text: AsyncIterable<string>,
  layout: PriceCsvLayout,
): AsyncGenerator<Parsed, void, undefined> {
  return layout.shape === 'intervals' ? parseIntervals(text, layout) : parseDays(text, layout)
}
