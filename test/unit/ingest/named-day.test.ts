import { describe, expect, it } from 'vitest'
import { dayInFileName } from '../../../src/ingest/read-documents.ts'
import { gmeXml } from '../../support/gme-documents.ts'
import { readAll } from '../../support/parsed-documents.ts'

describe('dayInFileName', () => {
  it.each([
    ['20260114MGPPrezzi.xml', '2026-01-14'],
    ['archive.zip!20260114MGPPrezzi15.xml', '2026-01-14'],
    ['archive.zip!2026/20260114MGPPrezzi.xml', '2026-01-14'],
    ['/20260115/20260114MGPPrezzi.xml', '2026-01-14'],
    ['20260230MGPPrezzi.xml', undefined],
    ['2026011401.xml', undefined],
    ['prices-20260114.xml', undefined],
    ['prices.xml', undefined],
  ])('reads %s as %s', (name, expected) => {
    expect(dayInFileName(name)?.toString()).toBe(expected)
  })
})

describe('a document of one day', () => {
  const whole = gmeXml({ day: '2026-01-15' })

  it.each([
    ['refused', whole, 0],
    ['refused even if it is truncated', whole.replace('</NewDataSet>', ''), 1],
  ])('is %s if its name states another day, and the fault names both', async (_, document, count) => {
    const { zoneDays, faults } = await readAll(document, { name: '20260114MGPPrezzi.xml' })
    const detail = 'holds 2026-01-15, but its name says 2026-01-14'
    expect(zoneDays.map((one) => one.faults)).toEqual(Array(8).fill([{ code: 'wrong_day', place: 'document', detail }]))
    expect(faults).toHaveLength(count)
  })

  it.each(['20260115MGPPrezzi.xml', 'prices.xml'])('is accepted under the name %s', async (name) => {
    const { zoneDays } = await readAll(whole, { name })
    expect(zoneDays.flatMap(({ faults }) => faults)).toEqual([])
  })
})

it('a document of several days may have any day in its name', async () => {
  const document = gmeXml({ day: '2026-01-14' }, { day: '2026-01-15' }, { day: '2026-01-16' })
  const { zoneDays } = await readAll(document, { name: '20260101MGPPrezzi.xml' })
  expect(zoneDays).toHaveLength(24)
  expect(zoneDays.flatMap(({ faults }) => faults)).toEqual([])
})
