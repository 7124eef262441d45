/** The datasets as open data: Data Packages checked by the published schemas, `Dataset` of schema.org by its published types. */
import { createRequire } from 'node:module'
import type { Dataset } from 'schema-dts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BULK_DATASETS } from '../../../src/api/contract/bulk.ts'
import { schemaOrgDataset } from '../../../src/api/endpoints/bulk/schema-org.ts'
import { DATASETS } from '../../../src/delivery/bulk/datasets/index.ts'
import { dataPackage } from '../../../src/delivery/lake/data-package.ts'
import { lakeListing } from '../../../src/store/lake-files.ts'
import { getPage } from '../../support/pages.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const { validate } = createRequire(import.meta.url)('datapackage') as {
  validate(descriptor: object): Promise<{ valid: boolean; errors: Error[] }>
}

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: '2026-11-21T03:40:00Z' })
  await service.sql`update sources set redistributable = true`
  await service.seed([zoneDay('nord', '2026-03-29', 15, (n) => n), zoneDay('nazionale', '2026-10-25', 15, (n) => n)])
  await service.seed([dailyPrice('TTF', '2026-11-20', 31)])
  for (const dataset of ['pun-hourly', 'prices-daily'] as const) await service.publishTable(dataset)
})
afterAll(() => service.stop())

describe.each(['pun-hourly', 'prices-daily'] as const)('the Data Package of %s', (name) => {
  const packaged = async () => {
    const listing = await lakeListing(service.sql, name, {})
    if (listing === undefined) throw new Error('there is no table')
    return { listing, described: dataPackage(DATASETS[name], listing.snapshot, listing.files) }
  }

  it('is valid, and would not be without its files', async () => {
    const { described } = await packaged()
    expect((await validate(described)).errors).toEqual([])
    expect((await validate({ ...described, resources: [] })).valid).toBe(false)
  })

  it('has every file with its hash, and every publisher with its terms', async () => {
    const { listing, described } = await packaged()
    expect(described.resources.map(({ path, hash, bytes }) => ({ path, hash, bytes }))).toEqual(
      listing.files.map(({ name, sha256, bytes }) => ({ path: `data/${name}`, hash: `sha256:${sha256}`, bytes })),
    )
    expect(described.licenses?.map(({ title }) => title.length > 0)).toEqual(described.sources?.map(() => true))
    expect(described.sources?.length).toBeGreaterThan(0)
  })
})

it.each(BULK_DATASETS)('%s is a Dataset of schema.org', (name) => {
  // The compiler checks it against the vocabulary.
  const described: Dataset = schemaOrgDataset(name, new URL('https://energy.example/'))
  expect(described).toMatchObject({ '@type': 'Dataset', identifier: name, isAccessibleForFree: false })
  // What Google's search of datasets asks for: https://developers.google.com/search/docs/appearance/structured-data/dataset
  const { description } = schemaOrgDataset(name, new URL('https://energy.example/'))
  expect(description.length).toBeGreaterThanOrEqual(50)
  expect(description.length).toBeLessThan(5_000)
})

it.each(['/docs/bulk', '/it/docs/bulk'])('%s has the datasets as JSON-LD, other documents have none', async (path) => {
  const { html } = await getPage(service.baseUrl, path)
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? []
  const { '@graph': graph } = JSON.parse(json) as { '@graph': { identifier: string; creditText: string }[] }
  expect(graph.map(({ identifier }) => identifier)).toEqual([...BULK_DATASETS])
  expect(graph[0]?.creditText).toContain('Gestore dei Mercati Energetici')
  expect((await getPage(service.baseUrl, path.replace('bulk', 'lake'))).html).not.toContain('ld+json')
})
