import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { READ_LIMITS } from '../../../src/ingest/archives.ts'
import type { DailyPrice } from '../../../src/publishers/observations.ts'
import { dayOfSerial, readWorkbook } from '../../../src/publishers/reading/workbook.ts'
import { readAll } from '../../support/parsed-documents.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'
import { zipArchive } from '../../support/zip-archive.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/sources/eex-eua')

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
    const changed = await readAll(await readFile(path.join(FIXTURES, 'changed-column/response.xlsx')))
    expect(changed.faults).toMatchObject([{ place: 'row 6', detail: expect.stringMatching(/auction volume tco2/) }])
    const other = await readAll(await readFile(path.join(FIXTURES, 'other-workbook/response.xlsx')))
    expect(other.faults).toMatchObject([{ detail: expect.stringMatching(/sheets "Legenda"/) }])
  })
})

describe('the limits of a workbook', () => {
  const CONTENT_TYPES = { name: '[Content_Types].xml', content: '<Types/>' }

  it.each(['plain-year/response.xlsx', 'plain-year-xls/response.xls'])('apply to the size of %s', async (file) => {
    const limits = { ...READ_LIMITS, workbookBytes: 1_000 }
    const { faults } = await readAll(await readFile(path.join(FIXTURES, file)), { limits })
    expect(faults).toMatchObject([{ detail: expect.stringMatching(/a workbook may have 1000 bytes/) }])
  })

  it.each([
    ['its parts together', { workbookBytes: 40_000 }, 'x'.repeat(30_000), /too large when decompressed/],
    ['the ratio of a bomb', {}, Buffer.alloc(4 * 1024 * 1024), /200 times its compressed size/],
  ])('apply to %s, before it is read', async (_, limits, content, detail) => {
    const archive = zipArchive([
      CONTENT_TYPES,
      { name: 'xl/workbook.xml', content },
      { name: 'xl/worksheets/sheet1.xml', content },
    ])
    const { items, faults } = await readAll(archive, { limits: { ...READ_LIMITS, ...limits } })
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ detail: expect.stringMatching(detail) }])
  })

  it('apply to the time of reading, which may never end for a damaged file', async () => {
    const damaged = await readFile(path.join(FIXTURES, 'plain-year-xls/response.xls'))
    damaged[4621] = 172 // found by fuzzing
    await expect(readWorkbook(damaged, 1_000)).rejects.toThrow(/reading it does not end/)
  })

  it('exclude a part with a wrong checksum', async () => {
    const archive = zipArchive([CONTENT_TYPES, { name: 'xl/workbook.xml', content: '<a/>', claimedChecksum: 1 }])
    expect((await readAll(archive)).faults).toMatchObject([{ detail: expect.stringMatching(/checksum/) }])
  })

  it('exclude a workbook inside an archive', async () => {
    for (const file of ['plain-year/response.xlsx', 'plain-year-xls/response.xls']) {
      const content = await readFile(path.join(FIXTURES, file))
      const { faults } = await readAll(zipArchive([{ name: 'a', content }]))
      expect(faults).toMatchObject([{ detail: expect.stringMatching(/inside an archive, which is not opened/) }])
    }
  })

  it('exclude a text document of the same office suite', async () => {
    const archive = zipArchive([CONTENT_TYPES, { name: 'word/document.xml', content: '<a/>' }])
    expect((await readAll(archive)).faults).toMatchObject([{ detail: expect.stringMatching(/office document/) }])
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
    const report = await readAll(await readFile(file ?? ''))
    const history = await readAll(await readFile(HISTORY ?? ''))
    expect(report.faults).toEqual([])
    expect(byDay(report.dailyPrices)).toEqual(byDay(history.dailyPrices).filter(([day]) => day.startsWith(year)))
  })
})

function byDay(prices: DailyPrice[]): [string, number | undefined][] {
  return prices
    .map(({ day, price, faults }): [string, number | undefined] => [String(day), faults.length > 0 ? undefined : price])
    .sort(([a], [b]) => a.localeCompare(b))
}
