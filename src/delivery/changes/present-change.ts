/** Representation of a change, the same in responses, streams and webhooks. */
import { type ChangeBody, cursorOf } from '../../api/contract/changes.ts'
import { BASE_PATH } from '../../api/contract/identity.ts'
import { lowestPlan, type PlanName, planIncludes } from '../../api/contract/plans.ts'
import { assetBySlug } from '../../market/assets.ts'
import type { FundamentalSeries } from '../../market/fundamentals.ts'
import { marketOfSeries } from '../../market/markets.ts'
import type { Change } from '../../store/changes.ts'

/** The lowest plan with streams. All receivers of a change get the same text, with URLs that this plan can call. */
export const PLAN_WITH_STREAMS = lowestPlan(({ streamsMax }) => streamsMax > 0)

interface PresentationOptions {
  logId: string
  plan: PlanName
  /** Undefined: URLs are left out. */
  baseUrl: URL | undefined
}

export function presentChange(change: Change, { logId, plan, baseUrl }: PresentationOptions): ChangeBody {
  const { position, kind, dataset, asset, zones, day, version, occurredAt, synthetic, details } = change
  const path = pathOf(change, plan)
  return {
    cursor: cursorOf(position, logId),
    kind,
    ...(dataset !== null && { dataset }),
    ...(asset !== null && { asset: asset as ChangeBody['asset'] }),
    ...(zones !== null && { zones: zones as ChangeBody['zones'] }),
    ...(day !== null && { day }),
    ...(version !== null && { version }),
    as_of: occurredAt.toString(),
    ...(synthetic && { sample: true as const }),
    details,
    ...(path !== undefined && baseUrl !== undefined && { url: new URL(BASE_PATH + path, baseUrl).href }),
  }
}

/** URL of the value; for the PUN, at the finest resolution that the plan includes. */
function pathOf({ dataset, asset, zones, day, details }: Change, plan: PlanName): string | undefined {
  switch (dataset) {
    case null:
      return undefined
    case 'zones':
      return `/pun/zones?date=${day}&zones=all`
    case 'forecasts':
      return `/forecast/${asset?.toLowerCase()}${planIncludes(plan, 'API') ? '' : '/next'}`
    case 'forecasts-hourly':
      return `/forecast/pun/hourly?zone=${zones?.[0]}`
    case 'fundamentals':
      return `/fundamentals/${details.series}?area=all&from=${day}&to=${day}`
    case 'markets':
      return `/markets/${marketOfSeries(details.series as FundamentalSeries)}/prices?zone=all&date=${day}`
    case 'keys':
      return '/usage'
    case 'offers':
      return '/svc-index'
    case 'exports':
      return details.export === undefined
        ? `/bulk/${details.dataset}?format=${details.format}`
        : `/bulk/exports/${details.export}`
    case 'sources':
      return '/status'
    case 'pun':
      if (planIncludes(plan, 'API') && details.basis === undefined) return `/pun/hourly?date=${day}`
      return seriesPath('pun', day)
    default:
      return seriesPath(dataset, day)
  }
}

function seriesPath(slug: string, day: string | null): string {
  if (assetBySlug(slug) === undefined) throw new Error(`no asset has the slug ${slug}`)
  return `/prices/${slug}/series?from=${day}&to=${day}`
}

export const EXAMPLE_LOG_ID = '9f2c01ab'

export const EXAMPLE_CHANGE: Change = {
  position: 184,
  occurredAt: Temporal.Instant.from('2026-11-21T11:58:03.412Z'),
  kind: 'day.published',
  dataset: 'pun',
  asset: null,
  zones: null,
  day: '2026-11-22',
  version: 1,
  synthetic: false,
  details: { intervals: { nazionale: 96 } },
  keyRoot: null,
}
