import { createReadStream } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { intervalsOf, type PublishedPeriod, readPeriods } from '../../../src/publishers/entsoe/periods.ts'
import { namesOf, readAll } from '../../support/parsed-documents.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'

const NORD = '10Y1001A1001A73I'

/** A period on 2026-01-14, from the texts of its positions. */
function period(points: Record<number, string>, changes: Partial<Record<'start' | 'end' | 'resolution', string>> = {}) {
  const { start = '2026-01-13T23:00Z', end = '2026-01-14T23:00Z', resolution = 'PT60M' } = changes
  const rows = Object.entries(points).map(
    ([position, price]) => `<Point><position>${position}</position><price.amount>${price}</price.amount></Point>`,
  )
  return `<Period><timeInterval><start>${start}</start><end>${end}</end></timeInterval><resolution>${resolution}</resolution>${rows.join('')}</Period>`
}

function document(periods: string, curve = 'A03'): string {
  return `<?xml version="1.0"?><Publication_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3"><type>A44</type>
    <TimeSeries><in_Domain.mRID>${NORD}</in_Domain.mRID><out_Domain.mRID>${NORD}</out_Domain.mRID><currency_Unit.name>EUR</currency_Unit.name>
    <price_Measure_Unit.name>MWH</price_Measure_Unit.name><curveType>${curve}</curveType>${periods}</TimeSeries></Publication_MarketDocument>`
}

async function pricesOf(text: string): Promise<(number | undefined)[]> {
  const { zoneDays } = await readAll(text)
  return zoneDays[0]?.prices ?? []
}

describe('an omitted position', () => {
  it('repeats the previous price to the end of the period with curve type A03', async () => {
    const prices = await pricesOf(document(period({ 1: '80', 3: '-1.5', 20: '0' })))
    expect(prices).toEqual([80, 80, ...new Array(17).fill(-1.5), ...new Array(5).fill(0)])
  })

  it('is missing at the start of a period, without repeating the previous period', async () => {
    const second = period({ 2: '90' }, { start: '2026-01-14T11:00Z' })
    const text = document(period({ 1: '80' }, { end: '2026-01-14T11:00Z' }) + second)
    expect(await pricesOf(text)).toEqual([...new Array(12).fill(80), undefined, ...new Array(11).fill(90)])
  })
})

describe('a day in two resolutions', () => {
  const hours = period({ 1: '80' })

  it('uses the finer one, in any order', async () => {
    const quarters = period({ 1: '70' }, { resolution: 'PT15M' })
    for (const periods of [hours + quarters, quarters + hours]) {
      const { zoneDays, documents } = await readAll(document(periods))
      expect(documents[0]).toMatchObject({ kind: 'entsoe-a44-xml', source: 'entsoe' })
      expect(namesOf(zoneDays)).toEqual(['nord 2026-01-14 15'])
      expect(new Set(zoneDays[0]?.prices)).toEqual(new Set([70]))
    }
  })

  it('uses the whole coarser one if the finer has gaps, without mixing them', async () => {
    const quarters = period({ 5: '70' }, { resolution: 'PT15M' })
    const { zoneDays } = await readAll(document(hours + quarters))
    expect(namesOf(zoneDays)).toEqual(['nord 2026-01-14 60'])
    expect(new Set(zoneDays[0]?.prices)).toEqual(new Set([80]))
  })
})

