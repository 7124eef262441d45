/** The datasets of the bulk exports, their files and their files by year. */
import * as z from 'zod'
import type {
  BulkExportService,
  DownloadableFile,
  DownloadableTable,
} from '../../../delivery/bulk/bulk-export-service.ts'
import { DATASETS } from '../../../delivery/bulk/datasets/index.ts'
import { dataPackage } from '../../../delivery/lake/data-package.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import {
  BULK_DATASETS,
  BULK_DOCS_PATH,
  BULK_FORMATS,
  BULK_PARTS,
  type BulkDataset,
  type BulkDescriptor,
  type BulkFiles,
  type BulkList,
  bulkDataset,
  bulkDescriptor,
  bulkFiles,
  bulkFormat,
  bulkList,
  LAKE_DOCS_PATH,
  SNAPSHOT_DAYS,
} from '../../contract/bulk.ts'
import { dataPackageReply } from '../../contract/data-package.ts'
import { invalidParameter, notFound } from '../../contract/errors.ts'
import { asOf, marketDay, refuseFuture, refuseReversed } from '../../contract/parameters.ts'
import { lowestPlan } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Service } from '../../http/service.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText } from '../source-credits.ts'

const PLAN = lowestPlan(({ bulk }) => bulk)

/** Common parts of the file endpoints. */
export const BULK = { tag: 'Bulk', plan: PLAN, cache: 'none' } as const

const EXAMPLE_SIGNED_QUERY = 'expires=1795259467&signature=dGhlIHNpZ25hdHVyZSBvZiB0aGlzIGFkZHJlc3M'

/** The error if files are in a folder, for which the service signs URLs itself, and it has no key to sign with. */
export function noSigningKey() {
  return notFound('Bulk exports are not set up on this service: it has no SECRETS_KEY to sign addresses with.')
}

function bulkOf({ bulk }: Pick<Service, 'bulk'>): BulkExportService {
  if (bulk === undefined) throw noSigningKey()
  return bulk
}

/** The datasets of the bulk exports. */
export const listBulkDatasets = endpoint({
  ...BULK,
  plan: 'Open',
  cache: '6h',
  id: 'listBulkDatasets',
  method: 'get',
  path: '/bulk',
  summary: 'List datasets',
  description: `Returns every dataset with its formats and the partitions of its files by year. Needs no key; the files need the ${PLAN} plan.`,
  reply: bulkList,
  example: presentDatasets(['prices-daily']),
  handle: async () => presentDatasets(BULK_DATASETS),
})

function presentDatasets(names: readonly BulkDataset[]): BulkList {
  return {
    count: names.length,
    datasets: names.map((dataset) => ({
      ...{ dataset, title: DATASETS[dataset].title, formats: [...BULK_FORMATS], parts: [...BULK_PARTS[dataset]] },
      file: `/v1/bulk/${dataset}`,
    })),
    documentation: BULK_DOCS_PATH,
  }
}

/** The latest file of a dataset and its signed download URL. Spec: "Bulk export descriptor", "GET /bulk/{dataset}". */
export const getBulk = endpoint({
  ...BULK,
  id: 'getBulk',
  method: 'get',
  path: '/bulk/{dataset}',
  summary: 'Get a bulk file',
  description:
    'Returns the description of the file with the full history of a dataset, rebuilt every night, and a ' +
    'download URL that is valid for one hour and needs no key. `sha256` changes if and only if the file does. ' +
    '/docs/bulk documents every column.',
  pathSchema: z.object({ dataset: bulkDataset }),
  query: z.object({ format: bulkFormat.default('parquet') }),
  reply: bulkDescriptor,
  example: presentFile(exampleFile(), EXAMPLE_BASE_URL),
  fails: ['no_data', 'not_found'],
  async handle({ path: { dataset }, query: { format }, service, now }) {
    const { baseUrl } = service.config
    return presentFile(await bulkOf(service).getFile(dataset, format, { now, baseUrl }), baseUrl)
  },
})

function presentFile(file: DownloadableFile, baseUrl: URL): BulkDescriptor {
  return {
    dataset: file.dataset,
    format: file.format,
    rows: file.rows,
    bytes: file.bytes,
    sha256: file.sha256,
    schema_version: file.schemaVersion,
    from: file.firstDay,
    to: file.lastDay,
    generated_at: toUtcIso(file.generatedAt),
    download_url: file.url,
    expires_at: file.expiresAt.toString(),
    documentation: new URL(BULK_DOCS_PATH, baseUrl).href,
    attribution: attributionText(file.sourceIds, baseUrl),
  }
}

function exampleFile(): DownloadableFile {
  const name = 'pun-hourly-20261121T034107Z-5f0c1a2b.parquet'
  return {
    name,
    dataset: 'pun-hourly',
    format: 'parquet',
    rows: 1_534_272,
    bytes: 9_437_184,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    schemaVersion: 1,
    firstDay: '2009-01-01',
    lastDay: '2026-11-21',
    sourceIds: ['gme-mgp'],
    generatedAt: Temporal.Instant.from('2026-11-21T03:41:07Z'),
    url: `https://energy.example/downloads/${name}?${EXAMPLE_SIGNED_QUERY}`,
    expiresAt: Temporal.Instant.from('2026-11-21T11:51:07Z'),
  }
}

export const EXAMPLE_TABLE: DownloadableTable = exampleTable()

