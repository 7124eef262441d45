/** Bulk exports: datasets, formats and the descriptor of a file. Spec: "Bulk export descriptor", "GET /bulk/{dataset}". */
import * as z from 'zod'
import { ASSET_CODES } from '../../market/assets.ts'
import { FORECAST_ASSETS } from '../../market/forecast-scope.ts'
import { FUNDAMENTAL_SERIES } from '../../market/fundamentals.ts'
import { MARKET_SERIES_NAMES } from '../../market/markets.ts'
import { COMMODITIES } from '../../market/offers.ts'
import { STORED_ZONES } from '../../market/zones.ts'
import { ApiError } from './errors.ts'
import * as field from './fields.ts'
import { attribution } from './observations.ts'

export const BULK_DATASETS = [
  'pun-hourly',
  'prices-daily',
  'forecast-history',
  'forecasts-hourly',
  'mercato-libero',
  'fundamentals',
  'zones-quarter-hourly',
  'corrections',
  'bands-monthly',
  'markets-quarter-hourly',
] as const
export type BulkDataset = (typeof BULK_DATASETS)[number]

/** Parts by which the files of a dataset are divided, besides years: zones, assets, commodities or series; for corrections, indices and zones. */
export const BULK_PARTS: Record<BulkDataset, readonly string[]> = {
  'pun-hourly': STORED_ZONES,
  'prices-daily': ASSET_CODES,
  'forecast-history': FORECAST_ASSETS,
  'forecasts-hourly': STORED_ZONES,
  'mercato-libero': COMMODITIES,
  fundamentals: FUNDAMENTAL_SERIES,
  'zones-quarter-hourly': STORED_ZONES,
  corrections: [...ASSET_CODES, ...STORED_ZONES],
  'bands-monthly': STORED_ZONES,
  'markets-quarter-hourly': MARKET_SERIES_NAMES,
}

export const BULK_FORMATS = ['parquet', 'csv.gz', 'arrow'] as const
export type BulkFormat = (typeof BULK_FORMATS)[number]

/** Media types and file name extensions. Arrow files are IPC streams, hence `.arrows`. */
export const BULK_FILE_TYPES: Record<BulkFormat, { mediaType: string; extension: string }> = {
  parquet: { mediaType: 'application/vnd.apache.parquet', extension: 'parquet' },
  'csv.gz': { mediaType: 'application/gzip', extension: 'csv.gz' },
  arrow: { mediaType: 'application/vnd.apache.arrow.stream', extension: 'arrows' },
}

/** Incremented by any change that affects readers of the files, except a column added at the end. */
export const BULK_SCHEMA_VERSION = 1

/** Lifetime of a download URL. Spec: "bulk download address valid one hour". */
export const DOWNLOAD_SECONDS = 3600

export const EXPORT_ORDER_STATES = ['queued', 'running', 'ready', 'failed', 'expired'] as const
export type ExportOrderState = (typeof EXPORT_ORDER_STATES)[number]

/** Limits of exports to order. */
export const EXPORT_ORDERS = {
  /** Open orders per key: queued or running. */
  openMax: 5,
  /** Orders per key and day, including deleted ones. */
  perDay: 50,
  /** How long a file is kept. */
  fileHours: 24,
  /** How long a failed or expired order is listed. */
  listedHours: 7 * 24,
} as const

/** Path of downloads that the service serves from a folder: `/downloads/<name>`, outside `/v1`. */
export const DOWNLOADS_PATH = '/downloads'

/** Page that documents every column. */
export const BULK_DOCS_PATH = '/docs/bulk'
/** Page that documents the files by year and the tables made of them. */
export const LAKE_DOCS_PATH = '/docs/lake'

export const bulkDataset = z.enum(BULK_DATASETS).meta({
  id: 'BulkDataset',
  description:
    'The dataset: day-ahead prices of all zones, daily prices of the indices, forecasts of days or of hours, indices of retail offers, fundamentals, quarter-hours with their bands, replaced prices, monthly means of bands, or intraday and imbalance prices.',
  example: 'pun-hourly',
})

export const bulkFormat = z.enum(BULK_FORMATS).meta({
  id: 'BulkFormat',
  description:
    'Format of the file: Parquet with ZSTD, gzipped CSV (separator `;`, decimal comma), or an Arrow IPC stream.',
  example: 'parquet',
})

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const hashOfFile = { description: 'SHA-256 of the file, in hexadecimal; also its `ETag`.', example: 'a'.repeat(64) }
const fileHash = sha256.meta(hashOfFile)
export const fileHashIfMade = sha256.optional().meta(hashOfFile)
const signedUrl = (name: string) =>
  field.url(
    'Signed address; needs no key. Takes `Range`.',
    `https://energy.example/downloads/${name}?expires=1795259467&signature=…`,
  )

