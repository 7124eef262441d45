import * as z from 'zod'
import { EXAMPLE_CHANGE, EXAMPLE_LOG_ID, presentChange } from '../../../delivery/changes/present-change.ts'
import { CHANGE_RETENTION_DAYS } from '../../../store/changes.ts'
import {
  CHANGES_LIMIT_MAX,
  type ChangeList,
  changeDatasets,
  changeKinds,
  changeList,
  cursorOf,
} from '../../contract/changes.ts'
import { nextPage } from '../../contract/headers.ts'
import { wholeNumber } from '../../contract/parameters.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { ownChanges, positionAfter } from './position-after.ts'

const WAIT_SECONDS_MAX = 30

/** Changes after a cursor, for mirrors that stay in sync. */
export const listChanges = endpoint({
  id: 'listChanges',
  method: 'get',
  path: '/changes',
  tag: 'Changes',
  summary: 'List changes',
  description:
    'Returns the changes after the cursor `since` in commit order: days published and corrected, forecasts, offers, files and late publishers. ' +
    'Continue with `next`; resuming from a cursor never skips a change, even under concurrent writes. `wait` holds the request until there is a change. ' +
    `Changes are kept for ${CHANGE_RETENTION_DAYS} days; an older cursor is refused.`,
  plan: 'Developer',
  cache: 'none',
  isQueued: false,
  query: z.object({
    since: z.string().min(1).optional().meta({
      description:
        'Cursor of an earlier answer, or `latest` for the cursor of now, without changes. Default: from the oldest change that is kept.',
      example: 'latest',
    }),
    dataset: changeDatasets,
    events: changeKinds,
    limit: wholeNumber({ max: CHANGES_LIMIT_MAX, default: 100, description: 'How many changes at most.' }),
    wait: wholeNumber({
      min: 0,
      max: WAIT_SECONDS_MAX,
      default: 0,
      description: 'Seconds to wait if nothing has happened yet.',
    }),
  }),
  reply: changeList,
  example: exampleList(),
  headerNames: ['Link'],
  headers: ({ next, more }, { dataset, events, limit }) =>
    more
      ? [
          'Link',
          nextPage({
            since: next,
            ...(dataset && { dataset: dataset.join(',') }),
            ...(events && { events: events.join(',') }),
            limit,
          }),
        ]
      : [],
  async handle({ query: { since, dataset: datasets, events: kinds, limit, wait }, caller, service, left }) {
    const { changes: feed, config } = service
    const log = await feed.log()
    if (since === 'latest') return { changes: [], next: cursorOf(log.readable, log.id), more: false }
    const position = since === undefined ? log.removed : positionAfter(since, log)
    const filter = { datasets, kinds, ...ownChanges(caller) }
    const first = await feed.after(position, { ...filter, limit })
    const isAwaited = wait > 0 && first.changes.length === 0
    if (isAwaited) await feed.next(first.next, filter, AbortSignal.any([left, AbortSignal.timeout(wait * 1_000)]))
    const page = isAwaited ? await feed.after(position, { ...filter, limit }) : first
    const presenting = { logId: log.id, plan: caller.plan, baseUrl: config.baseUrl }
    return {
      changes: page.changes.map((change) => presentChange(change, presenting)),
      next: cursorOf(page.next, log.id),
      more: page.next < page.log.readable,
    }
  },
})

function exampleList(): ChangeList {
  const presenting = { logId: EXAMPLE_LOG_ID, plan: 'API', baseUrl: EXAMPLE_BASE_URL } as const
  return {
    changes: [presentChange(EXAMPLE_CHANGE, presenting)],
    next: cursorOf(EXAMPLE_CHANGE.position, EXAMPLE_LOG_ID),
    more: false,
  }
}
