import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PLANS } from '../../../src/api/contract/plans.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

interface Event {
  id?: string
  event?: string
  data?: string
}

const service = await serviceOfFile({ now: '2026-11-21T12:00:00Z' })
const requests: ClientRequest[] = []
let key: { id: string; key: string }
beforeEach(async () => {
  key = await service.issueKey('API')
})
afterEach(() => {
  for (const req of requests.splice(0)) req.destroy()
})

const bearer = () => ({ authorization: `Bearer ${key.key}` })

/** Opens a stream, with the key of the test by default. */
async function open(query = '', headers: Record<string, string> = {}) {
  const req = get(`${service.baseUrl}/v1/stream${query}`, { headers: { ...bearer(), ...headers } })
  requests.push(req)
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  let text = ''
  res.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  for (const one of [req, res]) one.on('error', () => {}) // the connection is cut
  return {
    status: res.statusCode,
    headers: res.headers,
    /** The events received so far. */
    events: () => eventsOf(text),
    isOver: () => res.closed,
    close: () => req.destroy(),
  }
}

/** Opens a stream and waits until it has sent the cursor of its start: later changes are sent. */
async function openStarted() {
  const client = await open()
  await expect.poll(() => client.events().length).toBeGreaterThanOrEqual(2)
  return { ...client, cursor: String(client.events().at(-1)?.id) }
}

function eventsOf(text: string): Event[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.map((block) => Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2))))
}

const changesOf = ({ events }: { events(): Event[] }) =>
  events().flatMap(({ data, event }) => (data && event !== 'bye' ? [JSON.parse(data) as Record<string, unknown>] : []))

