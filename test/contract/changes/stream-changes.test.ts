import { request } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PLANS } from '../../../src/api/contract/plans.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const NOW = '2026-11-21T12:00:00Z'

interface Event {
  id?: string
  event?: string
  data?: string
}

/** A stream client: the data received so far, and whether the stream has ended. */
interface Client {
  status: number
  headers: Record<string, unknown>
  events(): Event[]
  isOver(): boolean
  close(): void
}

const clients: Client[] = []

const service = await serviceOfFile({ now: NOW })
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

const issueKey = () => service.issueKey('API')

function open(key: string, query = '', headers: Record<string, string> = {}): Promise<Client> {
  return new Promise((resolve, reject) => {
    const req = request(`${service.baseUrl}/v1/stream${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    req.on('error', reject)
    req.on('response', (res) => {
      let text = ''
      let isOver = false
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      res.on('error', () => {})
      res.on('close', () => {
        isOver = true
      })
      const client = {
        status: res.statusCode ?? 0,
        headers: res.headers,
        events: () => eventsOf(text),
        isOver: () => isOver,
        close: () => req.destroy(),
      }
      clients.push(client)
      resolve(client)
    })
    req.end()
  })
}

function eventsOf(text: string): Event[] {
  const blocks = text.split('\n\n').slice(0, -1)
  return blocks.map((block) =>
    Object.fromEntries(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    ),
  )
}

const changesOf = (client: Client) =>
  client
    .events()
    .flatMap(({ data, event }) => (data && event !== 'bye' ? [JSON.parse(data) as Record<string, unknown>] : []))

/** Waits until the stream has sent its starting position: later changes are sent. */
const untilStarted = (client: Client) => expect.poll(() => client.events().length).toBeGreaterThanOrEqual(2)

describe('GET /v1/stream', () => {
  it('sends each change as an event with its cursor as id, and disables proxy buffering', async () => {
    const client = await open((await issueKey()).key)
    expect(client.status).toBe(200)
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    await untilStarted(client)
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
    const { key } = await issueKey()
    const first = await open(key)
    await untilStarted(first)
    await service.seed([dailyPrice('TTF', '2026-11-02', 30)])
    await expect.poll(() => changesOf(first)).toHaveLength(1)
    const lastSeen = String(first.events().at(-1)?.id)
    first.close()
    await service.seed(
      ['03', '04'].flatMap((day) => [dailyPrice('TTF', `2026-11-${day}`, 30), dailyPrice('CO2', `2026-11-${day}`, 70)]),
    )
    const again = await open(key, '?dataset=ttf&since=latest', { 'Last-Event-ID': lastSeen }) // as browsers do on reconnect
    await service.seed([dailyPrice('CO2', '2026-11-05', 71), dailyPrice('TTF', '2026-11-05', 31)])
    await expect.poll(() => changesOf(again).map(({ day }) => day)).toEqual(['2026-11-03', '2026-11-04', '2026-11-05'])
  })

  it('sends missed changes before those that occur during the catch-up', async () => {
    const { key } = await issueKey()
    const watching = await open(key)
    await untilStarted(watching)
    const lastSeen = String(watching.events().at(-1)?.id)
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
    const late = await open(key, '', { 'Last-Event-ID': lastSeen })
    await expect.poll(() => changesOf(late).map(({ day }) => day)).toEqual(['2026-11-09', '2026-11-10'])
    expect(reading).toHaveBeenCalledOnce()
  })

  it('replays up to 1,000 changes and refuses an older cursor, pointing to GET /v1/changes', async () => {
    const { key } = await issueKey()
    const watching = await open(key)
    await untilStarted(watching)
    const cursor = String(watching.events().at(-1)?.id)
    watching.close()
    const first = Temporal.PlainDate.from('2020-01-01')
    const days = Array.from({ length: 1_001 }, (_, i) => first.add({ days: i }).toString())
    await service.seed(days.slice(1).map((day) => dailyPrice('TTF', day, 30)))
    const replayed = await open(key, '', { 'Last-Event-ID': cursor })
    await expect.poll(() => changesOf(replayed)).toHaveLength(1_000)
    await service.seed([dailyPrice('TTF', days[0] as string, 30)])
    const ask = (query: string) =>
      service.ask(`/v1/stream?since=${cursor}${query}`, { headers: { authorization: `Bearer ${key}` } })
    const refused = await ask('')
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({
      error: 'invalid_parameter',
      param: 'since',
      message: expect.stringMatching(/more than 1000 changes back.*GET \/v1\/changes/),
    })
    expect((await open(key, '?dataset=co2', { 'Last-Event-ID': cursor })).status).toBe(200)
  })

  it('filters missed and new changes by the kinds in events', async () => {
    const { key } = await issueKey()
    const all = await open(key)
    await untilStarted(all)
    const cursor = String(all.events().at(-1)?.id)
    await service.seed([dailyPrice('CO2', '2026-11-12', 70)])
    await service.seed([dailyPrice('CO2', '2026-11-12', 71)])
    const corrected = await open(key, `?since=${cursor}&events=day.corrected,offers.updated`)
    await service.seed([dailyPrice('CO2', '2026-11-13', 70)])
    await service.seed([dailyPrice('CO2', '2026-11-13', 71)])
    await expect.poll(() => changesOf(all)).toHaveLength(4)
    await expect
      .poll(() => changesOf(corrected))
      .toMatchObject(['2026-11-12', '2026-11-13'].map((day) => ({ kind: 'day.corrected', day })))
    const listed = await service.ask(`/v1/changes?since=${cursor}&events=day.corrected`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(listed.json().changes).toHaveLength(2)
  })

  it('sends a bye event and ends when its key is revoked; other streams continue', async () => {
    const [mine, other] = [await issueKey(), await issueKey()]
    const [ending, staying] = [await open(mine.key), await open(other.key)]
    await service.revokeKey(mine.id)
    await expect.poll(() => ending.isOver()).toBe(true)
    expect(ending.events().at(-1)).toEqual({ event: 'bye', data: '{"reason":"key"}' })
    expect(staying.isOver()).toBe(false)
  })

  it('429 beyond the stream limit of the plan, until a stream is closed', async () => {
    const { key } = await issueKey()
    const all = await Promise.all(Array.from({ length: PLANS.API.streamsMax }, () => open(key)))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    const refused = await open(key)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('30')
    all[0]?.close()
    await expect.poll(async () => (await open(key)).status).toBe(200)
  })

  it.each(['?since=x', '?dataset=gold', '?events=gold'])('400 for %s', async (query) => {
    expect((await open((await issueKey()).key, query)).status).toBe(400)
  })

  it('400 for an invalid Last-Event-ID', async () => {
    expect((await open((await issueKey()).key, '', { 'Last-Event-ID': 'x' })).status).toBe(400)
  })

  it('403 with a Developer key', async () => {
    expect((await open((await service.issueKey('Developer')).key)).status).toBe(403)
  })
})
