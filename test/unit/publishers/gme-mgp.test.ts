import { describe, expect, it } from 'vitest'
import { gateZoneDay } from '../../../src/ingest/gate.ts'
import type { ZoneDay } from '../../../src/publishers/observations.ts'
import { gmeDocument, gmeRows, gmeXml, plainPrice, plainPriceExcept, plainValue } from '../../support/gme-documents.ts'
import { namesOf, readAll } from '../../support/parsed-documents.ts'

const LIMITS = { priceLimits: { min: -500, max: 4000 } }

describe('a plain document', () => {
  it('yields the PUN as nazionale and seven zones with every hour, and nothing else', async () => {
    const { documents, items, zoneDays } = await readAll(gmeXml({ day: '2026-01-14' }))
    expect(documents[0]?.kind).toBe('gme-mgp-xml')
    expect(items).toHaveLength(8)
    expect(zoneDays.map(({ zone }) => zone).sort()).toEqual(
      ['cala', 'cnor', 'csud', 'nazionale', 'nord', 'sard', 'sici', 'sud'].sort(),
    )
    const pun = zoneDay(zoneDays, 'nazionale')
    expect(String(pun.day)).toBe('2026-01-14')
    expect(pun.resolutionMinutes).toBe(60)
    expect(pun.prices).toEqual(Array.from({ length: 24 }, (_, index) => plainValue('PUN', index + 1)))
    expect(zoneDays.every((item) => gateZoneDay(item, LIMITS).accepted)).toBe(true)
  })

  it('may have several days, in hours and quarter-hours', async () => {
    const { zoneDays } = await readAll(
      gmeXml({ day: '2026-01-14' }, { day: '2026-01-15' }, { day: '2026-01-14', resolution: 15 }),
    )
    const puns = zoneDays.filter(({ zone }) => zone === 'nazionale')
    expect(namesOf(puns)).toEqual(['nazionale 2026-01-14 60', 'nazionale 2026-01-15 60', 'nazionale 2026-01-14 15'])
  })

  it('may have its rows in any order, with days mixed', async () => {
    const rows = [...rowsOf('2026-01-14'), ...rowsOf('2026-01-15')]
    const shuffled = rows.map((_, index) => rows[(index * 29) % rows.length])
    const { zoneDays, faults } = await readAll(gmeDocument(shuffled.join('')))
    expect(faults).toEqual([])
    expect(zoneDays).toHaveLength(16)
    for (const item of zoneDays.filter(({ zone }) => zone === 'nazionale')) {
      expect(item.prices).toEqual(Array.from({ length: 24 }, (_, index) => plainValue('PUN', index + 1)))
    }
  })
})

describe('a value missing from a document', () => {
  it('is undefined and not 0, whether the tag is empty or missing', async () => {
    const prices = plainPriceExcept({ PUN: { 3: '' }, NORD: { 4: undefined } })
    const { zoneDays } = await readAll(gmeXml({ day: '2026-01-14', prices }))
    expect(zoneDay(zoneDays, 'nazionale').prices[2]).toBeUndefined()
    expect(zoneDay(zoneDays, 'nord').prices[3]).toBeUndefined()
    expect(zoneDay(zoneDays, 'sud').prices).not.toContain(undefined)
  })

  it('yields no zone-day if the zone has no prices at all, such as Calabria before 2021', async () => {
    const { zoneDays } = await readAll(
      gmeXml({ day: '2020-06-01', prices: (tag, ordinal) => (tag === 'CALA' ? '' : plainPrice(tag, ordinal)) }),
    )
    expect(zoneDays.map(({ zone }) => zone)).not.toContain('cala')
    expect(zoneDays).toHaveLength(7)
  })

  it('is reported by the number of its hour or quarter', async () => {
    const { zoneDays } = await readAll(
      gmeXml({ day: '2026-10-25', count: 24 }, { day: '2026-01-14', resolution: 15, count: 95 }),
    )
    const details = zoneDays.filter(({ zone }) => zone === 'nord').map(refusal)
    expect(details).toEqual([['hour 25 is missing (24 of 25)'], ['quarter 96 is missing (95 of 96)']])
  })
})

