import { assetBySlug } from '../../../market/assets.ts'
import type { Change, ChangeLog } from '../../../store/changes.ts'
import { type ChangeBody, cursorOf, readCursor } from '../../contract/changes.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { BASE_PATH } from '../../contract/identity.ts'
import { type PlanName, planIncludes } from '../../contract/plans.ts'

/** The position that a cursor names. Throws `invalid_parameter`, which says what to do, where nothing follows it. */
export function positionAfter(text: string, log: ChangeLog): number {
  const cursor = readCursor(text)
  if (cursor === undefined) throw invalidParameter('since', 'must be a cursor of an answer, unaltered, or latest')
  const again = 'Read everything again and go on from since=latest'
  if (cursor.logId !== log.id)
    throw invalidParameter('since', `is a cursor of another service, or of a database that has been replaced. ${again}`)
  if (cursor.position > log.position)
    throw invalidParameter(
      'since',
      `is ahead of everything that has happened here: the database was restored. ${again}`,
    )
  if (cursor.position < log.removed)
    throw invalidParameter('since', `is too old: the changes that follow it are no longer kept. ${again}`)
  return cursor.position
}

interface Presenting {
  logId: string
  plan: PlanName
  baseUrl: URL
}

export function presentChange(change: Change, { logId, plan, baseUrl }: Presenting): ChangeBody {
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
    ...(path !== undefined && { url: new URL(BASE_PATH + path, baseUrl).href }),
  }
}

/** Where the value is; of the PUN the finest that the plan includes. */
function pathOf({ dataset, asset, day, details }: Change, plan: PlanName): string | undefined {
  switch (dataset) {
    case null:
      return undefined
    case 'zones':
      return `/pun/zones?date=${day}&zones=all`
    case 'forecasts':
      return `/forecast/${asset?.toLowerCase()}${planIncludes(plan, 'API') ? '' : '/next'}`
    case 'offers':
      return '/svc-index'
    case 'exports':
      return `/bulk/${details.dataset}?format=${details.format}`
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
}
