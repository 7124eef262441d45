/** Bulk exports for the HTTP layer: finds or requests a file, signs its download URL, and opens the file of a signed URL. */
import { type FileHandle, open } from 'node:fs/promises'
import {
  alteredDownloadUrl,
  BULK_FILE_TYPES,
  type BulkDataset,
  type BulkFormat,
  DOWNLOAD_SECONDS,
  invalidDownloadUrl,
} from '../../api/contract/bulk.ts'
import { noDataBecause, notFound } from '../../api/contract/errors.ts'
import type { Column } from '../../api/contract/table.ts'
import type { Secret } from '../../platform/secret.ts'
import type { Config } from '../../service/config/config.ts'
import {
  type BulkFile,
  type ExportState,
  exportStates,
  findBulkFile,
  nonEmptyDatasets,
  offeredBulkFile,
} from '../../store/bulk-files.ts'
import type { Sql } from '../../store/database.ts'
import { findOrderedFile } from '../../store/export-orders.ts'
import {
  type ColumnStatistics,
  findLakeFile,
  type LakeFile,
  type LakeFilter,
  type LakeSnapshot,
  lakeListing,
} from '../../store/lake-files.ts'
import { dataFile } from '../lake/lake-names.ts'
import { DATASETS } from './datasets/index.ts'
import { canRequestExport } from './export-retry-rule.ts'
import { type DatasetInFormat, type FileStore, type ObjectMetadata, objectMetadata } from './file-store.ts'
import { type UrlSigner, urlSigner } from './url-signer.ts'

export interface DownloadableFile extends BulkFile {
  url: string
  expiresAt: Temporal.Instant
}

interface DownloadablePartition extends LakeFile {
  url: string
  /** Minimum of each column other than text, as in API responses; `max` likewise. */
  min: Record<string, string | number | null>
  max: Record<string, string | number | null>
}

export interface DownloadableTable {
  snapshot: LakeSnapshot
  files: DownloadablePartition[]
  /** Names of files that are no longer offered. */
  removed: string[]
  expiresAt: Temporal.Instant
  /** URI of the Iceberg metadata, if the store is one that readers can be given access to. */
  metadataUri: string | undefined
}

export interface OpenedFile {
  /** Must be closed by the caller. */
  handle: FileHandle
  bytes: number
  sha256: string
  mediaType: string
  filename: string
}

export interface BulkExportService {
  /** Throws 503 if no file exists yet, or if it is missing or incomplete in the store. Then requests an export if the dataset has data. */
  getFile(
    dataset: BulkDataset,
    format: BulkFormat,
    at: { now: Temporal.Instant; baseUrl: URL },
  ): Promise<DownloadableFile>
  /** Returns the files of the dataset's lake table. Throws 503 if there are none yet. */
  getTable(
    dataset: BulkDataset,
    filter: LakeFilter,
    at: { now: Temporal.Instant; baseUrl: URL },
  ): Promise<DownloadableTable>
  /** Returns a signed URL of a file in the store. */
  signedUrlOf(
    file: DatasetInFormat & { name: string },
    at: { now: Temporal.Instant; expiresAt: Temporal.Instant; baseUrl: URL },
  ): Promise<string>
  /** Opens the file of a signed URL. Throws 403 if the URL is invalid or expired, 404 if the file is gone, 503 if it will be made again. */
  open(name: string, given: { expires: string; signature: string }, now: Temporal.Instant): Promise<OpenedFile>
}

/** Retry-After: by then the export has started, if one can be made. */
const RETRY_SECONDS = 60
/** A store that does not answer within this time is assumed to have its files. */
const STORE_MS = 2_000

export interface BulkExportServiceOptions {
  sql: Sql
  store: FileStore
  /** Undefined if the store signs its own URLs. */
  addresses: UrlSigner | undefined
  /** Called when a requested file is missing but could be made. */
  wake(): Promise<unknown>
}

