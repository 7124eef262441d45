/** The page on bulk exports: every column as it is in the files, and recipes that run. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BULK_DATASETS } from '../../src/api/contract/bulk.ts'
import type { Column } from '../../src/delivery/bulk/column.ts'
import { DATASETS } from '../../src/delivery/bulk/datasets/index.ts'
import { exportDataset } from '../../src/delivery/bulk/export-dataset.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { duckRows } from '../support/duck-db.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

const FOLDER = new URL('../../src/web/docs/', import.meta.url)
const PAGE = await readFile(new URL('bulk.md', FOLDER), 'utf8')
const ITALIAN = await readFile(new URL('it/bulk.md', FOLDER), 'utf8')
const TYPES = { text: 'text', date: 'date', instant: 'timestamp, UTC', integer: 'int32', number: 'double' }
const ITALIAN_TYPES = { ...TYPES, text: 'testo', date: 'data', instant: 'istante, UTC' }

describe.each(BULK_DATASETS)('the section on %s', (name) => {
  const { columns, sortedBy } = DATASETS[name]
  const order = `${sortedBy.map((column) => `\`${column}\``).join(', ')}.`

  it('has every column, in order, with its type and meaning', () => {
    const { text, rows } = sectionOf(PAGE, name)
    expect(rows).toEqual(columns.map(rowOf))
    expect(text).toContain(`Sorted by ${order}`)
  })

  it('has the same columns in Italian', () => {
    const { text, rows } = sectionOf(ITALIAN, name)
    const starts = columns.map(
      ({ name, type, nullable }) => `| \`${name}\` | ${ITALIAN_TYPES[type]}${nullable ? ', può mancare' : ''} | `,
    )
    expect(rows.map((row, i) => row.slice(0, starts[i]?.length))).toEqual(starts)
    expect(text).toContain(`Ordinato per ${order}`)
  })
})

function sectionOf(page: string, name: string): { text: string; rows: string[] } {
  const section = page.split(`## ${name}\n`)[1]?.split('\n## ')[0] ?? ''
  return { text: section.replaceAll('\n', ' '), rows: section.split('\n').filter((line) => line.startsWith('| `')) }
}

function rowOf({ name, type, nullable, meaning }: Column): string {
  return `| \`${name}\` | ${TYPES[type]}${nullable ? ', may be missing' : ''} | ${meaning} |`
}

describe('the recipes for DuckDB', () => {
  const recipes = [...PAGE.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql)
  let db: TestDatabase
  let folder: string
  beforeAll(async () => {
    db = await testDatabase()
    const { sql } = db.database
    const prices = [zoneDay('nazionale', '2026-10-25', 15, (n) => n / 4), dailyPrice('TTF', '2026-10-25', 31.5)]
    await storePrices(sql, prices, { source: 'sample' })
    await refreshAggregates(sql)
    folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-test-'))
    const make = (dataset: 'pun-hourly' | 'prices-daily', format: 'parquet' | 'csv.gz') =>
      exportDataset(sql, {
        dataset: DATASETS[dataset],
        format,
        file: path.join(folder, `${dataset}.${format}`),
        isServer: false,
      })
    await make('pun-hourly', 'parquet')
    await make('prices-daily', 'csv.gz')
  })
  afterAll(async () => {
    await db.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('run, with 25 hours on the October change day', async () => {
    const [hours, months, daily, about] = await Promise.all(
      recipes.map((sql) => duckRows(sql.replaceAll(/'([\w-]+\.(?:parquet|csv\.gz))'/g, `'${folder}/$1'`))),
    )
    expect(hours).toHaveLength(25)
    expect(hours?.[0]).toEqual({ hour: '2026-10-24 22:00:00+00', eur_mwh: 0.625 })
    expect(months).toEqual([{ zone: 'nazionale', month: '2026-10-01', eur_mwh: 12.625 }])
    expect(daily).toEqual([
      { asset: 'PUN', date: '2026-10-25', value_native: 12.625 },
      { asset: 'TTF', date: '2026-10-25', value_native: 31.5 },
    ])
    expect(JSON.parse(String(about?.[0]?.about))).toMatchObject({ dataset: 'pun-hourly', schema_version: 1 })
  })
})
