import * as z from 'zod'
import type { OfferedTable } from '../../../delivery/bulk/bulk-export-service.ts'
import {
  BULK_PARTS,
  type BulkDataset,
  type BulkFiles,
  bulkDataset,
  bulkFiles,
  LAKE_DOCS_PATH,
  SNAPSHOT_DAYS,
} from '../../contract/bulk.ts'
import { invalidParameter, notFound } from '../../contract/errors.ts'
import { asOf, marketDay, refuseFuture } from '../../contract/parameters.ts'
import { lowestPlan } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText } from '../source-credits.ts'

export const EXAMPLE_TABLE: OfferedTable = exampleTable()

function exampleTable(): OfferedTable {
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
        url: `https://energy.example/downloads/${name}?expires=1795259467&signature=dGhlIHNpZ25hdHVyZSBvZiB0aGlzIGFkZHJlc3M`,
      },
    ],
    removed: [],
    expiresAt: Temporal.Instant.from('2026-11-21T11:51:07Z'),
    metadataUri: undefined,
  }
}

/** The Parquet files by year and zone or asset of a dataset, or those that have changed, with signed addresses. */
export const getBulkFiles = endpoint({
  id: 'getBulkFiles',
  method: 'get',
  path: '/bulk/{dataset}/files',
  tag: 'Bulk',
  summary: 'List bulk files by year',
  description:
    'Returns Parquet files by year and zone, asset, commodity or series, which together hold all rows of the ' +
    'dataset. Each night replaces only the files in which something has changed; `changed_since` selects them.' +
    ' Readers that use `Range` download only the parts they need. /docs/lake explains how.',
  plan: lowestPlan(({ bulk }) => bulk),
  status: 'live',
  cache: 'none',
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
  example: present('pun-hourly', EXAMPLE_TABLE, EXAMPLE_BASE_URL),
  fails: ['no_data', 'not_found'],
  async handle({ path: { dataset }, query: { changed_since: changedSince, from, to, ...query }, service, now }) {
    if (service.bulk === undefined)
      throw notFound('Bulk exports are not set up on this service: it has no SECRETS_KEY to sign addresses with.')
    const parts = BULK_PARTS[dataset]
    const part = parts.find((one) => one.toLowerCase() === query.part?.toLowerCase())
    if (query.part !== undefined && part === undefined)
      throw invalidParameter('part', `must be one of ${parts.join(', ')} in ${dataset}`)
    if (from && to && Temporal.PlainDate.compare(from, to) > 0)
      throw invalidParameter('from', `must not be after to (${to}); got "${from}"`)
    refuseFuture(changedSince, now, 'changed_since')
    const oldest = now.subtract({ hours: 24 * SNAPSHOT_DAYS })
    if (changedSince && Temporal.Instant.compare(changedSince, oldest) < 0)
      throw invalidParameter(
        'changed_since',
        `must be within the last ${SNAPSHOT_DAYS} days; leave it out and compare the names with yours`,
      )
    const { baseUrl } = service.config
    const filter = { changedSince, part, from: from?.toString(), to: to?.toString() }
    return present(dataset, await service.bulk.offerTable(dataset, filter, { now, baseUrl }), baseUrl)
  },
})

function present(dataset: BulkDataset, table: OfferedTable, baseUrl: URL): BulkFiles {
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