describe('faults of a zone-day', () => {
  it.each([
    ['text for a number', 'n.d.', 'not_a_number', '"n.d." is not a number'],
    ['a decimal point', '101.23', 'mixed_decimal_marks', /"101.23" is not written with the decimal comma/],
    ['a point that might separate thousands', '1.234', 'mixed_decimal_marks', /"1.234"/],
  ])('include %s', async (_, text, code, detail) => {
    const { zoneDays } = await readAll(gmeXml({ day: '2026-01-14', prices: plainPriceExcept({ NORD: { 5: text } }) }))
    const { faults } = zoneDay(zoneDays, 'nord')
    expect(faults).toMatchObject([{ code, place: expect.stringMatching(/^Prezzi 5, line \d+, NORD$/) }])
    expect(faults[0]?.detail).toMatch(detail)
    expect(zoneDays.filter(({ faults }) => faults.length > 0)).toHaveLength(1)
  })

  it('include an interval with two different prices, but not one repeated identically', async () => {
    const again = (text: string) =>
      gmeRows({ day: '2026-01-14' }) +
      gmeRows({ day: '2026-01-14', count: 1, prices: plainPriceExcept({ SUD: { 1: text } }) })
    const { zoneDays } = await readAll(gmeDocument(again('99,000000')))
    expect(zoneDay(zoneDays, 'sud').faults).toMatchObject([{ code: 'duplicate_interval' }])
    expect(zoneDay(zoneDays, 'nord').faults).toEqual([])
    const same = await readAll(gmeDocument(again(plainPrice('SUD', 1) ?? '')))
    expect(same.zoneDays.flatMap(({ faults }) => faults)).toEqual([])
  })

  it('include a 24th hour on a day of 23 hours', async () => {
    const { zoneDays } = await readAll(gmeXml({ day: '2026-03-29', count: 24 }))
    expect(zoneDay(zoneDays, 'nazionale').faults).toMatchObject([
      { code: 'interval_out_of_day', detail: '2026-03-29 has 23 intervals, none numbered 24' },
    ])
  })

  it('include a non-numeric ordinal', async () => {
    const document = gmeXml({ day: '2026-01-14' }).replace('<Ora>7</Ora>', '<Ora>sette</Ora>')
    const { zoneDays } = await readAll(document)
    expect(zoneDay(zoneDays, 'nord').faults).toMatchObject([{ code: 'not_a_number', detail: 'Ora is "sette"' }])
  })

  it('do not include thousands separators before a decimal comma', async () => {
    const prices = plainPriceExcept({ NORD: { 5: '1.234,560000' } })
    const { zoneDays } = await readAll(gmeXml({ day: '2026-01-14', prices }))
    expect(zoneDay(zoneDays, 'nord').prices[4]).toBe(1234.56)
    expect(zoneDay(zoneDays, 'nord').faults).toEqual([])
  })
})

