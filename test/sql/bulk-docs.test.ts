/** The recipes on the page about bulk exports run. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATASETS } from '../../src/delivery/bulk/datasets/index.ts'
import { makeFiles } from '../../src/delivery/bulk/make-files.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { duckRows } from '../support/duck-db.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'

const PAGE = await readFile(new URL('../../src/web/docs/bulk.md', import.meta.url), 'utf8')

describe('the DuckDB recipes', () => {
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
      makeFiles(sql, {
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

  it('run and return 25 hours on the October change day', async () => {
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
