/** The extent of each index and its latest observation: in the same form for every index, whatever its age. */
import { expect, it } from 'vitest'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const service = await serviceOfFile({ now: '2026-03-28T12:30:00Z' })
await service.seed([
  zoneDay('nazionale', '2026-03-28', 60, () => 100),
  zoneDay('nazionale', '2026-03-29', 60, () => 90), // 23 hours, published at noon on the day before
  dailyPrice('TTF', '2024-12-30', 40),
  dailyPrice('TTF', '2024-12-31', 41),
  dailyPrice('PSV', '2026-03-27', 35),
])

it.each([
  ['PUN', '2026-03-29', -1, 90],
  ['PSV', '2026-03-27', 1, 35],
  ['TTF', '2024-12-31', 452, 41],
])('the latest price of %s is that of %s, %i days old, without a key', async (asset, date, age, price) => {
  const answer = await service.ask(`/v1/prices/${asset}/latest`)
  expect(answer.json()).toMatchObject({ asset, date, age_days: age, value_native: price })
})

it('GET /v1/prices/{asset}/latest returns 503 without prices and 400 for an unknown index', async () => {
  expect((await service.ask('/v1/prices/co2/latest')).status).toBe(503)
  expect((await service.ask('/v1/prices/wti/latest')).status).toBe(400)
})

it('/prices lists every index with its first and last day', async () => {
  const { count, assets } = (await service.ask('/v1/prices')).json() as unknown as { count: number; assets: object[] }
  expect(count).toBe(5)
  expect(assets).toMatchObject([
    { asset: 'PUN', unit: '€/kWh', unit_native: '€/MWh', from: '2026-03-28', to: '2026-03-29' },
    { asset: 'PSV', from: '2026-03-27', to: '2026-03-27' },
    { asset: 'TTF', from: '2024-12-30', to: '2024-12-31', latest: '/v1/prices/ttf/latest' },
    { asset: 'Brent', unit: '$/bbl' },
    { asset: 'CO2' },
  ])
  expect(assets.at(-1)).not.toHaveProperty('from')
})

it('/bulk lists every dataset with its formats, without a key', async () => {
  const { datasets } = (await service.ask('/v1/bulk')).json() as unknown as { datasets: object[] }
  expect(datasets).toHaveLength(10)
  expect(datasets).toContainEqual(
    expect.objectContaining({
      dataset: 'prices-daily',
      formats: ['parquet', 'csv.gz', 'arrow'],
      parts: expect.arrayContaining(['PUN']),
    }),
  )
})
