import { describe, expect, it } from 'vitest'
import { cursorOf, readCursor } from '../../../src/api/contract/changes.ts'
import { removeOldChanges } from '../../../src/store/changes.ts'
import { dailyPrice, storePrices, zoneDay } from '../../support/prices.ts'
import { type Answer, serviceOfFile, startTestService } from '../../support/service.ts'

const NOW = '2026-11-21T12:00:00Z'

const service = await serviceOfFile({ now: NOW })
const headers = await service.asPlan('API')

const list = (query: string, init: RequestInit = {}) => service.ask(`/v1/changes?${query}`, { headers, ...init })
const latest = async () => String((await list('since=latest')).json().next)
const changesOf = (answer: Answer) => answer.json().changes as Record<string, unknown>[]
/** The response at the URL of a change. */
const atUrl = async (change: { url?: unknown } | undefined, as = headers) =>
  (await service.ask(String(change?.url).replace(service.baseUrl, ''), { headers: as })).json()

describe('GET /v1/changes', () => {
  it('200 with the cursor and day of each change and a URL that returns its value', async () => {
    const since = await latest()
    await service.seed([
      zoneDay('nazionale', '2026-10-25', 60, (hour) => hour),
      zoneDay('nord', '2026-10-25', 60, (hour) => hour),
      dailyPrice('PSV', '2026-10-25', 30.5),
    ])
    const answer = await list(`since=${since}`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const changes = changesOf(answer)
    expect(changes).toMatchObject([
      { kind: 'day.published', dataset: 'pun', day: '2026-10-25', version: 1 },
      { kind: 'day.published', dataset: 'zones', zones: ['nord'] },
      { kind: 'day.published', dataset: 'psv', day: '2026-10-25' },
    ])
    expect(answer.json()).toMatchObject({ next: changes.at(-1)?.cursor, more: false })
    expect(await Promise.all(changes.map((change) => atUrl(change)))).toMatchObject([
      { date: '2026-10-25', stats: { avg: 13 } },
      { zones: [{ code: 'nord', value: 13 }] },
      { points: [{ date: '2026-10-25' }] },
    ])
  })

  it('200 resumes from next without gaps or repeats on small pages, filtered by dataset', async () => {
    let since = await latest()
    const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05']
    await service.seed(days.flatMap((day) => [dailyPrice('TTF', day, 30), dailyPrice('CO2', day, 70)]))
    const seen: unknown[] = []
    for (let more = true; more; ) {
      const page = await list(`since=${since}&limit=2&dataset=ttf,brent`)
      seen.push(...changesOf(page).map(({ day }) => day))
      since = String(page.json().next)
      more = page.json().more === true
      const link = /^<(\?.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      expect(link).toBe(more ? `?since=${since}&dataset=ttf%2Cbrent&limit=2` : undefined)
    }
    expect(seen).toEqual(days)
    expect(changesOf(await list(`since=${since}`))).toEqual([])
  })

  it('200 on Developer with URLs that the plan includes', async () => {
    const developer = await service.asPlan('Developer')
    const since = await latest()
    await service.seed([zoneDay('nazionale', '2026-11-20', 60, (hour) => hour)])
    const [change] = changesOf(await list(`since=${since}`, { headers: developer }))
    expect(change?.url).toBe(`${service.baseUrl}/v1/prices/pun/series?from=2026-11-20&to=2026-11-20`)
    expect(await atUrl(change, developer)).toMatchObject({ count: 1 })
  })
})

describe('GET /v1/changes?wait=', () => {
  it('200 as soon as a matching change happens, without blocking other requests', async () => {
    const since = await latest()
    const waiting = Array.from({ length: 20 }, () => list(`since=${since}&dataset=psv&wait=30`))
    await storePrices(service.sql, [dailyPrice('Brent', '2026-11-20', 70)])
    expect((await service.ask('/v1/status')).status).toBe(200)
    await storePrices(service.sql, [dailyPrice('PSV', '2026-11-20', 31)])
    for (const answer of await Promise.all(waiting))
      expect(changesOf(answer)).toMatchObject([{ dataset: 'psv', day: '2026-11-20' }])
  })

  it('200 without changes after the wait; the cursor advances past filtered changes', async () => {
    const since = await latest()
    await service.seed([dailyPrice('Brent', '2026-11-19', 70)])
    const answer = await list(`since=${since}&dataset=psv&wait=1`)
    expect(changesOf(answer)).toEqual([])
    expect(answer.json().next).toBe(await latest())
  })

  it('serves further requests after a waiting client disconnects', async () => {
    const leaving = new AbortController()
    const waiting = list(`since=${await latest()}&wait=30`, { signal: leaving.signal })
    setTimeout(() => leaving.abort(), 50)
    await expect(waiting).rejects.toThrow()
    expect((await list(`since=${await latest()}`)).status).toBe(200)
  })
})

describe('an invalid request to GET /v1/changes', () => {
  const problem = async (query: string) => {
    const answer = await list(query)
    expect(answer.status).toBe(400)
    return answer.json()
  }
  const logId = async () => String(readCursor(await latest())?.logId)

  it('400 for a malformed or altered cursor', async () => {
    const cursor = await latest()
    const altered = cursor.replace(/^\d+/, (position) => String(Number(position) + 1))
    for (const since of ['', 'x', '12', altered, `${cursor}0`, 'latest2'])
      expect(await problem(`since=${since}`)).toMatchObject({ error: 'invalid_parameter', param: 'since' })
  })

  it('400 for a cursor of another installation that began with a copy of the same database', async () => {
    const cursor = await latest()
    const other = await startTestService({ now: NOW })
    try {
      const otherHeaders = await other.asPlan('API')
      const askOther = (since: string) => other.ask(`/v1/changes?since=${since}`, { headers: otherHeaders })
      const refused = await askOther(cursor)
      expect(refused.status).toBe(400)
      expect(refused.json().message).toMatch(/another service.*since=latest/)
      const otherCursor = String((await askOther('latest')).json().next)
      expect((await askOther(otherCursor)).status).toBe(200)
      expect((await problem(`since=${otherCursor}`)).message).toMatch(/another service/)
    } finally {
      await other.stop()
    }
  })

  it('400 for a cursor ahead of the feed, suggesting since=latest', async () => {
    expect((await problem(`since=${cursorOf(1_000_000, await logId())}`)).message).toMatch(/ahead.*since=latest/)
  })

  it('400 for a cursor whose changes were removed; the newest cursor remains valid', async () => {
    const last = await latest()
    await removeOldChanges(service.sql, Temporal.Instant.from('2027-11-21T00:00:00Z'))
    expect((await problem(`since=${cursorOf(1, await logId())}`)).message).toMatch(/too old.*since=latest/)
    expect((await list(`since=${last}`)).status).toBe(200)
    expect((await list('')).json()).toMatchObject({ changes: [], next: last })
  })

  it.each(['wait=31', 'wait=-1', 'limit=0', 'limit=1001'])('400 for %s', async (query) => {
    expect(await problem(query)).toMatchObject({ error: 'invalid_parameter', param: query.split('=')[0] })
  })
})
