/**
 * How a page is shown to its reader: the language, and the URLs of its links. `/prices/pun` uses the language that the browser
 * prefers; `/it/prices/pun` and `/en/prices/pun` and all links on them use theirs. The choice needs neither cookie nor script.
 */
import type { Request } from 'express'
import type { MarketDay } from '../market/market-day.ts'
import type { ChartData } from './chart-data.ts'
import { type Formats, formatsOf } from './i18n/formats.ts'
import { LANGUAGES, type Language } from './i18n/language.ts'

export interface View {
  language: Language
  formats: Formats
  /** The page's own path and query, without the language: `/prices/pun?range=1y`. */
  address: string
  /** Whether the language is set by the URL rather than by the browser. */
  isChosen: boolean
  /** Returns the URL of another page in the chosen language: `/it/offers` for `/offers`. Not for `/v1`. */
  href(path: string): string
  /** Charts rendered on the page so far. */
  charts: ChartData[]
}

const PREFIX = new RegExp(`^/(${LANGUAGES.join('|')})(?=/|\\?|$)`)

export function viewOf(req: Pick<Request, 'originalUrl' | 'acceptsLanguages'>): View {
  const chosen = PREFIX.exec(req.originalUrl)?.[1] as Language | undefined
  const preferred = req.acceptsLanguages([...LANGUAGES])
  const language = chosen ?? (LANGUAGES.find((one) => one === preferred) || 'en')
  const rest = chosen === undefined ? req.originalUrl : req.originalUrl.slice(chosen.length + 1)
  return makeView({ language, isChosen: chosen !== undefined, address: rest.startsWith('/') ? rest : `/${rest}` })
}

/** Returns the header that determines the language if the URL does not. */
export function languageHeader({ isChosen }: View): 'accept-language' | undefined {
  return isChosen ? undefined : 'accept-language'
}

/** Makes a view; if `today` is given, dates in other years include the year. */
export function makeView(
  { language, isChosen, address }: Pick<View, 'language' | 'isChosen' | 'address'>,
  today?: MarketDay,
): View {
  const prefix = isChosen ? `/${language}` : ''
  const formats = formatsOf(language, today?.year)
  return { language, isChosen, address, formats, href: (path) => prefix + path, charts: [] }
}
