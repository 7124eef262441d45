import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { ingestSession } from '../../src/ingest/ingest.ts'
import type { Offer, OfferDay, PublishedValues } from '../../src/publishers/arera-offers/offer.ts'
import { compressOldChunks } from '../../src/store/maintenance.ts'
import { writeOfferDay } from '../../src/store/offer-writer.ts'
import { writePublishedValues } from '../../src/store/published-values.ts'
import { databaseOfFile, hasTimescale, needsTimescale } from '../support/database.ts'
import { repetitions } from '../support/repetitions.ts'

const AT = Temporal.Instant.from('2026-02-10T01:00:00Z')
const SOURCE = 'arera-offers'

const { sql } = (await databaseOfFile()).database
beforeEach(() => sql`truncate offers, offer_days, offer_exclusions, offer_exclusion_groups, offer_revisions`)

/** A list of offers from their codes and prices. */
function list(day: string, prices: Record<string, number>, extra: Partial<OfferDay> = {}): OfferDay {
  const offers = Object.entries(prices).map(([code, price]) => offer(code, price))
  const about = { kind: 'offer-day', dataset: 'free-power', day: Temporal.PlainDate.from(day) } as const
  return { ...about, offers, excluded: [], faults: [], ...extra }
}

function offer(code: string, price: number): Offer {
  return {
    supplier: '0123456789abcdef',
    code,
    commodity: 'luce',
    priceType: 'fisso',
    customer: 'domestico',
    reference: undefined,
    validFrom: undefined,
    validTo: undefined,
    bands: 'single',
    pricesEurKwh: [price],
    statedPrices: [price],
    statedUnit: '€/kWh',
    fixedFeeEurYear: 120,
    notes: [],
  }
}

let documents = 0
function documentOf(item: OfferDay) {
  documents += 1
  return { sha256: documents.toString(16).padStart(64, '0'), address: `${item.day}`, bytes: 1, fetchedAt: AT }
}

/** Stores a list; returns the non-zero counts, as `added 2`. */
async function store(item: OfferDay): Promise<string> {
  const counts = await writeOfferDay(sql, { source: SOURCE, document: documentOf(item), storedAt: AT, item })
  return Object.entries(counts)
    .flatMap(([name, count]) => (count === 0 ? [] : `${name} ${count}`))
    .join(', ')
}

/** One line per version: `A 2026-02-01..2026-02-03 0.15`. */
async function versions(): Promise<string[]> {
  const rows = await sql`
    select code, first_day, until_day, prices_eur_kwh[1] as price from offers order by code, first_day`
  return rows.map((row) => `${row.code} ${row.first_day}..${row.until_day ?? ''} ${row.price}`)
}

async function pricesOn(day: string): Promise<Record<string, number>> {
  const rows = await sql<{ code: string; price: number }[]>`
    select code, component_eur_kwh as price from active_offers(${day}::date, 'luce') order by code`
  return Object.fromEntries(rows.map(({ code, price }) => [code, price]))
}

