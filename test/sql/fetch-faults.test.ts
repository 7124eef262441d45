/**
 * Every publisher with every fault: no invented or partial data is stored, other publishers are not delayed, no credential is shown,
 * and the day is stored once the fault has passed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SourceRefused, SourceUnreachable } from '../../src/platform/fetch/outcomes.ts'
import { databaseOfFile } from '../support/database.ts'
import { type FetchHarness, startFetching } from '../support/fetching.ts'
import { CREDENTIALS, FAULTS, type Fault } from '../support/publishers/index.ts'

type ExpectedOutcome =
  | { outcome: 'not-published' | 'incomplete'; quarantined: readonly string[] }
  | { fails: typeof SourceUnreachable | typeof SourceRefused; asked?: number; retryAfterSeconds?: number }

const RETRIED = { fails: SourceUnreachable, asked: 3 } as const
const UNREADABLE = { outcome: 'incomplete', quarantined: ['unreadable_document'] } as const

/** The outcome of each fault; exceptions by source follow. */
const EXPECTED_OUTCOMES: Record<Fault, ExpectedOutcome> = {
  late: { outcome: 'not-published', quarantined: [] },
  empty: UNREADABLE,
  truncated: UNREADABLE,
  'cut-off': RETRIED,
  slow: RETRIED,
  hanging: RETRIED,
  unreachable: RETRIED,
  'refused-401': { fails: SourceRefused },
  'busy-429': { fails: SourceUnreachable, asked: 1, retryAfterSeconds: 120 },
  'error-500': RETRIED,
  'quota-text': { fails: SourceUnreachable },
  'wrong-content-type': UNREADABLE,
  'changed-columns': UNREADABLE,
  'previous-day': { outcome: 'incomplete', quarantined: ['wrong_day'] },
  redirect: { fails: SourceUnreachable, asked: 1 },
  endless: { fails: SourceUnreachable, asked: 1 },
}

/** Publishers of complete lists: with yesterday's edition, the day is missing but nothing is wrong. */
const STALE: ExpectedOutcome = { outcome: 'incomplete', quarantined: [] }
/** Rows with an unreadable interval or price count as faults of their days. */
const NOT_A_NUMBER: ExpectedOutcome = { outcome: 'incomplete', quarantined: ['incomplete_day', 'not_a_number'] }

const SOURCE_EXCEPTIONS: Partial<Record<string, Partial<Record<Fault, ExpectedOutcome>>>> = {
  'gme-mgp': { 'quota-text': { fails: SourceUnreachable, asked: 1, retryAfterSeconds: 60 } },
  'gme-intraday': { 'quota-text': { fails: SourceUnreachable, asked: 1, retryAfterSeconds: 60 } },
  'gme-mgas': { 'quota-text': { fails: SourceUnreachable, asked: 1, retryAfterSeconds: 60 } },
  'gme-mgp by ZIP': {
    'changed-columns': NOT_A_NUMBER,
    'previous-day': { outcome: 'incomplete', quarantined: ['wrong_day'] },
  },
  'gme-mgas by ZIP': { 'changed-columns': { outcome: 'incomplete', quarantined: ['not_a_number'] } },
  entsoe: { 'changed-columns': NOT_A_NUMBER },
  'entsoe-load-forecast': { 'changed-columns': { outcome: 'incomplete', quarantined: ['not_a_number'] } },
  'eex-ttf': { 'previous-day': STALE },
  'eex-eua': { 'previous-day': STALE },
}

const DAY = {
  'gme-mgp': '2026-03-29',
  entsoe: '2026-03-29',
  'gme-mgas': '2026-03-27',
  'eex-ttf': '2026-03-27',
  'eia-brent': '2026-03-24',
  'eex-eua': '2026-03-27',
  'arera-offers': '2026-03-28',
  'entsoe-load-forecast': '2026-03-29',
  'open-meteo': '2026-03-26',
  'gme-intraday': '2026-03-28',
  'terna-imbalance': '2026-03-27',
}
const CASES: [string, keyof typeof DAY, Record<string, string>][] = [
  ['gme-mgp', 'gme-mgp', {}],
  ['gme-mgp by ZIP', 'gme-mgp', { GME_API_LOGIN: '', GME_API_PASSWORD: '' }],
  ['gme-mgas', 'gme-mgas', {}],
  ['gme-mgas by pages', 'gme-mgas', { GME_API_LOGIN: '', GME_API_PASSWORD: '' }],
  ['gme-mgas by ZIP', 'gme-mgas', { GME_API_LOGIN: '', GME_API_PASSWORD: '', GME_GAS_FORM: 'zip' }],
  ['entsoe', 'entsoe', {}],
  ['eex-ttf', 'eex-ttf', {}],
  ['eia-brent', 'eia-brent', {}],
  ['eex-eua', 'eex-eua', {}],
  ['arera-offers', 'arera-offers', {}],
  ['entsoe-load-forecast', 'entsoe-load-forecast', {}],
  ['open-meteo', 'open-meteo', {}],
  ['gme-intraday', 'gme-intraday', {}],
  ['terna-imbalance', 'terna-imbalance', {}],
]