export const bulkDescriptor = z
  .strictObject({
    dataset: bulkDataset,
    format: bulkFormat,
    rows: field.positive('Rows in the dataset.', 1_534_272),
    bytes: field.positive('Size of the file.', 9_437_184),
    sha256: fileHash,
    schema_version: field.positive('Version of the layout of the columns; new columns at the end do not change it.', 1),
    from: field.day('First day in the file.', '2009-01-01'),
    to: field.day('Last day in the file.', '2026-11-21'),
    generated_at: field.instant('When the file was made, UTC.', '2026-11-21T03:41:07Z'),
    download_url: signedUrl('pun-hourly-20261121T034107Z-5f0c1a2b.parquet'),
    expires_at: field.instant('Until when the address is good, UTC.', '2026-11-21T11:51:07Z'),
    documentation: field.url('Page with every column and recipes.', 'https://energy.example/docs/bulk'),
    attribution,
  })
  .meta({ id: 'BulkDescriptor', description: 'The latest file of a dataset and a signed address to download it from.' })

export type BulkDescriptor = z.infer<typeof bulkDescriptor>

/** For how many days earlier snapshots of the lake can be read and removed files are listed. */
export const SNAPSHOT_DAYS = 30

const bounds = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

const bulkPartition = z
  .strictObject({
    name: field.text(
      'Name of the file; the same content has the same name.',
      'pun-hourly-nord-2024-9f86d081-1.parquet',
    ),
    part: field.text('The zone, asset, commodity or series of its rows.', 'nord'),
    period: z
      .string()
      .regex(/^\d{4}(-\d{2})?$/)
      .meta({
        description:
          'The year of its market days; of the year that is open, or has just ended, the first of two months.',
        example: '2024',
      }),
    from: field.day('First market day in the file.', '2024-01-01'),
    to: field.day('Last market day in the file.', '2024-12-31'),
    rows: field.positive('Rows in the file.', 8_784),
    bytes: field.positive('Size of the file.', 61_204),
    sha256: fileHash,
    min: bounds.meta({
      description: 'Lowest value of each column that is not text; null where all are missing.',
      example: { starts_at: '2023-12-31T23:00:00Z', eur_mwh: -5 },
    }),
    max: bounds.meta({
      description: 'Highest value of each column that is not text.',
      example: { starts_at: '2024-12-31T22:00:00Z', eur_mwh: 312.4 },
    }),
    added_at: field.instant('When the file became part of the dataset, UTC.', '2026-11-21T03:41:07Z'),
    download_url: signedUrl('pun-hourly-nord-2024-9f86d081-1.parquet'),
  })
  .meta({ id: 'BulkPartition', description: 'A Parquet file with some rows of a dataset, and a signed address.' })

export const bulkFiles = z
  .strictObject({
    dataset: bulkDataset,
    schema_version: field.positive('Version of the layout of the columns.', 1),
    snapshot_id: field.positive('The state that these files are, as in Iceberg.', 81_985_529_216),
    taken_at: field.instant('When it was taken, UTC.', '2026-11-21T03:41:07Z'),
    iceberg_metadata: field.text.optional(
      'Address of the Iceberg metadata, where the files are in S3. To read it you need access to the bucket.',
      's3://energy/bulk/lake/pun-hourly/metadata/v12.metadata.json',
    ),
    files: z.array(bulkPartition),
    removed: z.array(z.string()).meta({
      description: 'With `changed_since`: names of files that are no longer part of the dataset since then.',
      example: [],
    }),
    expires_at: field.instant('Until when the addresses are good, UTC.', '2026-11-21T11:51:07Z'),
    documentation: field.url('Page on these files.', 'https://energy.example/docs/lake'),
    attribution,
  })
  .meta({
    id: 'BulkFiles',
    description: 'A dataset as files by year and zone or asset; a night replaces few of them.',
  })

export type BulkFiles = z.infer<typeof bulkFiles>

const bulkEntry = z
  .strictObject({
    dataset: bulkDataset,
    title: z.string(),
    formats: z.array(bulkFormat),
    parts: z.array(z.string()).meta({ description: 'The zones, assets, commodities or series of its files by year.' }),
    file: field.text('Path of the descriptor of its file.'),
  })
  .meta({ id: 'BulkEntry' })

export const bulkList = z
  .strictObject({ count: z.int(), datasets: z.array(bulkEntry), documentation: z.string() })
  .meta({ id: 'BulkList', description: 'The datasets of the bulk exports.' })
export type BulkList = z.infer<typeof bulkList>

/** The error for an invalid download URL. */
export function invalidDownloadUrl(message: string): ApiError {
  return new ApiError('invalid_key', message, { status: 403 })
}

/** The error for a download URL that was altered in any character, even if it decodes to the same URL. */
export function alteredDownloadUrl(): ApiError {
  return invalidDownloadUrl('This address was not signed by this service, or was changed.')
}