describe('daily lists of offers', () => {
  it('are stored as versions, with one row per change', async () => {
    expect(await store(list('2026-02-01', { A: 0.15, B: 0.16 }))).toBe('added 2')
    expect(await store(list('2026-02-02', { A: 0.15, B: 0.17, C: 0.1 }))).toBe('added 1, changed 1, unchanged 1')
    expect(await store(list('2026-02-03', { A: 0.15, C: 0.1 }))).toBe('withdrawn 1, unchanged 2')
    expect(await versions()).toEqual([
      'A 2026-02-01.. 0.15',
      'B 2026-02-01..2026-02-02 0.16',
      'B 2026-02-02..2026-02-03 0.17',
      'C 2026-02-02.. 0.1',
    ])
  })

  it('are unchanged by a second import', async () => {
    await store(list('2026-02-01', { A: 0.15 }))
    await store(list('2026-02-02', { A: 0.16 }))
    const before = await sql`select day, version from offer_days order by day`
    expect(await store(list('2026-02-01', { A: 0.15 }))).toBe('unchanged 1')
    expect(await sql`select day, version from offer_days order by day`).toEqual(before)
    expect(await versions()).toEqual(['A 2026-02-01..2026-02-02 0.15', 'A 2026-02-02.. 0.16'])
    expect(await sql`select from offer_revisions`).toHaveLength(0)
  })

  it('give the same minimal versions in any order and after repeated imports', async () => {
    const contents = fc.dictionary(fc.constantFrom('A', 'B', 'C'), fc.constantFrom(0.1, 0.2), { noNullPrototype: true })
    const days = fc.array(contents, { minLength: 2, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(
        days,
        fc.array(fc.nat(4), { maxLength: 4 }),
        fc.array(contents, { maxLength: 2 }),
        async (truth, order, wrong) => {
          await sql`truncate offers, offer_days, offer_exclusions, offer_exclusion_groups, offer_revisions`
          const dayAt = (i: number) => `2026-02-0${1 + 2 * (i % truth.length)}`
          for (const [i, prices] of wrong.entries()) await store(list(dayAt(i), prices)) // corrected below
          for (const i of order) await store(list(dayAt(i), truth[i % truth.length] ?? {}))
          for (const i of truth.keys())
            await store(list(dayAt(truth.length - 1 - i), truth[truth.length - 1 - i] ?? {}))

          for (const [i, prices] of truth.entries()) expect(await pricesOn(dayAt(i))).toEqual(sorted(prices))
          expect(await pricesOn('2026-02-02')).toEqual({}) // nothing was published
          expect(await versions()).toEqual(fewestVersions(truth, dayAt))
        },
      ),
      { numRuns: repetitions(10, 40) },
    )
  })

  it('keep the values replaced by a correction', async () => {
    await store(list('2026-02-01', { A: 0.15, B: 0.16 }))
    await store(list('2026-02-02', { A: 0.15, B: 0.16 }))
    await store(list('2026-02-01', { A: 0.14 }))
    expect(await versions()).toEqual(['A 2026-02-01..2026-02-02 0.14', 'A 2026-02-02.. 0.15', 'B 2026-02-02.. 0.16'])
    const kept = await sql`
      select code, day, offer -> 'prices_eur_kwh' as prices, superseded_at, d.address
      from offer_revisions r join documents d on d.id = r.superseded_by order by code`
    expect(kept).toEqual([
      { code: 'A', day: '2026-02-01', prices: [0.15], superseded_at: AT, address: '2026-02-01' },
      { code: 'B', day: '2026-02-01', prices: [0.16], superseded_at: AT, address: '2026-02-01' },
    ])
  })

  it('link every version to the document of its first day', async () => {
    await store(list('2026-02-03', { A: 0.15 }))
    await store(list('2026-02-01', { A: 0.15 }))
    expect(await sql`select address from offers o join documents d on d.id = o.document_id`).toEqual([
      { address: '2026-02-01' },
    ])
  })

  it('count excluded offers by reason', async () => {
    const examples = ['line 2: every price is 0', 'line 3: every price is 0']
    const excluded = [{ reason: 'zero_price' as const, offers: 3, examples }]
    await store(list('2026-02-01', { A: 0.15 }, { excluded }))
    const reasons = () => sql`select reason, offers, examples from offer_exclusions`
    expect(await reasons()).toEqual(excluded)
    await store(list('2026-02-01', { A: 0.15 }))
    expect(await reasons()).toEqual([])
    expect(await sql`select offers, excluded from offer_days`).toEqual([{ offers: 1, excluded: 0 }])
  })

  it('count excluded offers by group, including lists first read without groups', async () => {
    const zero = { reason: 'zero_price' as const, offers: 3, examples: ['line 2: 0 €/kWh'] }
    const groups = [{ priceType: 'fisso' as const, customer: 'domestico' as const, offers: 2 }]
    const stored = () => sql`select reason, price_type, customer, offers from offer_exclusion_groups`
    await store(list('2026-02-01', { A: 0.15 }, { excluded: [zero] }))
    expect(await stored()).toEqual([])
    await store(list('2026-02-01', { A: 0.15 }, { excluded: [{ ...zero, groups }] }))
    expect(await stored()).toEqual([{ reason: 'zero_price', price_type: 'fisso', customer: 'domestico', offers: 2 }])
    const prices = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`A${n}`, 0.15]))
    const offers = list('2026-02-02', prices).offers.map((one, n) => ({ ...one, supplier: String(n % 3).repeat(16) }))
    const expired = { reason: 'expired' as const, offers: 2, examples: [], groups }
    await store(list('2026-02-02', {}, { offers, excluded: [{ ...zero, groups }, expired] }))
    expect(
      await sql`select offers, excluded from offer_index_cells('2026-02-02', 'luce')`,
      "an offer that could not be signed is in nobody's index",
    ).toEqual([{ offers: 5, excluded: 2 }])
  })

  it.runIf(hasTimescale)(needsTimescale('are corrected in compressed chunks too'), async () => {
    await store(list('2025-02-01', { A: 0.15, B: 0.16 }))
    await compressOldChunks(sql, '2025-06-30')
    const compressed = () =>
      sql`select is_compressed from timescaledb_information.chunks where hypertable_name = 'offers'`
    expect(await compressed()).toEqual([{ is_compressed: true }])
    await store(list('2025-02-02', { A: 0.17, B: 0.16 }))
    await store(list('2025-02-01', { A: 0.15, B: 0.18 }))
    expect(await versions()).toEqual([
      'A 2025-02-01..2025-02-02 0.15',
      'A 2025-02-02.. 0.17',
      'B 2025-02-01..2025-02-02 0.18',
      'B 2025-02-02.. 0.16',
    ])
    await compressOldChunks(sql, '2025-06-30')
    expect(await pricesOn('2025-02-02')).toEqual({ A: 0.17, B: 0.16 })
    expect(await compressed()).toEqual([{ is_compressed: true }])
  })
})

