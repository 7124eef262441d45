import * as z from 'zod'
import type { OfferedFile } from '../../../delivery/bulk/bulk-export-service.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import { BULK_DOCS_PATH, type BulkDescriptor, bulkDataset, bulkDescriptor, bulkFormat } from '../../contract/bulk.ts'
import { notFound } from '../../contract/errors.ts'
import { lowestPlan } from '../../contract/plans.ts'
import { endpoint } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL } from '../examples.ts'
import { attributionText } from '../source-credits.ts'

/** The latest file of a dataset and a signed address. Spec: "Bulk export descriptor", "GET /bulk/{dataset}". */
export const getBulk = endpoint({
  id: 'getBulk',
  method: 'get',
  path: '/bulk/{dataset}',
  tag: 'Bulk',
  summary: 'Get a bulk file',
  description:
    'Returns the description of the file with the full history of a dataset, rebuilt every night, and a ' +
    'download URL that is valid for one hour and needs no key. `sha256` changes if and only if the file does. ' +
    '/docs/bulk documents every column.',
  plan: lowestPlan(({ bulk }) => bulk),
  status: 'live',
  cache: 'none',
  pathSchema: z.object({ dataset: bulkDataset }),
  query: z.object({ format: bulkFormat.default('parquet') }),
  reply: bulkDescriptor,
  example: presentFile(exampleFile(), EXAMPLE_BASE_URL),
  fails: ['no_data', 'not_found'],
  async handle({ path: { dataset }, query: { format }, service, now }) {
    if (service.bulk === undefined)
      throw notFound('Bulk exports are not set up on this service: it has no SECRETS_KEY to sign addresses with.')
    const { baseUrl } = service.config
    return presentFile(await service.bulk.offer(dataset, format, { now, baseUrl }), baseUrl)
  },
})

function presentFile(file: OfferedFile, baseUrl: URL): BulkDescriptor {
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

function exampleFile(): OfferedFile {
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
    url: `https://energy.example/downloads/${name}?expires=1795259467&signature=dGhlIHNpZ25hdHVyZSBvZiB0aGlzIGFkZHJlc3M`,
    expiresAt: Temporal.Instant.from('2026-11-21T11:51:07Z'),
  }
}
