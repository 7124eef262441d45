/** The datasets as open data: Data Packages checked against the published schemas, schema.org `Dataset` against its published types. */
import { createRequire } from 'node:module'
import type { Dataset } from 'schema-dts'
import { describe, expect, it } from 'vitest'
import { BULK_DATASETS } from '../../../src/api/contract/bulk.ts'
import { EXAMPLE_TABLE } from '../../../src/api/endpoints/bulk/files.ts'
import { schemaOrgDataset } from '../../../src/api/endpoints/bulk/schema-org.ts'
import { DATASETS } from '../../../src/delivery/bulk/datasets/index.ts'
import { dataPackage } from '../../../src/delivery/lake/data-package.ts'
import { lakeListing } from '../../../src/store/lake-files.ts'
import { getPage } from '../../support/pages.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const { validate } = createRequire(import.meta.url)('datapackage') as {
  validate(descriptor: object): Promise<{ valid: boolean; errors: Error[] }>
}

const service = await serviceOfFile({ now: '2026-11-21T03:40:00Z' })
await service.sql`update sources set redistributable = true`
await service.seed([zoneDay('nord', '2026-03-29', 15, (n) => n), zoneDay('nazionale', '2026-10-25', 15, (n) => n)])
await service.seed([dailyPrice('TTF', '2026-11-20', 31)])
await service.seed([dailyPrice('TTF', '2026-11-20', 32), zoneDay('nord', '2026-03-29', 15, (n) => n + 1)])
for (const dataset of ['pun-hourly', 'prices-daily', 'corrections'] as const) await service.publishIcebergTable(dataset)

interface Packaged {
  resources: { path: string; hash: string; bytes: number; schema: unknown }[]
  licenses: { title: string }[]
  sources: object[]
}

describe.each(['pun-hourly', 'prices-daily', 'corrections'] as const)('the Data Package of %s', (name) => {
  const answered = async () => {
    const headers = await service.asPlan('Enterprise')
    return (await service.ask(`/v1/bulk/${name}/datapackage.json`, { headers })).json() as unknown as Packaged
  }

  it('passes validation, which fails without its files', async () => {
    const described = await answered()
    expect((await validate(described)).errors).toEqual([])
    expect((await validate({ ...described, resources: [] })).valid).toBe(false)
  })

  it('lists every file with its hash and every publisher with its terms', async () => {
    const expected = (await lakeListing(service.sql, name, {}))?.files.map(({ sha256, bytes }) => ({
      hash: `sha256:${sha256}`,
      bytes,
    }))
    const { resources, licenses, sources } = await answered()
    expect(resources.map(({ hash, bytes }) => ({ hash, bytes }))).toEqual(expected)
    expect(licenses.map(({ title }) => title.length > 0)).toEqual(sources.map(() => true))
    expect(sources.length).toBeGreaterThan(0)
  })

  it('has paths that download the files', async () => {
    for (const { path: url, bytes } of (await answered()).resources)
      expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(bytes)
  })
})

it('the Data Package of sample data links to their page by absolute URL', () => {
  const files = EXAMPLE_TABLE.files.map((file) => ({ ...file, sourceIds: ['sample'] }))
  const described = dataPackage(DATASETS['pun-hourly'], { ...EXAMPLE_TABLE, files }, new URL('https://energy.example'))
  const path = 'https://energy.example/docs/sample-data'
  expect(described).toMatchObject({ sources: [{ path }], licenses: [{ path }] })
})

it('the Data Package returns 503 without files and 400 for an unknown dataset', async () => {
  const headers = await service.asPlan('Enterprise')
  const ask = async (dataset: string) => (await service.ask(`/v1/bulk/${dataset}/datapackage.json`, { headers })).status
  expect([await ask('fundamentals'), await ask('gas')]).toEqual([503, 400])
})

it.each(BULK_DATASETS)('%s is described as a schema.org Dataset', (name) => {
  // Checked against the vocabulary by the compiler.
  const described: Dataset = schemaOrgDataset(name, new URL('https://energy.example/'))
  expect(described).toMatchObject({ '@type': 'Dataset', identifier: name, isAccessibleForFree: false })
  // Requirements of Google Dataset Search: https://developers.google.com/search/docs/appearance/structured-data/dataset
  const { description } = schemaOrgDataset(name, new URL('https://energy.example/'))
  expect(description.length).toBeGreaterThanOrEqual(50)
  expect(description.length).toBeLessThan(5_000)
})

it('a schema.org Dataset credits the publishers of its values only', () => {
  const creditOf = (name: (typeof BULK_DATASETS)[number]) =>
    schemaOrgDataset(name, new URL('https://energy.example/')).creditText
  expect(creditOf('mercato-libero')).toBe('Portale Offerte (ARERA, Acquirente Unico S.p.A.); Italian Energy Prices')
  expect(creditOf('fundamentals')).toBe('ENTSO-E Transparency Platform; Open-Meteo; Italian Energy Prices')
})

it.each(['/docs/bulk', '/it/docs/bulk'])('%s embeds the datasets as JSON-LD; other documents do not', async (path) => {
  const { html } = await getPage(service.baseUrl, path)
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? []
  const { '@graph': graph } = JSON.parse(json) as {
    '@graph': { identifier: string; creditText: string; license: { url: string }[] }[]
  }
  expect(graph.map(({ identifier }) => identifier)).toEqual([...BULK_DATASETS])
  expect(graph[0]?.creditText).toContain('Gestore dei Mercati Energetici')
  const [terms] = graph.flatMap(({ license }) => license.map(({ url }) => url))
  expect((await fetch(terms as string)).status).toBe(200)
  expect((await getPage(service.baseUrl, path.replace('bulk', 'lake'))).html).not.toContain('ld+json')
})
