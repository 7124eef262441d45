/** Prices that have ended: the last stored day of each index, and how to get newer ones. */
import { isStale, latestStored } from '../../api/endpoints/current-price.ts'
import { isFetched } from '../../api/endpoints/next-step.ts'
import type { Service } from '../../api/http/service.ts'
import type { AssetCode } from '../../market/assets.ts'
import type { MarketDay } from '../../market/market-day.ts'
import { defaultSourceFor, offersSource } from '../../publishers/sources.ts'
import { type Html, html } from '../html.ts'
import { priceTexts } from '../i18n/indices.ts'
import type { View } from '../view.ts'

const FROM_FILE_AFTER_MS = 30 * 24 * 3_600_000

export interface PriceEnd {
  asset: AssetCode
  /** The last stored day; undefined if nothing is stored. */
  day: string | undefined
  isFetched: boolean
}

/** Returns indices with a latest price older than the publisher's calendar explains; none while sample data are generated. */
export async function priceEnds(
  assets: readonly AssetCode[],
  { prices, sourceStatus, sampleData }: Pick<Service, 'prices' | 'sourceStatus' | 'sampleData'>,
  today: MarketDay,
): Promise<PriceEnd[]> {
  const last = await Promise.all(assets.map((asset) => latestStored(prices, asset, today)))
  const ended = assets.flatMap((asset, i) => {
    const day = last[i]?.day
    return day !== undefined && !isStale(asset, day, today) ? [] : [{ asset, day }]
  })
  if (ended.length === 0 || (await sampleData.enabled())) return []
  const fetching = await sourceStatus.listFetching()
  return ended.map((one) => ({ ...one, isFetched: isFetched(one.asset, fetching) }))
}

/** One notice for all of them; empty if none has ended. */
export function endNotice(ends: readonly PriceEnd[], view: View): Html {
  if (ends.length === 0) return html``
  const texts = priceTexts[view.language]
  const days = [...Map.groupBy(ends, ({ day }) => day)].sort(([a = ''], [b = '']) => (a < b ? 1 : -1))
  const stored = days.flatMap(([day, ofDay]) => (day === undefined ? [] : [{ day, codes: codesOf(ofDay) }]))
  const missing = ends.filter(({ day }) => day === undefined)
  const off = ends.filter((one) => !one.isFetched)
  const sources = [...new Set(off.map(({ asset }) => defaultSourceFor(asset).id))].join(',')
  const names = ends.length > 1
  return html`<p class="notice">${stored.length > 0 && `${texts.end(stored.map(({ day, codes }) => texts.endDay(view.formats.longDay(day), names ? codes : '')).join(', '))} `}${
    missing.length > 0 && `${texts.nothingOf(codesOf(missing))} `
  }${off.length > 0 ? howToContinue(sources, view) : html`${texts.nothingNewer} <a href="${view.href('/status')}">${texts.whenNext}</a>`}</p>`
}

/** How to get newer offers; empty if they are fetched, or while sample data are generated. */
export async function howToGetOffers(
  { sourceStatus, sampleData }: Pick<Service, 'sourceStatus' | 'sampleData'>,
  view: View,
): Promise<Html> {
  const { id } = offersSource()
  if (await sampleData.enabled()) return html``
  const isOn = (await sourceStatus.listFetching()).some(({ source, state }) => source === id && state === 'on')
  return isOn ? html`` : html` ${howToContinue(id, view)}`
}

function howToContinue(sources: string, view: View): Html {
  const texts = priceTexts[view.language]
  return html`${texts.toContinue} <code>SOURCES=${sources} npm start</code> ${texts.orImport} <code>npm run import -- …</code>`
}

/** Note on a forecast from prices that have ended: its first day, and that it was not issued before that day. Empty for an issued one. */
export function forecastStart(
  { basis, first, infoDate }: { basis: 'live' | 'replay'; first: string; infoDate: string },
  view: View,
): Html {
  if (basis === 'live') return html``
  const day = (date: string) => view.formats.longDay(date)
  return html`<p class="small">${priceTexts[view.language].forecastStart(day(first), day(infoDate))}</p>`
}

/** States how old a price is, if its publisher's calendar does not explain that. */
export function ageMark(asset: AssetCode, date: string, today: MarketDay, view: View): Html {
  const days = staleDays(asset, date, today)
  return days === undefined ? html`` : html` <span class="mark">${priceTexts[view.language].age(days)}</span>`
}

/** Undefined if the price is as recent as its publisher's calendar allows. */
export function staleDays(asset: AssetCode, date: string, today: MarketDay): number | undefined {
  return isStale(asset, date, today) ? Temporal.PlainDate.from(date).until(today).days : undefined
}

/** Returns whether a price was first seen too long after its day to have been published then, so it was imported. */
export function isFromFile(day: string, observedAt: string): boolean {
  return Date.parse(observedAt) - Date.parse(day) > FROM_FILE_AFTER_MS
}

function codesOf(ends: readonly PriceEnd[]): string {
  return ends.map(({ asset }) => asset).join(', ')
}
