/**
 * A page of the site is a value: its path, its query parameters and its content. `page-list.ts` lists all pages; routing, languages, caching,
 * compression and headers are derived from that list.
 */

import * as z from 'zod'
import type { Caller } from '../api/http/caller.ts'
import type { Endpoint } from '../api/http/endpoint.ts'
import type { Service } from '../api/http/service.ts'
import type { AssetSlug } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { AssetName, InlineName } from './assets.ts'
import type { Html } from './html.ts'
import type { View } from './view.ts'

/** The entries of the navigation that a page may belong to. */
export type Section = AssetSlug | 'home' | 'bill' | 'forecasts' | 'offers' | 'tools' | 'docs' | 'status'

/** The content inside the frame. */
export interface PageContent {
  /** The heading, and the title of the window. */
  title: string
  /** One sentence for search engines; default: the service's own. */
  description?: string
  section?: Section
  main: Html
  /** Id of the element just before the first field, as the target of a second skip link; for pages with much content before it. */
  fieldsAt?: string
  /** Scripts of `client/`, in addition to the frame's. The page must work without JavaScript. */
  scripts?: readonly AssetName[]
  /** Style sheets in addition to the frame's. */
  styles?: readonly InlineName[]
  /** Shows a notice above the content that its figures are synthetic. */
  synthetic?: boolean
}

/** Calls an endpoint as a client would, in process: figures on a page are those of the API. Throws its `ApiError`. */
export type AskEndpoint = <Reply>(
  endpoint: Endpoint,
  parameters?: { path?: Record<string, string>; query?: Record<string, string> },
) => Promise<Reply>

interface PageRequest<Path, Query> {
  path: Path
  query: Query
  view: View
  service: Service
  /** The holder of the key sent; always undefined on pages that are not `forKeys`. */
  holder: Caller | undefined
  ask: AskEndpoint
  now: Temporal.Instant
  today: MarketDay
}

interface PageDefinition<Path extends z.ZodObject, Query extends z.ZodObject> {
  /** Parameters in braces: `/prices/{asset}`. */
  path: string
  pathSchema: Path
  query: Query
  /** How long a rendered page is cached while the data stay the same. Default: a minute. */
  keptSeconds: number
  /** Whether the page shows the current quarter-hour, and is therefore rendered again for each. */
  perQuarterHour: boolean
  /** Whether the page shows more if a key is sent: it is then rendered for that request, within the limits of the key. */
  forKeys: boolean
  render(request: PageRequest<z.output<Path>, z.output<Query>>): PageContent | Promise<PageContent>
}

/** Any page, without the types of its schemas. */
export type Page = PageDefinition<z.ZodObject, z.ZodObject>

const NO_PARAMETERS = z.object({})
type NoParameters = typeof NO_PARAMETERS
const DEFAULTS = {
  pathSchema: NO_PARAMETERS,
  query: NO_PARAMETERS,
  keptSeconds: 60,
  perQuarterHour: false,
  forKeys: false,
}
type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>

export function page<Path extends z.ZodObject = NoParameters, Query extends z.ZodObject = NoParameters>(
  definition: Optional<PageDefinition<Path, Query>, keyof typeof DEFAULTS>,
): Page {
  return { ...DEFAULTS, ...definition } as Page
}
