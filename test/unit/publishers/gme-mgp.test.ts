import { describe, expect, it } from 'vitest'
import type { ZoneDay } from '../../../src/publishers/observations.ts'
import { gmeDocument, gmeRows, gmeXml, plainPrice, plainPriceExcept, plainValue } from '../../support/gme-documents.ts'
import { namesOf, readAll } from '../../support/parsed-documents.ts'

describe('a plain document', () => {
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
  it('is undefined and not 0, whether the tag is empty, the tag or the whole row missing', async () => {
    const prices = plainPriceExcept({ PUN: { 3: '' }, NORD: { 4: undefined } })
    const { zoneDays } = await readAll(gmeXml({ day: '2026-10-25', count: 24, prices }))
    expect(missingIn(zoneDay(zoneDays, 'nazionale'))).toEqual([3, 25])
    expect(missingIn(zoneDay(zoneDays, 'nord'))).toEqual([4, 25])
    expect(missingIn(zoneDay(zoneDays, 'sud'))).toEqual([25])
  })

  it('yields no zone-day if the zone has no prices at all, such as Calabria before 2021', async () => {
    const { zoneDays } = await readAll(
      gmeXml({ day: '2020-06-01', prices: (tag, ordinal) => (tag === 'CALA' ? '' : plainPrice(tag, ordinal)) }),
    )
    expect(zoneDays.map(({ zone }) => zone)).not.toContain('cala')
    expect(zoneDays).toHaveLength(7)
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

  it('keeps its last day if only the closing tag is missing', async () => {
    const twoDays = gmeXml({ day: '2026-01-14' }, { day: '2026-01-15' })
    const { zoneDays, faults } = await readAll(twoDays.replace('</NewDataSet>', ''))
    expect(zoneDays).toHaveLength(16)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(/cut off/) }])
  })
})

describe('XML attacks', () => {
  const day = gmeXml({ day: '2026-01-14' })
  const behind = (prolog: string) => day.replace('<NewDataSet>', `${prolog}<NewDataSet>`)
  const laughs = `<!DOCTYPE NewDataSet [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`
  const cells = Array.from({ length: 1_000 }, (_, n) => `<c${n}>1</c${n}>`)

  it.each([
    ['a document type', behind('<!DOCTYPE NewDataSet SYSTEM "prices.dtd">'), /DOCTYPE/],
    ['billion laughs', behind(laughs), /DOCTYPE/],
    ['an external entity', behind('<!DOCTYPE NewDataSet [<!ENTITY x SYSTEM "file:///etc/hostname">]>'), /DOCTYPE/],
    ['a document type behind a comment', behind(`<!-- ${'x'.repeat(70_000)} --><!DOCTYPE NewDataSet []>`), /DOCTYPE/],
    ['an undefined entity', day.replace('<PUN>', '<PUN>&price;'), /undefined entity/],
    ['endless text', gmeDocument(`<Prezzi><Data>${'2'.repeat(3 * 1024 * 1024)}`), /1024 KiB without a tag/],
    ['endless nesting', gmeDocument('<a>'.repeat(1_000)), /nests more than/],
    ['endless cells', gmeDocument(`<Prezzi>${cells.join('')}`), /200 cells/],
  ])('are refused without expansion of entities: %s', async (_, document, detail) => {
    const { items, faults } = await readAll(document)
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(detail) }])
  })
})

function zoneDay(zoneDays: ZoneDay[], zone: ZoneDay['zone']): ZoneDay {
  const found = zoneDays.find((item) => item.zone === zone)
  if (!found) throw new Error(`no zone-day of ${zone}`)
  return found
}

/** Numbers of the intervals without a price. */
function missingIn({ prices }: ZoneDay): number[] {
  return prices.flatMap((price, index) => (price === undefined ? [index + 1] : []))
}

function rowsOf(day: string): string[] {
  return gmeRows({ day }).split(/(?<=<\/Prezzi>\r\n)/)
}
