import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { READ_LIMITS } from '../../../src/ingest/archives.ts'
import type { DailyPrice } from '../../../src/publishers/observations.ts'
import { dayOfSerial, readWorkbook } from '../../../src/publishers/reading/workbook.ts'
import { readAll } from '../../support/parsed-documents.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'
import { zipArchive } from '../../support/zip-archive.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/sources/eex-eua')
const fixture = (file: string) => readFileSync(path.join(FIXTURES, file))

describe('the day of a date cell', () => {
  it.each([
    [46036, '2026-01-14'],
    [46036.4589, '2026-01-14'],
    [40911, '2012-01-03'],
    [0.4589, undefined],
    [1e9, undefined],
    [-1, undefined],
  ])('%d is %s', (serial, day) => {
    expect(dayOfSerial(serial)?.toString()).toBe(day)
  })
})

describe('a report of auctions', () => {
  it('reports the missing column, or the sheets of an unrelated workbook', async () => {
    const changed = await readAll(fixture('changed-column/response.xlsx'))
    expect(changed.faults).toMatchObject([{ place: 'row 6', detail: expect.stringMatching(/auction volume tco2/) }])
    const other = await readAll(fixture('other-workbook/response.xlsx'))
    expect(other.faults).toMatchObject([{ detail: expect.stringMatching(/sheets "Legenda"/) }])
  })
})

describe('the limits of a workbook', () => {
  const entry = (name: string, content: string | Buffer = '<a/>') => ({ name, content })
  const CONTENT_TYPES = entry('[Content_Types].xml', '<Types/>')

  const WORKBOOKS = ['plain-year/response.xlsx', 'plain-year-xls/response.xls']

  it.each(WORKBOOKS)('apply to the size of %s', async (file) => {
    const limits = { ...READ_LIMITS, workbookBytes: 1_000 }
    const { faults } = await readAll(fixture(file), { limits })
    expect(faults).toMatchObject([{ detail: expect.stringMatching(/a workbook may have 1000 bytes/) }])
  })

  it.each([
    ['its parts together', { workbookBytes: 40_000 }, 'x'.repeat(30_000), /too large when decompressed/],
    ['the ratio of a bomb', {}, Buffer.alloc(4 * 1024 * 1024), /200 times its compressed size/],
  ])('apply to %s, before it is read', async (_, limits, content, detail) => {
    const parts = [entry('xl/workbook.xml', content), entry('xl/worksheets/sheet1.xml', content)]
    const archive = zipArchive([CONTENT_TYPES, ...parts])
    const { items, faults } = await readAll(archive, { limits: { ...READ_LIMITS, ...limits } })
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ detail: expect.stringMatching(detail) }])
  })

  it('apply to the time of reading, which may never end for a damaged file', async () => {
    const damaged = fixture('plain-year-xls/response.xls')
    damaged[4621] = 172 // found by fuzzing
    await expect(readWorkbook(damaged, 1_000)).rejects.toThrow(/reading it does not end/)
  })

  it.each(WORKBOOKS)('exclude %s inside an archive', async (file) => {
    const { faults } = await readAll(zipArchive([entry('a', fixture(file))]))
    expect(faults).toMatchObject([{ detail: expect.stringMatching(/inside an archive, which is not opened/) }])
  })

  it.each([
    ['a part with a wrong checksum', { ...entry('xl/workbook.xml'), claimedChecksum: 1 }, /checksum/],
    ['a text document of the same office suite', entry('word/document.xml'), /office document/],
  ])('exclude %s', async (_, part, detail) => {
    const { faults } = await readAll(zipArchive([CONTENT_TYPES, part]))
    expect(faults).toMatchObject([{ detail: expect.stringMatching(detail) }])
  })
})

const HISTORY = sharedData('co2/eex_eua_primary_auctions_2012_2022.csv')

describe.skipIf(!HISTORY || !sharedData('raw/eex'))(needsSharedData('the real reports'), () => {
  it.each([
    ['2012', 'xls'],
    ['2019', 'xls'],
    ['2020', 'xlsx'],
    ['2021', 'xlsx'],
    ['2022', 'xlsx'],
  ])('of %s (%s) have the prices of the history on every day', async (year, format) => {
    const file = sharedData(`raw/eex/emission-spot-primary-market-auction-report-${year}-data.${format}`)
    const report = await readAll(readFileSync(file ?? ''))
    const history = await readAll(readFileSync(HISTORY ?? ''))
    expect(report.faults).toEqual([])
    expect(byDay(report.dailyPrices)).toEqual(byDay(history.dailyPrices).filter(([day]) => day.startsWith(year)))
  })
})

function byDay(prices: DailyPrice[]): [string, number | undefined][] {
  return prices
    .map(({ day, price, faults }): [string, number | undefined] => [String(day), faults.length > 0 ? undefined : price])
    .sort(([a], [b]) => a.localeCompare(b))
}
