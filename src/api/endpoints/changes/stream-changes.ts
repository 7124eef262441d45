import * as z from 'zod'
import { matchesFilter } from '../../../delivery/changes/change-feed.ts'
import {
  EXAMPLE_CHANGE,
  EXAMPLE_LOG_ID,
  PLAN_WITH_STREAMS,
  presentChange,
} from '../../../delivery/changes/present-change.ts'
import type { Change, ChangeFilter, ChangeLog } from '../../../store/changes.ts'
import { CHANGES_LIMIT_MAX, change, changeDatasets, changeKinds, cursorOf } from '../../contract/changes.ts'
import { invalidParameter } from '../../contract/errors.ts'
import { type EventSink, endpoint } from '../../http/endpoint.ts'
import type { Service } from '../../http/service.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { ownChanges, positionAfter } from './position-after.ts'

/** Far less than the buffer of a slow client, because a batch is written before the client can read it. */
const CATCH_UP_BATCH = 100

/** Changes as they happen. */
export const streamChanges = endpoint({
  id: 'streamChanges',
  method: 'get',
  path: '/stream',
  tag: 'Changes',
  summary: 'Stream changes',
  description:
    'Sends changes as server-sent events within about a second: the kind as `event`, the cursor as `id`, the JSON of `/changes` as `data`. ' +
    'Resume with the header `Last-Event-ID` or with `since`; no change is skipped or repeated. ' +
    `At most ${CHANGES_LIMIT_MAX} changes are sent again; an older cursor returns 400: read \`/changes\` first. ` +
    'A comment is sent every 15 seconds. The event `bye` announces the end: the service stops, or the key is no longer valid. Slow consumers are disconnected.',
  plan: PLAN_WITH_STREAMS,
  cache: 'none',
  query: z.object({
    since: z.string().min(1).optional().meta({
      description: 'Cursor to resume from, or `latest`. `Last-Event-ID` wins. Default: from now on.',
      example: 'latest',
    }),
    dataset: changeDatasets,
    events: changeKinds,
  }),
  reply: change,
  example: presentChange(EXAMPLE_CHANGE, { logId: EXAMPLE_LOG_ID, plan: PLAN_WITH_STREAMS, baseUrl: EXAMPLE_BASE_URL }),
  async stream({ query: { since, dataset: datasets, events: kinds }, caller, service, lastEventId }) {
    const { changes: feed } = service
    const log = await feed.log()
    const filter = { datasets, kinds, ...ownChanges(caller) }
    const cursor = lastEventId ?? since
    const param = lastEventId === undefined ? 'since' : 'Last-Event-ID'
    const from = cursor === undefined || cursor === 'latest' ? log.readable : positionAfter(cursor, log, param)
    if (log.readable - from > CHANGES_LIMIT_MAX) await refuseLongReplay(feed, { from, filter, param })
    return async (sink) => {
      let sent = from
      let early: Change[] | undefined = []
      const send = (changes: readonly Change[]) => {
        for (const one of changes) {
          if (one.position <= sent || !matchesFilter(one, filter)) continue
          sink.write(eventOf(one, log, service))
          sent = one.position
        }
      }
      const unsubscribe = await feed.listen({
        onChanges: (changes) => (early === undefined ? send(changes) : early.push(...changes)),
        onEnd: () => sink.end('shutdown'),
      })
      try {
        sink.write(`id: ${cursorOf(from, log.id)}\n\n`)
        await catchUp(feed, { from, filter, sink, send })
        send(early)
      } catch (err) {
        unsubscribe()
        throw err
      }
      early = undefined
      return unsubscribe
    }
  },
})

/** Refuses to replay a long history, which `/changes` serves in pages that count against the limits. */
async function refuseLongReplay(
  feed: Service['changes'],
  { from, filter, param }: { from: number; filter: ChangeFilter; param: string },
): Promise<void> {
  const { changes } = await feed.after(from, { ...filter, limit: CHANGES_LIMIT_MAX + 1 })
  if (changes.length <= CHANGES_LIMIT_MAX) return
  const wayOut = 'read GET /v1/changes?since= this cursor to its end, then connect with the last next'
  throw invalidParameter(param, `is more than ${CHANGES_LIMIT_MAX} changes back, too many for a stream; ${wayOut}`)
}

interface CatchUpOptions {
  from: number
  filter: ChangeFilter
  sink: EventSink
  send(changes: readonly Change[]): void
}

/** Sends past changes as fast as the client reads. */
async function catchUp(feed: Service['changes'], { from, filter, sink, send }: CatchUpOptions): Promise<void> {
  for (let position = from; !sink.isOver(); ) {
    const { changes, next } = await feed.after(position, { ...filter, limit: CATCH_UP_BATCH })
    send(changes)
    if (changes.length < CATCH_UP_BATCH) return
    position = next
    await sink.drained()
  }
}

/** Serialised once for all streams. */
const EVENTS = new WeakMap<Change, string>()

function eventOf(one: Change, { id }: ChangeLog, { config }: Service): string {
  const known = EVENTS.get(one)
  if (known !== undefined) return known
  const body = presentChange(one, { logId: id, plan: PLAN_WITH_STREAMS, baseUrl: config.baseUrl })
  const text = `id: ${body.cursor}\nevent: ${one.kind}\ndata: ${JSON.stringify(body)}\n\n`
  EVENTS.set(one, text)
  return text
}