describe('an unexpected document', () => {
  it.each([
    ['no row at all', gmeDocument(''), /holds no prices/],
    ['another market', gmeXml({ day: '2026-01-14', market: 'MSD' }), /market "MSD", not of MGP/],
    [
      'conventional prices',
      gmeDocument('<PrezziConvenzionali><Data>20260114</Data></PrezziConvenzionali>'),
      /conventional prices/,
    ],
    ['gas', gmeDocument('<negoziazione_continua><PrezzoMedio>31.2</PrezzoMedio></negoziazione_continua>'), /gas/],
    ['a row of another name', gmeDocument('<Quantita><Data>20260114</Data></Quantita>'), /rows <Quantita>/],
    [
      'another granularity',
      gmeXml({ day: '2026-01-14', resolution: 15 }).replaceAll('PT15', 'PT30'),
      /"PT30" where PT15 belongs/,
    ],
    ['another XML', '<?xml version="1.0"?><!-- a note --><ListaDiAltro/>', /root <ListaDiAltro>/],
  ])('is refused and identified: %s', async (_, document, detail) => {
    const { items, faults } = await readAll(document)
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ code: 'unreadable_document' }])
    expect(faults[0]?.detail).toMatch(detail)
  })

  it('loses only a zone whose tag has changed', async () => {
    const { zoneDays } = await readAll(gmeXml({ day: '2026-01-14' }).replaceAll('NORD>', 'NOVA>'))
    expect(zoneDays.map(({ zone }) => zone)).not.toContain('nord')
    expect(zoneDays).toHaveLength(7)
  })

  it('reports an impossible date once, and does not assign its rows to another day', async () => {
    const document = gmeXml({ day: '2026-02-28' }).replaceAll('20260228', '20260230')
    const { items, faults } = await readAll(document)
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ code: 'impossible_date', detail: '"20260230" is not a day of the calendar' }])
  })
})

describe('a truncated document', () => {
  const twoDays = gmeXml({ day: '2026-01-14' }, { day: '2026-01-15' })

  it('keeps its last day if only the closing tag is missing', async () => {
    const { zoneDays, faults } = await readAll(twoDays.replace('</NewDataSet>', ''))
    expect(zoneDays).toHaveLength(16)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(/cut off/) }])
  })
})

describe('XML attacks', () => {
  const laughs = `<!DOCTYPE NewDataSet [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`

  it.each([
    ['a document type', '<!DOCTYPE NewDataSet SYSTEM "prices.dtd">', /DOCTYPE/],
    ['billion laughs', laughs, /DOCTYPE/],
    ['an external entity', '<!DOCTYPE NewDataSet [<!ENTITY x SYSTEM "file:///etc/hostname">]>', /DOCTYPE/],
    ['a document type behind a long comment', `<!-- ${'x'.repeat(70_000)} --><!DOCTYPE NewDataSet []>`, /DOCTYPE/],
  ])('are refused without expansion of entities: %s', async (_, prolog, detail) => {
    const document = gmeXml({ day: '2026-01-14' }).replace('<NewDataSet>', `${prolog}<NewDataSet>`)
    const { items, faults } = await readAll(document)
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(detail) }])
  })

  it('include an undefined entity', async () => {
    const { zoneDays, faults } = await readAll(
      gmeXml({ day: '2026-01-14', prices: plainPriceExcept({ PUN: { 2: '&price;' } }) }),
    )
    expect(zoneDays).toEqual([])
    expect(faults[0]?.detail).toMatch(/undefined entity/)
  })

  it.each([
    ['endless text', `<Prezzi><Data>${'2'.repeat(3 * 1024 * 1024)}`, /1024 KiB without a tag/],
    ['endless nesting', '<a>'.repeat(1_000), /nests more than/],
    ['endless cells', `<Prezzi>${Array.from({ length: 1_000 }, (_, n) => `<c${n}>1</c${n}>`).join('')}`, /200 cells/],
  ])('are refused at a limit: %s', async (_, rows, detail) => {
    const { faults } = await readAll(gmeDocument(rows))
    expect(faults[0]?.detail).toMatch(detail)
  })
})

function zoneDay(zoneDays: ZoneDay[], zone: ZoneDay['zone']): ZoneDay {
  const found = zoneDays.find((item) => item.zone === zone)
  if (!found) throw new Error(`no zone-day of ${zone}`)
  return found
}

function refusal(zoneDay: ZoneDay): string[] {
  const verdict = gateZoneDay(zoneDay, LIMITS)
  return verdict.accepted ? [] : verdict.faults.map(({ detail }) => detail)
}

function rowsOf(day: string): string[] {
  return gmeRows({ day }).split(/(?<=<\/Prezzi>\r\n)/)
}