const db = await databaseOfFile()
const { sql } = db.database

describe.each(CASES)('%s', (name, source, env) => {
  let fetching: FetchHarness
  beforeAll(async () => {
    await sql`truncate price_intervals, price_interval_revisions, daily_prices, daily_price_revisions`
    await sql`truncate offers, offer_days, offer_exclusions, offer_exclusion_groups, offer_revisions`
    await sql`truncate fundamentals, fundamental_revisions`
    fetching = await startFetching({ now: '2026-03-28T20:00:00Z', env, db })
  })
  afterAll(() => fetching[Symbol.asyncDispose]())

  const storedPrices = async () => {
    const [row] = await sql`
      select (select count(*) from price_intervals where source = ${source} and market_day = ${DAY[source]}::date)
        + (select count(*) from daily_prices where source = ${source} and market_day = ${DAY[source]}::date)
        + (select count(*) from offers where source = ${source} and first_day = ${DAY[source]}::date)
        + (select count(*) from fundamentals where source = ${source} and market_day = ${DAY[source]}::date) as prices`
    return row?.prices
  }
  const quarantined = () => sql<{ reasons: string[] }[]>`
    select reasons, details from quarantined_days where source = ${source} order by id`

  it.each(FAULTS)('%s', async (fault) => {
    await sql`delete from quarantined_days`
    const promised = SOURCE_EXCEPTIONS[name]?.[fault] ?? EXPECTED_OUTCOMES[fault]
    const isSlow = fault === 'slow' || fault === 'hanging'
    fetching.pauses.length = 0
    const askedBefore = fetching.publishers.server(source).requests.length
    fetching.publishers.setFault(source, fault)
    const asking = fetching.ingest(source, DAY[source], isSlow ? { ctx: fetching.withShortTimeouts } : {})

    if ('fails' in promised) {
      const failure = await asking.catch((err: unknown) => err)
      expect(failure).toBeInstanceOf(promised.fails)
      const { asked, retryAfterSeconds } = promised
      // Excludes the login, or the page that opens a session, before the last request.
      const requests = fetching.publishers.server(source).requests.slice(askedBefore)
      const data = requests.filter(({ url }) => url.pathname === requests.at(-1)?.url.pathname)
      // An attempt may time out before the publisher has read its request.
      const attempts = isSlow ? fetching.pauses.length + 1 : data.length
      if (asked !== undefined) expect(attempts).toBe(asked)
      if (retryAfterSeconds !== undefined) expect(failure).toMatchObject({ retryAfterSeconds })
      expect(String(failure)).not.toMatch(/example-(login|password|entsoe|eia|token|cookie)/)
    } else {
      const report = await asking
      expect(report.outcome).toBe(promised.outcome)
      expect(report.missingDays.map(String)).toEqual([DAY[source]])
      const reasons = (await quarantined()).flatMap((row) => row.reasons)
      expect([...new Set(reasons)].sort()).toEqual(promised.quarantined)
    }
    expect(await storedPrices()).toBe(0)
    const [attempt] = await sql`select outcome from source_fetching where source = ${source}`
    expect(['complete', 'failed']).not.toContain(attempt?.outcome)
  })

  it('delays no other source', async () => {
    const other = source === 'eia-brent' ? 'eex-eua' : 'eia-brent'
    const stopping = new AbortController()
    fetching.publishers.setFault(source, 'hanging')
    const hanging = fetching.ingest(source, DAY[source], { signal: stopping.signal }).catch((err: unknown) => err)
    expect(await fetching.ingest(other, DAY[other])).toMatchObject({ outcome: 'complete' })
    stopping.abort(new Error('stopped by the test'))
    expect(await hanging).toMatchObject({ message: 'stopped by the test' })
  })

  it('delivers once its faults have passed', async () => {
    fetching.publishers.setFault(source, undefined)
    const report = await fetching.ingest(source, DAY[source])
    expect(report).toMatchObject({ outcome: 'complete', missingDays: [], refused: [] })
    expect(await storedPrices()).toBeGreaterThan(0)
  })

  it('never replaces a stored day with a faulty one', async () => {
    const before = await storedPrices()
    for (const fault of ['truncated', 'changed-columns', 'previous-day', 'late', 'empty'] as const) {
      fetching.publishers.setFault(source, fault)
      const report = await fetching.ingest(source, DAY[source], { conditional: false })
      expect(report).toMatchObject({ outcome: 'complete', counts: { corrected: 0 } })
      expect(await storedPrices()).toBe(before)
    }
  })

  it('leaks no credential into the log or the database', async () => {
    const stored = [await sql`select * from documents`, await sql`select * from source_fetching`, await quarantined()]
    const shown = fetching.logText() + JSON.stringify(stored)
    for (const secret of Object.values(CREDENTIALS)) {
      expect(shown).not.toContain(secret)
      expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1))
    }
    expect(shown).not.toMatch(/example-(token|cookie|page-token)/)
  })
})
