/** The datasets of the bulk exports as schema.org `Dataset`, for dataset search engines: contents, publishers and terms. */
import { DATASETS } from '../../../delivery/bulk/datasets/index.ts'
import { isMarketSeries } from '../../../market/markets.ts'
import { PUBLISHERS } from '../../../publishers/index.ts'
import type { Publisher } from '../../../publishers/publisher.ts'
import { BULK_DATASETS, BULK_DOCS_PATH, BULK_FILE_TYPES, BULK_FORMATS, type BulkDataset } from '../../contract/bulk.ts'
import { SERVICE_NAME } from '../../contract/identity.ts'
import { lowestPlan } from '../../contract/plans.ts'

export { DATASETS }

/** The datasets as JSON-LD for a page. */
export function schemaOrgDatasets(baseUrl: URL) {
  return {
    '@context': 'https://schema.org' as const,
    '@graph': BULK_DATASETS.map((name) => schemaOrgDataset(name, baseUrl)),
  }
}

/** Publishers whose values a dataset may contain; forecasts are this service's own. */
const PUBLISHED_BY: Record<BulkDataset, (publisher: Publisher) => boolean> = {
  'pun-hourly': ({ zones }) => zones.length > 0,
  'prices-daily': ({ assets }) => assets.length > 0,
  'forecast-history': () => false,
  'forecasts-hourly': () => false,
  'mercato-libero': ({ offerLists }) => offerLists.length > 0,
  fundamentals: ({ fundamentals }) => fundamentals.some(({ series }) => !isMarketSeries(series)),
  'zones-quarter-hourly': ({ zones }) => zones.length > 0,
  corrections: ({ zones, assets }) => zones.length + assets.length > 0,
  'bands-monthly': ({ zones }) => zones.length > 0,
  'markets-quarter-hourly': ({ fundamentals }) => fundamentals.some(({ series }) => isMarketSeries(series)),
}

export function schemaOrgDataset(name: BulkDataset, baseUrl: URL) {
  const { title, columns } = DATASETS[name]
  const page = new URL(`${BULK_DOCS_PATH}#${name}`, baseUrl).href
  const sources = PUBLISHERS.filter((publisher) => !publisher.synthetic && PUBLISHED_BY[name](publisher))
  const publishers = [...new Map(sources.map((publisher) => [publisher.url, publisher])).values()]
  const service = { '@type': 'Organization' as const, name: SERVICE_NAME, url: baseUrl.href }
  return {
    '@type': 'Dataset' as const,
    '@id': page,
    name: title,
    description: `${title}. Italian energy market; Parquet, CSV and Arrow, remade every night.`,
    url: page,
    identifier: name,
    isAccessibleForFree: false,
    conditionsOfAccess: `With a key of the plan ${lowestPlan(({ bulk }) => bulk)}.`,
    creator: service,
    publisher: service,
    spatialCoverage: 'Italy',
    creditText: [...publishers.map((publisher) => publisher.name), SERVICE_NAME].join('; '),
    license: [
      { '@type': 'CreativeWork' as const, name: 'Terms of this service', url: new URL('/widgets#line', baseUrl).href },
      ...publishers.map(({ terms, url }) => ({ '@type': 'CreativeWork' as const, name: terms, url })),
    ],
    isBasedOn: publishers.map((publisher) => publisher.url),
    variableMeasured: columns.map((column) => ({
      '@type': 'PropertyValue' as const,
      name: column.name,
      description: column.meaning,
    })),
    distribution: BULK_FORMATS.map((format) => ({
      '@type': 'DataDownload' as const,
      encodingFormat: BULK_FILE_TYPES[format].mediaType,
      contentUrl: new URL(`/v1/bulk/${name}?format=${format}`, baseUrl).href,
    })),
  }
}
