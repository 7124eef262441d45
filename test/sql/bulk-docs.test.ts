/** The recipes on the page about bulk exports run. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { DATASETS } from '../../src/delivery/bulk/datasets/index.ts'
import { makeFiles } from '../../src/delivery/bulk/make-files.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { databaseOfFile } from '../support/database.ts'
import { duckRows } from '../support/duck-db.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

const PAGE = await readFile(new URL('../../src/web/docs/bulk.md', import.meta.url), 'utf8')
const { sql } = (await databaseOfFile()).database
const folder = await scratchFolderOfFile()

async function make(dataset: 'pun-hourly' | 'prices-daily', format: 'parquet' | 'csv.gz'): Promise<void> {
  const file = path.join(folder, `${dataset}.${format}`)
  await makeFiles(sql, { dataset: DATASETS[dataset], format, file, isServer: false })
}

it('the DuckDB recipes run and return 25 hours on the October change day', async () => {
  const prices = [zoneDay('nazionale', '2026-10-25', 15, (n) => n / 4), dailyPrice('TTF', '2026-10-25', 31.5)]
  await storePrices(sql, prices, { source: 'sample' })
  await refreshAggregates(sql)
  await make('pun-hourly', 'parquet')
  await make('prices-daily', 'csv.gz')
  const recipes = [...PAGE.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, recipe = '']) => recipe)
  const [hours, months, daily, about] = await Promise.all(
    recipes.map((recipe) => duckRows(recipe.replaceAll(/'([\w-]+\.(?:parquet|csv\.gz))'/g, `'${folder}/$1'`))),
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
