/** Exports to order: request and response. */
import * as z from 'zod'
import { ASSET_CODES } from '../../market/assets.ts'
import { FUNDAMENTAL_SERIES } from '../../market/fundamentals.ts'
import { MARKET_SERIES_NAMES } from '../../market/markets.ts'
import { COMMODITIES } from '../../market/offers.ts'
import { STORED_ZONES } from '../../market/zones.ts'
import { bulkDataset, bulkFormat, EXPORT_ORDER_STATES, EXPORT_ORDERS, fileHashIfMade } from './bulk.ts'
import * as field from './fields.ts'
import { hourlyZone } from './hourly.ts'
import { attribution, isoDate } from './observations.ts'
import { anyCase, asOf, distinctListOf, marketDay } from './parameters.ts'

const NAME_LENGTH_MAX = 64

/** Fields that select parts of a dataset, one for each kind of part. */
const parts = {
  zones: distinctListOf(hourlyZone)
    .optional()
    .meta({ description: 'Of datasets by zone, only these; all if left out.', example: ['nord', 'sud'] }),
  assets: distinctListOf(anyCase(z.enum(ASSET_CODES)))
    .optional()
    .meta({ description: 'Of datasets by index, only these.', example: ['PUN'] }),
  commodities: distinctListOf(z.enum(COMMODITIES))
    .optional()
    .meta({ description: 'Of the retail offers, only these.', example: ['luce'] }),
  series: distinctListOf(
    anyCase(
      z
        .enum([...FUNDAMENTAL_SERIES, ...MARKET_SERIES_NAMES, ...ASSET_CODES, ...STORED_ZONES])
        .meta({ id: 'BulkSeries' }),
    ),
  )
    .optional()
    .meta({
      description: 'Of fundamentals and markets, only these; of corrections, indices and zones.',
      example: ['load'],
    }),
}
export type PartsField = keyof typeof parts

const columns = z
  .array(z.string().max(NAME_LENGTH_MAX))
  .min(1)
  .optional()
  .meta({
    description: 'Only these columns, in this order; all if left out. /docs/bulk lists them.',
    example: ['zone', 'starts_at', 'eur_mwh'],
  })

export const newExportOrder = z
  .strictObject({
    dataset: bulkDataset,
    from: marketDay.meta({ description: 'First market day.', example: '2024-01-01' }),
    to: marketDay.meta({ description: 'Last market day, inclusive.', example: '2024-12-31' }),
    ...parts,
    columns,
    format: bulkFormat.default('parquet'),
    as_of: asOf.meta({
      description: 'Values as they were known at this instant, before later corrections; of prices and fundamentals.',
      example: '2025-01-15T12:00:00Z',
    }),
  })
  .meta({
    id: 'NewExportOrder',
    description: 'A file to be made of some rows and columns of a dataset.',
    example: {
      dataset: 'pun-hourly',
      from: '2024-01-01',
      to: '2024-12-31',
      zones: ['nord', 'sud'],
      columns: ['zone', 'starts_at', 'eur_mwh'],
      format: 'csv.gz',
    },
  })
export type NewExportOrderBody = z.output<typeof newExportOrder>

export const exportOrder = z
  .strictObject({
    id: field.text('Identifier of the export.', 'exp_5k2m9q7x1c4d8f3g'),
    state: z.enum(EXPORT_ORDER_STATES).meta({
      description:
        '`queued`, `running`, `ready` with `download_url`, `failed` with `problem`, or `expired`: the file has been removed.',
      example: 'ready',
    }),
    dataset: bulkDataset,
    format: bulkFormat,
    from: isoDate.meta({ example: '2024-01-01' }),
    to: isoDate.meta({ example: '2024-12-31' }),
    ...parts,
    columns,
    as_of: z.iso.datetime().optional().meta({ example: '2025-01-15T12:00:00Z' }),
    requested_at: field.instant('UTC.', '2026-11-21T10:00:00Z'),
    started_at: field.instant.optional('Of the latest attempt.', '2026-11-21T10:00:01Z'),
    ended_at: field.instant.optional('When it was ready or had failed.', '2026-11-21T10:00:04Z'),
    rows: field.count('Rows of the file; until it is ready, those read so far.', 17_568),
    percent: z.int().min(0).max(100).meta({ description: 'About how much is done, in percent.', example: 100 }),
    bytes: field.positive.optional('Size of the file.', 121_204),
    sha256: fileHashIfMade,
    download_url: field.url.optional(
      'Signed address, valid for at most one hour; needs no key. Takes `Range`. Each answer has a new one.',
      'https://energy.example/downloads/pun-hourly-20261121T100004Z-5f0c1a2b.csv.gz?expires=1795259467&signature=…',
    ),
    url_expires_at: field.instant.optional('Until when the address is good, UTC.', '2026-11-21T11:00:10Z'),
    file_expires_at: field.instant.optional(
      `When the file is removed, ${EXPORT_ORDERS.fileHours} hours after it was ready.`,
      '2026-11-22T10:00:04Z',
    ),
    attribution: attribution.optional(),
    problem: field.text.optional('Why it failed.', 'There are no rows in this interval that may be passed on in bulk.'),
  })
  .meta({ id: 'ExportOrder', description: 'An export to order: what was asked for, how far it is, and its file.' })
export type ExportOrderBody = z.infer<typeof exportOrder>

export const exportOrderList = z
  .strictObject({ count: z.int(), exports: z.array(exportOrder).meta({ description: 'The latest first.' }) })
  .meta({ id: 'ExportOrderList', description: 'The exports that the key has ordered.' })
