/** A publisher is one folder (`test/support/made-up-publisher/`) and one entry in the list, replaced here: no other code refers to it. */
import { createServer } from 'node:http'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { ServiceStatus } from '../../src/api/contract/status.ts'
import { getStatus } from '../../src/api/endpoints/status/get-status.ts'
import { marketDayOf } from '../../src/market/market-day.ts'
import { createLogger } from '../../src/platform/log.ts'
import { daysIn } from '../../src/publishers/fetch-days.ts'
import { makeFetcher } from '../../src/publishers/fetcher.ts'
import { secondsToNextPublication } from '../../src/publishers/publications.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { dayState } from '../../src/web/status/day-states.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { linesOf } from '../support/lines.ts'
import { listenLocally } from '../support/local-server.ts'
import { madeUp } from '../support/made-up-publisher/index.ts'
import { readAll } from '../support/parsed-documents.ts'
import { publisherTables } from '../support/publisher-tables.ts'
import { simulatedService } from '../support/simulated-service.ts'

vi.mock('../../src/publishers/index.ts', async (importOriginal) => {
  const list = await importOriginal<typeof import('../../src/publishers/index.ts')>()
  const { madeUp } = await import('../support/made-up-publisher/index.ts')
  return { ...list, PUBLISHERS: [...list.PUBLISHERS, madeUp] }
})

const at = Temporal.Instant.from
/** Answers with a price for each requested day, up to the last published one. */
let published = '2026-03-28'
const requestedUrls: string[] = []
const server = createServer((req, res) => {
  const [from = '', to = ''] = new URL(req.url ?? '', 'http://made-up').pathname.slice(1).split('/')
  const span = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) }
  const days = [...daysIn(span)].map(String).filter((day) => day <= published)
  requestedUrls.push(`${from} ${to}`)
  res.end(JSON.stringify({ made_up: Object.fromEntries(days.map((day) => [day, 31.5])) }))
})

const listening = await listenLocally(server)
const { env } = await productDatabaseOfFile()
const settings = { SOURCES: 'made-up', MADE_UP_TOKEN: 'token', MADE_UP_ADDRESS: listening.baseUrl, ...env }
const service = await simulatedService(settings, createLogger({ level: 'silent' }))
const { sql } = service.ctx.database
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await listening[Symbol.asyncDispose]()
})

async function status(now: string) {
  const asking = { ...service.ctx, config: { baseUrl: new URL('https://energy.example') } }
  const request = { service: asking, now: at(now), today: marketDayOf(at(now)) }
  const { sources } = (await getStatus.handle(request as never)) as ServiceStatus
  return sources.find(({ id }) => id === 'made-up')
}

describe('a publisher defined by one folder and one list entry', () => {
  it('is off without its required variables, and has its own settings', () => {
    expect(() => readConfig({ MADE_UP_HISTORY_FROM: 'never' })).toThrow(/MADE_UP_HISTORY_FROM/)
    const { sources } = readConfig({ SOURCES: 'made-up' })
    expect(makeFetcher(madeUp, sources)).toEqual({ source: 'made-up', off: 'MADE_UP_TOKEN is not set' })
    expect(readConfig({ MADE_UP_REQUESTS_PER_DAY: '7' }).sources.bySource['made-up']?.REQUESTS_PER_DAY).toBe(7)
  })

  it('is in the table of sources', async () => {
    const rows = await sql`select name, priority, redistributable from sources where id = 'made-up'`
    expect(rows).toEqual([{ name: 'Made-up Exchange', priority: 5, redistributable: true }])
  })

  it('is fetched on its own schedule, in its own queues, and its days are stored', async () => {
    const next = await service.runDueAt(at('2026-03-28T15:00:00Z'), true)
    expect(requestedUrls.length).toBeGreaterThan(0)
    expect(next.toString()).toBe('2026-03-28T15:30:00Z') // 16:30 in Rome on Sunday the 29th, a change day
    const days = await sql`select market_day from daily_prices where source = 'made-up' order by 1`
    expect(linesOf(days)).toEqual(['2026-03-27', '2026-03-28'])
    const queues = linesOf(await sql`select name from pgboss.queue where name like 'made-up.%'`)
    expect(queues).toEqual(expect.arrayContaining(['made-up.catch-up', 'made-up.fetch']))
  })

  it('is reported late from its own deadline, and not before', async () => {
    const late = async () =>
      linesOf(await sql`select market_day from source_events where source = 'made-up' and kind = 'late'`)
    let now = at('2026-03-29T14:30:00Z') // 16:30 on the change day, in summer time: Monday's price is due
    while (Temporal.Instant.compare(now, at('2026-03-29T15:15:00Z')) < 0) {
      now = await service.runDueAt(now, false)
      expect(await late()).toEqual([])
    }
    await service.runDueAt(at('2026-03-29T15:15:00Z'), false)
    expect(await late()).toEqual(['2026-03-30'])
    published = '2026-03-30'
    await service.runDueAt(at('2026-03-29T15:20:00Z'), false)
    expect(await sql`select from daily_prices where source = 'made-up'`).toHaveLength(3)
  })

  it('has its next publication in the status, in Retry-After and in the day states', async () => {
    expect(await status('2026-03-30T10:00:00Z')).toMatchObject({
      name: 'Made-up Exchange',
      usual_publication: '16:30 Europe/Rome on the day before',
      fetching: { last_attempt: { outcome: 'complete' } },
      series: [{ series: 'TTF', latest_market_day: '2026-03-30', next_expected_at: '2026-03-30T14:30:00Z' }],
    })
    expect(secondsToNextPublication(['TTF'], at('2026-03-30T14:00:00Z'))).toBe(1_800)
    const empty = { expectedMinutes: 1440, punMinutes: 0, zones: 8, zonesWhole: 0, zoneMinutes: 0, assets: [] }
    const state = (now: string) => dayState('TTF', { day: '2026-03-31', ...empty }, { now: at(now), synthetic: false })
    expect([state('2026-03-30T15:14:59Z'), state('2026-03-30T15:15:00Z')]).toEqual(['due', 'missing'])
  })

  it('has its documents recognised', async () => {
    const { documents, dailyPrices } = await readAll('{"made_up": {"2026-10-25": 30}}')
    expect(documents).toMatchObject([{ kind: 'made-up-json', source: 'made-up' }])
    expect(dailyPrices).toMatchObject([{ asset: 'TTF', price: 30 }])
  })

  it('is documented', () => {
    for (const text of [madeUp.delivers, 'JSON that is made up', 'MADE_UP_TOKEN', '16:30 on the day before']) {
      expect(publisherTables()).toContain(text)
    }
  })
})