it('active offers are those that can be signed on the day, including both change days', async () => {
  for (const day of ['2026-03-29', '2026-10-25']) {
    const on = Temporal.PlainDate.from(day)
    const [before, after] = [on.subtract({ days: 1 }), on.add({ days: 1 })]
    const offers = [
      { ...offer('BEGINS', 0.1), validFrom: on, validTo: after },
      { ...offer('ENDS', 0.1), validFrom: before, validTo: on },
      { ...offer('ONE-DAY', 0.1), validFrom: on, validTo: on },
    ]
    await store({ ...list(day, {}), offers })
    await store({ ...list(after.toString(), {}), offers })
    expect(Object.keys(await pricesOn(day))).toEqual(['BEGINS', 'ENDS', 'ONE-DAY'])
    expect(Object.keys(await pricesOn(after.toString()))).toEqual(['BEGINS'])
  }
})

describe('the gate', () => {
  async function ingest(item: OfferDay) {
    const limits = () => ({ min: -500, max: 4000 })
    const session = ingestSession({ sql, clock: { now: () => AT }, limits, source: SOURCE })
    await session.add(item, documentOf(item))
    return session.finish()
  }

  it('refuses a partial list and quarantines it', async () => {
    await store(list('2026-02-01', { A: 0.15, B: 0.16, C: 0.17, D: 0.18 }))
    const { refused, offerDays } = await ingest(list('2026-02-02', { A: 0.15 }))
    expect(offerDays).toEqual([])
    expect(refused).toMatchObject([
      { series: 'offers:free-power', day: '2026-02-02', faults: [{ code: 'incomplete_day' }] },
    ])
    expect(await pricesOn('2026-02-02')).toEqual({})
    const quarantined = await sql`select series, reasons from quarantined_days where market_day = '2026-02-02'`
    expect(quarantined).toEqual([{ series: 'offers:free-power', reasons: ['incomplete_day'] }])
  })

  it('reports the counts and exclusions of an accepted list', async () => {
    const excluded = [{ reason: 'expired' as const, offers: 1, examples: ['line 4: valid to 2026-01-31'] }]
    const { offerDays } = await ingest(list('2026-02-01', { A: 0.15 }, { excluded }))
    expect(offerDays).toMatchObject([
      { dataset: 'free-power', day: '2026-02-01', read: 2, added: 1, excluded, notes: [] },
    ])
  })
})

it('reference values published with offers are stored once, and a correction keeps the replaced value', async () => {
  const index = { name: 'PUN', unit: '€/kWh', description: undefined }
  const months = (pun: number): PublishedValues => ({
    kind: 'published-values',
    series: 'index-months',
    day: Temporal.PlainDate.from('2026-02-01'),
    values: [
      { ...index, validOn: Temporal.PlainDate.from('2026-01-01'), value: 0.1 },
      { ...index, validOn: Temporal.PlainDate.from('2026-02-01'), value: pun },
    ],
    faults: [],
  })
  const write = (item: PublishedValues) =>
    writePublishedValues(sql, SOURCE, documentOf(list('2026-02-01', {})), item, AT)
  expect(await write(months(0.2))).toEqual({ stored: 2, unchanged: 0, corrected: 0 })
  expect(await write(months(0.2))).toEqual({ stored: 0, unchanged: 2, corrected: 0 })
  expect(await write(months(0.3))).toEqual({ stored: 0, unchanged: 1, corrected: 1 })
  expect(await sql`select name, valid_on, value from published_value_revisions`).toEqual([
    { name: 'PUN', valid_on: '2026-02-01', value: 0.2 },
  ])
  expect(await sql`select value, unit from published_values order by valid_on`).toEqual([
    { value: 0.1, unit: '€/kWh' },
    { value: 0.3, unit: '€/kWh' },
  ])
})

function sorted(prices: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(prices).sort())
}

/** One version per run of publications with the same content of an offer. */
function fewestVersions(truth: Record<string, number>[], dayAt: (i: number) => string): string[] {
  return ['A', 'B', 'C'].flatMap((code) =>
    truth.flatMap((prices, i) => {
      const price = prices[code]
      if (price === undefined || (i > 0 && truth[i - 1]?.[code] === price)) return []
      const end = truth.findIndex((later, j) => j > i && later[code] !== price)
      return [`${code} ${dayAt(i)}..${end < 0 ? '' : dayAt(end)} ${price}`]
    }),
  )
}
