/** The source assigned to an imported document's prices, and the result of several publishers' files together. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ImportOptions, importFiles } from '../../src/ingest/import-files.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { databaseOfFile } from '../support/database.ts'
import { linesOf } from '../support/lines.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

const FIXTURES = path.join(import.meta.dirname, '../fixtures/sources')

const folder = await scratchFolderOfFile()
const db = await databaseOfFile()
const { sql } = db.database

const load = (cases: string[], options: Partial<ImportOptions> = {}) =>
  importFiles({
    database: db.database,
    clock: makeClock(),
    paths: cases.map((name) => path.join(FIXTURES, name)),
    ...options,
  })

const sourcesOf = async (zone: string, day: string) =>
  linesOf(
    await sql`
    select source, count(*) from price_intervals where zone = ${zone} and market_day = ${day}::date group by source`,
  )

describe('zone prices of the second source', () => {
  it('are attributed to it without --source', async () => {
    expect(await load(['entsoe/23-hours/response.xml'])).toMatchObject({ stored: 23, refused: [] })
    expect(await sourcesOf('nord', '2026-03-29')).toEqual(['entsoe 23'])
  })

  it('are replaced by those of the market operator, and not the reverse', async () => {
    await load(['gme-mgp/23-hours/response.xml'])
    expect(await sourcesOf('nord', '2026-03-29')).toEqual(['gme-mgp 23'])
    expect(await load(['entsoe/23-hours/response.xml'])).toMatchObject({ stored: 0, corrected: 0, outranked: 23 })
    expect(await sourcesOf('nord', '2026-03-29')).toEqual(['gme-mgp 23'])
  })

  it('are attributed to the publisher that the caller names', async () => {
    await load(['entsoe/25-hours/response.xml'], { source: 'gme-mgp' })
    expect(await sourcesOf('nord', '2026-10-25')).toEqual(['gme-mgp 25'])
  })

  it('are not attributed to a publisher that does not publish them', async () => {
    const { skipped, ...read } = await load(['gme-mgp/25-hours/response.xml'], { source: 'eex-ttf' })
    expect(skipped.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^has prices of \w+, which eex-ttf does not publish$/),
    ])
    expect(read).toMatchObject({ stored: 0, corrected: 0 })
    expect(await sourcesOf('nord', '2026-10-25')).toEqual(['gme-mgp 25'])
  })

  it('that are not published yet are quarantined as a response of that source', async () => {
    const { refused } = await load(['entsoe/no-matching-data/response.xml'])
    expect(refused).toMatchObject([{ faults: [{ detail: expect.stringMatching(/has not published/) }] }])
    expect(await sql`select distinct source from quarantined_days`).toEqual([{ source: 'entsoe' }])
  })
})

it('a truncated CSV of unknown origin is not attributed to a publisher', async () => {
  await writeFile(path.join(folder, 'a.csv'), 'date,psv\n2026-01-15,"31')
  const { documents, refused, unattributed } = await load([], { paths: [folder] })
  expect({ documents, refused }).toEqual({ documents: 1, refused: [] })
  expect(unattributed).toMatchObject([{ document: 'a.csv', faults: [{ code: 'unreadable_document' }] }])
})

describe('daily prices', () => {
  it("are stored under each publisher's name", async () => {
    const cases = [
      'gme-mgas/plain-session/response.xml',
      'eia-brent/plain-days/response.json',
      'eex-ttf/ngp/response.csv',
      'eex-eua/plain-year/response.xlsx',
    ]
    expect(await load(cases)).toMatchObject({ documents: 4, refused: [] })
    const rows = await sql`select asset, source, count(*) from daily_prices group by asset, source order by asset`
    expect(linesOf(rows)).toEqual(['Brent eia-brent 3', 'CO2 eex-eua 3', 'PSV gme-mgas 1', 'TTF eex-ttf 1'])
  })

  it('change nothing when imported twice', async () => {
    const cases = ['gme-mgas/plain-session/response.xml', 'eex-eua/plain-year-xls/response.xls']
    expect(await load(cases)).toMatchObject({ stored: 0, corrected: 0, unchanged: 4 })
  })
})