export function bulkExportService({ sql, store, addresses, wake }: BulkExportServiceOptions): BulkExportService {
  /** `canRequestExport` limits the number of exports, however often a file is requested. */
  const requestExport = async ({ dataset, format }: Pick<ExportState, 'dataset' | 'format'>, now: Temporal.Instant) => {
    const last = (await exportStates(sql)).find((state) => state.dataset === dataset && state.format === format)
    if (canRequestExport(last, now) && (await nonEmptyDatasets(sql)).has(dataset)) await wake()
  }

  const lostFileError = async (file: BulkFile, now: Temporal.Instant) => {
    await requestExport(file, now)
    return noDataBecause(`The file of ${file.dataset} as ${file.format} was lost and is made again.`, RETRY_SECONDS)
  }

  /** Finds a current or superseded file, the file of an order, or a lake partition. `lost` returns the error for a file missing from the store. */
  const fileNamed = async (name: string) => {
    const file = await findBulkFile(sql, name)
    if (file)
      return {
        file,
        stored: name,
        about: objectMetadata(file),
        lost: (now: Temporal.Instant) => lostFileError(file, now),
      }
    const ordered = await findOrderedFile(sql, name)
    if (ordered) {
      const orderAgainError = () => notFound('The file of this export was lost: order it again.')
      return { file: ordered, stored: name, about: objectMetadata(ordered), lost: orderAgainError }
    }
    const part = await findLakeFile(sql, name)
    const nextNightError = () =>
      noDataBecause(`The file ${name} was lost; it is made again in the next night.`, RETRY_SECONDS)
    return part && { file: part, stored: dataFile(part), about: partitionMetadata(part), lost: nextNightError }
  }

  const urlOf = async (
    stored: string,
    about: ObjectMetadata,
    {
      signed,
      now,
      expiresAt,
      baseUrl,
    }: { signed: string; now: Temporal.Instant; expiresAt: Temporal.Instant; baseUrl: URL },
  ): Promise<string> => {
    const seconds = Math.max(1, Math.floor(now.until(expiresAt).total('seconds')))
    const url = (await store.presign?.(stored, about, seconds)) ?? addresses?.sign(signed, expiresAt, baseUrl)
    if (url === undefined) throw new Error('the files of the bulk exports have no addresses')
    return url
  }

  return {
    async getTable(dataset, filter, { now, baseUrl }) {
      const listing = await lakeListing(sql, dataset, filter)
      if (listing === undefined) {
        await requestExport({ dataset, format: 'lake' }, now)
        throw noDataBecause(
          `There are no files of ${dataset} by year yet. They are being made, unless the dataset is empty so far or nothing in it may be passed on in bulk.`,
          RETRY_SECONDS,
        )
      }
      const { snapshot, removed } = listing
      const expiresAt = now.round('second').add({ seconds: DOWNLOAD_SECONDS })
      const files: DownloadablePartition[] = []
      for (const file of listing.files) {
        const signing = { signed: file.name, now, expiresAt, baseUrl }
        const url = await urlOf(dataFile(file), partitionMetadata(file), signing)
        files.push({ ...file, url, ...formattedBounds(DATASETS[dataset].columns, file.statistics) })
      }
      const metadataUri = store.presign && `${snapshot.location}/metadata/v${snapshot.sequence}.metadata.json`
      return { snapshot, files, removed, expiresAt, metadataUri }
    },

    async getFile(dataset, format, { now, baseUrl }) {
      const file = await offeredBulkFile(sql, dataset, format)
      if (file === undefined) {
        await requestExport({ dataset, format }, now)
        throw noDataBecause(
          `There is no file of ${dataset} as ${format} yet. It is being made, unless the dataset is empty so far or nothing in it may be passed on in bulk.`,
          RETRY_SECONDS,
        )
      }
      if (!(await isInStore(store, file))) throw await lostFileError(file, now)
      const expiresAt = now.round('second').add({ seconds: DOWNLOAD_SECONDS })
      const url = await urlOf(file.name, objectMetadata(file), { signed: file.name, now, expiresAt, baseUrl })
      return { ...file, url, expiresAt }
    },

    signedUrlOf: ({ name, ...of }, at) => urlOf(name, objectMetadata(of), { signed: name, ...at }),

    async open(name, given, now) {
      const verdict = addresses?.verify(name, given, now) ?? 'forged'
      if (verdict === 'forged') throw alteredDownloadUrl()
      if (verdict === 'expired')
        throw invalidDownloadUrl('This address has expired: GET /v1/bulk/{dataset} gives a new one.')
      const named = await fileNamed(name)
      const path = named && store.path?.(named.stored)
      if (named === undefined || path === undefined) throw notFound('There is no file of that name any more.')
      const { bytes, sha256 } = named.file
      const handle = await openIfComplete(path, bytes)
      if (handle === undefined) throw await named.lost(now)
      return { handle, bytes, sha256, ...named.about }
    },
  }
}

/** The service as configured; undefined if files are in a folder and there is no key to sign their URLs with. */
export function openBulkExportService(
  config: Pick<Config, 'secrets'>,
  { key, ...options }: Omit<BulkExportServiceOptions, 'addresses'> & { key: Secret | undefined },
): BulkExportService | undefined {
  if (options.store.presign !== undefined) return bulkExportService({ ...options, addresses: undefined })
  if (key === undefined) return undefined
  return bulkExportService({ ...options, addresses: urlSigner(key, config.secrets.previous) })
}

function partitionMetadata({ name }: Pick<LakeFile, 'name'>): ObjectMetadata {
  return { mediaType: BULK_FILE_TYPES.parquet.mediaType, filename: name }
}

/** Formats numbers, days and instants as in API responses. Omits text columns, whose order is of no use to readers. */
function formattedBounds(columns: readonly Column[], statistics: readonly ColumnStatistics[]) {
  const boundsOf = (which: 'min' | 'max') =>
    Object.fromEntries(
      columns.flatMap(({ name, type }, i) => {
        const value = statistics[i]?.[which]
        if (type === 'text' || value === undefined) return []
        const isInstant = type === 'instant' && typeof value === 'number'
        return [[name, isInstant ? Temporal.Instant.fromEpochMilliseconds(value).toString() : value]]
      }),
    )
  return { min: boundsOf('min'), max: boundsOf('max') }
}

async function isInStore(store: FileStore, file: BulkFile): Promise<boolean> {
  try {
    return await store.has(file, AbortSignal.timeout(STORE_MS))
  } catch {
    return true // the download then fails in the same way, and the planner logs the error
  }
}

/** Returns undefined if the file is missing or its length differs. */
async function openIfComplete(path: string, bytes: number): Promise<FileHandle | undefined> {
  try {
    const handle = await open(path, 'r')
    if ((await handle.stat()).size === bytes) return handle
    await handle.close()
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT')) throw err
  }
  return undefined
}