describe('GET /v1/stream', () => {
  it('sends each change as an event with its cursor as id, and disables proxy buffering', async () => {
    const client = await openStarted()
    expect(client.status).toBe(200)
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    await service.seed([zoneDay('nazionale', '2026-03-29', 15, (n) => n), dailyPrice('PSV', '2026-03-29', 30)])
    await expect
      .poll(() => changesOf(client))
      .toMatchObject([
        { kind: 'day.published', dataset: 'pun', details: { intervals: { nazionale: 92 } } },
        { kind: 'day.published', dataset: 'psv' },
      ])
    const sent = client.events().filter(({ data }) => data)
    expect(sent.map(({ event }) => event)).toEqual(['day.published', 'day.published'])
    expect(sent.map(({ id }) => id)).toEqual(changesOf(client).map(({ cursor }) => cursor))
    expect(client.events()[0]).toHaveProperty('retry')
  })

  it('resumes after Last-Event-ID without gaps or repeats, filtered by dataset', async () => {
    const first = await openStarted()
    await service.seed([dailyPrice('TTF', '2026-11-02', 30)])
    await expect.poll(() => changesOf(first)).toHaveLength(1)
    const lastSeen = String(first.events().at(-1)?.id)
    first.close()
    await service.seed(
      ['03', '04'].flatMap((day) => [dailyPrice('TTF', `2026-11-${day}`, 30), dailyPrice('CO2', `2026-11-${day}`, 70)]),
    )
    const again = await open('?dataset=ttf&since=latest', { 'Last-Event-ID': lastSeen }) // as browsers do on reconnect
    await service.seed([dailyPrice('CO2', '2026-11-05', 71), dailyPrice('TTF', '2026-11-05', 31)])
    await expect.poll(() => changesOf(again).map(({ day }) => day)).toEqual(['2026-11-03', '2026-11-04', '2026-11-05'])
  })

  it('sends missed changes before those that occur during the catch-up', async () => {
    const watching = await openStarted()
    await service.seed([dailyPrice('TTF', '2026-11-09', 30)])
    await expect.poll(() => changesOf(watching)).toHaveLength(1)
    const { changes } = service.service
    const { after } = changes
    using reading = vi.spyOn(changes, 'after').mockImplementationOnce(async (...asked) => {
      const page = await after(...asked)
      await service.seed([dailyPrice('TTF', '2026-11-10', 31)])
      await expect.poll(() => changesOf(watching)).toHaveLength(2)
      return page
    })
    const late = await open('', { 'Last-Event-ID': watching.cursor })
    await expect.poll(() => changesOf(late).map(({ day }) => day)).toEqual(['2026-11-09', '2026-11-10'])
    expect(reading).toHaveBeenCalledOnce()
  })

  it('replays up to 1,000 changes and refuses an older cursor, pointing to GET /v1/changes', async () => {
    const { cursor } = await openStarted()
    const first = Temporal.PlainDate.from('2020-01-01')
    const days = Array.from({ length: 1_001 }, (_, i) => first.add({ days: i }).toString())
    await service.seed(days.slice(1).map((day) => dailyPrice('TTF', day, 30)))
    const replayed = await open('', { 'Last-Event-ID': cursor })
    await expect.poll(() => changesOf(replayed)).toHaveLength(1_000)
    await service.seed([dailyPrice('TTF', days[0] as string, 30)])
    const refused = await service.ask(`/v1/stream?since=${cursor}`, { headers: bearer() })
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({
      error: 'invalid_parameter',
      param: 'since',
      message: expect.stringMatching(/more than 1000 changes back.*GET \/v1\/changes/),
    })
    expect((await open('?dataset=co2', { 'Last-Event-ID': cursor })).status).toBe(200)
  })

  it('filters missed and new changes by the kinds in events', async () => {
    const all = await openStarted()
    await service.seed([dailyPrice('CO2', '2026-11-12', 70)])
    await service.seed([dailyPrice('CO2', '2026-11-12', 71)])
    const corrected = await open(`?since=${all.cursor}&events=day.corrected,offers.updated`)
    await service.seed([dailyPrice('CO2', '2026-11-13', 70)])
    await service.seed([dailyPrice('CO2', '2026-11-13', 71)])
    await expect.poll(() => changesOf(all)).toHaveLength(4)
    await expect
      .poll(() => changesOf(corrected))
      .toMatchObject(['2026-11-12', '2026-11-13'].map((day) => ({ kind: 'day.corrected', day })))
    const listed = await service.ask(`/v1/changes?since=${all.cursor}&events=day.corrected`, { headers: bearer() })
    expect(listed.json().changes).toHaveLength(2)
  })

  it('stops listening to the feed if missed changes cannot be read', async () => {
    const { cursor } = await openStarted()
    const { changes } = service.service
    const { listen } = changes
    const heard: unknown[] = []
    using listening = vi.spyOn(changes, 'listen').mockImplementationOnce((listener) =>
      listen({
        ...listener,
        onChanges(...args) {
          heard.push(args)
          listener.onChanges(...args)
        },
      }),
    )
    using reading = vi.spyOn(changes, 'after').mockRejectedValueOnce(new Error('the database is away'))
    await open('', { 'Last-Event-ID': cursor }).catch(() => {}) // cut, perhaps before the headers were sent
    await expect.poll(() => reading.mock.calls).toHaveLength(1)
    const later = await openStarted()
    await service.seed([dailyPrice('TTF', '2026-11-14', 30)])
    await expect.poll(() => changesOf(later)).toHaveLength(1)
    expect(listening).toHaveBeenCalledTimes(2)
    expect(heard).toEqual([])
  })

  it('sends a bye event and ends when its key is revoked; other streams continue', async () => {
    const [ending, staying] = [await open(), await open('', await service.asPlan('API'))]
    await service.revokeKey(key.id)
    await expect.poll(() => ending.isOver()).toBe(true)
    expect(ending.events().at(-1)).toEqual({ event: 'bye', data: '{"reason":"key"}' })
    expect(staying.isOver()).toBe(false)
  })

  it('429 beyond the stream limit of the plan, until a stream is closed', async () => {
    const all = await Promise.all(Array.from({ length: PLANS.API.streamsMax }, () => open()))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    const refused = await open()
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('30')
    all[0]?.close()
    await expect.poll(async () => (await open()).status).toBe(200)
  })

  it('400 for an invalid Last-Event-ID, which the error names', async () => {
    const refused = await service.ask('/v1/stream?since=latest', { headers: { ...bearer(), 'Last-Event-ID': 'x' } })
    const param = 'Last-Event-ID'
    const refusal = { error: 'invalid_parameter', param, message: expect.stringMatching(/^Last-Event-ID must be/) }
    expect([refused.status, refused.json()]).toMatchObject([400, refusal])
  })
})