function exampleTable(): DownloadableTable {
  const name = 'pun-hourly-nord-2024-9f86d081-1.parquet'
  const takenAt = Temporal.Instant.from('2026-11-21T03:41:07Z')
  const snapshot = {
    dataset: 'pun-hourly' as const,
    sequence: 12,
    id: 81_985_529_216,
    schemaVersion: 1,
    columnCount: 7,
  }
  return {
    snapshot: { ...snapshot, location: 's3://energy/bulk/lake/pun-hourly', takenAt },
    files: [
      {
        ...{ name, dataset: 'pun-hourly', part: 'nord', period: '2024', schemaVersion: 1, rows: 8_784, bytes: 61_204 },
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        ...{ firstDay: '2024-01-01', lastDay: '2024-12-31', statistics: [], sourceIds: ['gme-mgp'] },
        ...{ addedIn: 1, addedBy: 81_985_529_216, addedAt: takenAt, removedIn: null },
        min: { starts_at: '2023-12-31T23:00:00Z', resolution_minutes: 60, eur_mwh: -5 },
        max: { starts_at: '2024-12-31T22:00:00Z', resolution_minutes: 60, eur_mwh: 312.4 },
        url: `https://energy.example/downloads/${name}?${EXAMPLE_SIGNED_QUERY}`,
      },
    ],
    removed: [],
    expiresAt: Temporal.Instant.from('2026-11-21T11:51:07Z'),
    metadataUri: undefined,
  }
}

/** The Parquet files by year and zone or asset of a dataset, or only those that have changed, with signed download URLs. */
export const getBulkFiles = endpoint({
  ...BULK,
  id: 'getBulkFiles',
  method: 'get',
  path: '/bulk/{dataset}/files',
  summary: 'List bulk files by year',
  description:
    'Returns Parquet files by year and zone, asset, commodity or series, which together hold all rows of the ' +
    'dataset. Each night replaces only the files in which something has changed; `changed_since` selects them.' +
    ' Readers that use `Range` download only the parts they need. /docs/lake explains how.',
  pathSchema: z.object({ dataset: bulkDataset }),
  query: z.object({
    changed_since: asOf.meta({
      description: `Only files added after this instant, and the names of those removed after it; at most ${SNAPSHOT_DAYS} days ago. Use the \`taken_at\` of your last list.`,
      example: '2026-11-20T03:41:07Z',
    }),
    part: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'Only files of this zone, asset, commodity or series.', example: 'nord' }),
    from: marketDay
      .optional()
      .meta({ description: 'Only files with market days from this one on.', example: '2024-01-01' }),
    to: marketDay
      .optional()
      .meta({ description: 'Only files with market days up to this one.', example: '2024-12-31' }),
  }),
  reply: bulkFiles,
  example: presentFiles('pun-hourly', EXAMPLE_TABLE, EXAMPLE_BASE_URL),
  fails: ['no_data', 'not_found'],
  async handle({ path: { dataset }, query: { changed_since: changedSince, from, to, ...query }, service, now }) {
    const parts = BULK_PARTS[dataset]
    const part = parts.find((one) => one.toLowerCase() === query.part?.toLowerCase())
    if (query.part !== undefined && part === undefined)
      throw invalidParameter('part', `must be one of ${parts.join(', ')} in ${dataset}`)
    if (from && to) refuseReversed(from, to)
    refuseFuture(changedSince, now, 'changed_since')
    const oldest = now.subtract({ hours: 24 * SNAPSHOT_DAYS })
    if (changedSince && Temporal.Instant.compare(changedSince, oldest) < 0)
      throw invalidParameter(
        'changed_since',
        `must be within the last ${SNAPSHOT_DAYS} days; leave it out and compare the names with yours`,
      )
    const { baseUrl } = service.config
    const filter = { changedSince, part, from: from?.toString(), to: to?.toString() }
    return presentFiles(dataset, await bulkOf(service).getTable(dataset, filter, { now, baseUrl }), baseUrl)
  },
})

function presentFiles(dataset: BulkDataset, table: DownloadableTable, baseUrl: URL): BulkFiles {
  const { snapshot, files, removed, expiresAt, metadataUri } = table
  return {
    dataset,
    schema_version: snapshot.schemaVersion,
    snapshot_id: snapshot.id,
    taken_at: snapshot.takenAt.toString(),
    ...(metadataUri && { iceberg_metadata: metadataUri }),
    files: files.map((file) => ({
      name: file.name,
      part: file.part,
      period: file.period,
      from: file.firstDay,
      to: file.lastDay,
      rows: file.rows,
      bytes: file.bytes,
      sha256: file.sha256,
      min: file.min,
      max: file.max,
      added_at: file.addedAt.toString(),
      download_url: file.url,
    })),
    removed,
    expires_at: expiresAt.toString(),
    documentation: new URL(LAKE_DOCS_PATH, baseUrl).href,
    attribution: attributionText([...new Set(files.flatMap(({ sourceIds }) => sourceIds))].sort(), baseUrl),
  }
}

const EXAMPLE_DATASET = DATASETS['pun-hourly']

/** The files by year of a dataset as a Data Package, for open-data tools. */
export const getDataPackage = endpoint({
  ...BULK,
  id: 'getDataPackage',
  method: 'get',
  path: '/bulk/{dataset}/datapackage.json',
  summary: 'Get a Data Package',
  description:
    'Returns the files by year of a dataset as a Data Package: columns with their meaning, publishers with ' +
    'their terms, and each file with its hash and a signed download URL.',
  pathSchema: z.object({ dataset: bulkDataset }),
  reply: dataPackageReply,
  example: dataPackage(
    { ...EXAMPLE_DATASET, columns: EXAMPLE_DATASET.columns.slice(0, 2) },
    EXAMPLE_TABLE,
    EXAMPLE_BASE_URL,
  ),
  fails: ['no_data', 'not_found'],
  async handle({ path: { dataset }, service, now }) {
    const { baseUrl } = service.config
    const table = await bulkOf(service).getTable(dataset, {}, { now, baseUrl })
    return dataPackage(DATASETS[dataset], table, baseUrl)
  },
})