describe('an invalid document', () => {
  const withPeriod = (changes: Parameters<typeof period>[1]) => document(period({ 1: '80' }, changes))

  it.each([
    ['a period that is no whole number of intervals', withPeriod({ end: '2026-01-14T22:30Z' }), /cut into/],
    ['a period of a thousand years', withPeriod({ end: '3026-01-14T23:00Z' }), /cut into/],
    ['a period that ends before it begins', withPeriod({ end: '2026-01-12T23:00Z' }), /cut into/],
    ['a time without a zone', withPeriod({ start: '2026-01-13T23:00' }), /no instant/],
    ['an unknown resolution', withPeriod({ resolution: 'P1D' }), /resolution "P1D" is unknown/],
    ['an unknown curve', document(period({ 1: '80' }), 'A02'), /curve type "A02" is unknown/],
    ['another type of document', document('').replace('A44', 'A65'), /type "A65", not A44/],
    ['a document type declaration', `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>${document('')}`, /DOCTYPE/],
  ])('is refused for %s', async (_, text, detail) => {
    const { items, faults } = await readAll(text)
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(detail) }])
  })

  it('has a fault for intervals not aligned with the market day', async () => {
    const shifted = period({ 1: '80' }, { start: '2026-01-13T23:30Z', end: '2026-01-14T22:30Z' })
    const { zoneDays } = await readAll(document(shifted))
    expect(zoneDays[0]?.faults[0]).toMatchObject({ code: 'wrong_instant' })
    expect(zoneDays[0]?.prices).not.toContain(80)
  })
})

describe('an acknowledgement instead of prices', () => {
  const acknowledge = (text: string) =>
    `<?xml version="1.0"?><Acknowledgement_MarketDocument><Reason><code>999</code><text>${text}</text></Reason></Acknowledgement_MarketDocument>`

  it.each([
    ['No matching data found for Data item', /has not published the requested data \(999: No matching data found/],
    ['The amount of requested data exceeds allowed limit', /does not answer with prices \(999: The amount/],
  ])('is reported with its reason: "%s"', async (text, detail) => {
    const { documents, faults } = await readAll(acknowledge(text))
    expect(documents[0]).toMatchObject({ source: 'entsoe' })
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(detail) }])
  })
})

const FRANCE = sharedData('raw/entsoe/A44_FR_20230507-08_PT60M_A01_v7.0.xml')
const SPAIN = sharedData('raw/entsoe/A44_ES_20250929-1002_PT60M-then-PT15M_A03_v7.3.xml')
const GERMANY = sharedData('raw/entsoe/A44_DE-LU_20241006-07_PT60M+PT15M_overlap_A03_v7.3.xml')

describe.skipIf(!FRANCE || !SPAIN || !GERMANY)(needsSharedData('real responses'), () => {
  it.each([
    ['of the old schema, without gaps', FRANCE, [60, 60]],
    ['that change from hours to quarter-hours', SPAIN, [60, 60, 15, 15]],
    ['with both resolutions for the same days', GERMANY, [60, 60, 15, 15]],
  ])('%s cover each period without a gap or an overlap', async (_, file, resolutions) => {
    const periods = await periodsOf(file)
    expect(periods.map((period) => intervalsOf(period).resolutionMinutes)).toEqual(resolutions)
    for (const period of periods) {
      const { resolutionMinutes, intervals } = intervalsOf(period)
      const start = Date.parse(period.start ?? '')
      const count = (Date.parse(period.end ?? '') - start) / (resolutionMinutes * 60_000)
      const starts = Array.from({ length: count }, (_, index) => start + index * resolutionMinutes * 60_000)
      expect(intervals.map(({ startMilliseconds }) => startMilliseconds)).toEqual(starts)
      expect(intervals.every(({ stated }) => Number.isFinite(stated))).toBe(true)
    }
  })

  it('omit positions only if the price repeats, and stated positions keep their values', async () => {
    const [, , quarters] = await periodsOf(SPAIN)
    const { intervals } = intervalsOf(quarters as PublishedPeriod)
    expect(quarters?.points.length).toBeLessThan(96)
    for (const { position, value } of quarters?.points ?? []) {
      expect(intervals[Number(position) - 1]?.stated).toBe(Number(value))
    }
  })

  it('distinguish the two auctions of a market', async () => {
    const sequences = (await periodsOf(GERMANY)).map(({ series }) =>
      series.get('classificationSequence_AttributeInstanceComponent.position'),
    )
    expect(sequences).toEqual(['1', '1', '2', '2'])
  })
})

async function periodsOf(file: string | undefined): Promise<PublishedPeriod[]> {
  return Array.fromAsync(readPeriods(createReadStream(file ?? '', 'utf8')))
}
