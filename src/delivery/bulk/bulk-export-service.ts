/** The bulk exports for the HTTP layer: find a file or request it, sign a URL for it, open it for the holder of a URL. */
import {
  type BulkDataset,
  type BulkFormat,
  badAddress,
  DOWNLOAD_SECONDS,
  forgedAddress,
} from '../../api/contract/bulk.ts'
import { notFound } from '../../api/contract/errors.ts'
import { type BulkFile, bulkFileNamed, exportStates, filledDatasets, offeredBulkFile } from '../../store/bulk-files.ts'
import type { Sql } from '../../store/database.ts'
import { type FileStore, objectMetadata } from './file-store.ts'
import { requestedWithinLastHour } from './requested-within-last-hour.ts'
import type { SignedAddresses } from './signed-addresses.ts'

export interface OfferedFile extends BulkFile {
  url: string
  expiresAt: Temporal.Instant
}

export interface OpenedFile {
  path: string
  bytes: number
  sha256: string
  mediaType: string
  filename: string
}

export interface BulkExportService {
  /** Undefined if no file has been made yet; one is requested if there are data for it. */
  offer(
    dataset: BulkDataset,
    format: BulkFormat,
    at: { now: Temporal.Instant; baseUrl: URL },
  ): Promise<OfferedFile | undefined>
  /** The file of a signed URL; throws 403 if the URL is not valid, 404 if there is no such file here. */
  open(name: string, given: { expires: string; signature: string }, now: Temporal.Instant): Promise<OpenedFile>
}

export interface BulkExportServiceOptions {
  sql: Sql
  store: FileStore
  /** Undefined if the store signs its own URLs. */
  addresses: SignedAddresses | undefined
  /** Called when a requested file is missing but could be made. */
  wake(): Promise<unknown>
}

export function bulkExportService({ sql, store, addresses, wake }: BulkExportServiceOptions): BulkExportService {
  /** An export is requested at most once an hour. */
  const canBeMade = async (dataset: BulkDataset, format: BulkFormat, now: Temporal.Instant) => {
    const last = (await exportStates(sql)).find((state) => state.dataset === dataset && state.format === format)
    return (last === undefined || !requestedWithinLastHour(last, now)) && (await filledDatasets(sql)).has(dataset)
  }

  return {
    async offer(dataset, format, { now, baseUrl }) {
      const file = await offeredBulkFile(sql, dataset, format)
      if (file === undefined) {
        if (await canBeMade(dataset, format, now)) await wake()
        return undefined
      }
      const expiresAt = now.round('second').add({ seconds: DOWNLOAD_SECONDS })
      const url =
        (await store.presign?.(file.name, objectMetadata(file), DOWNLOAD_SECONDS)) ??
        addresses?.sign(file.name, expiresAt, baseUrl)
      if (url === undefined) throw new Error('the files of the bulk exports have no addresses')
      return { ...file, url, expiresAt }
    },

    async open(name, given, now) {
      const verdict = addresses?.verify(name, given, now) ?? 'forged'
      if (verdict === 'forged') throw forgedAddress()
      if (verdict === 'expired') throw badAddress('This address has expired: GET /v1/bulk/{dataset} gives a new one.')
      const file = await bulkFileNamed(sql, name)
      const path = file && store.path?.(file.name)
      if (file === undefined || path === undefined) throw notFound('There is no file of that name any more.')
      return { path, bytes: file.bytes, sha256: file.sha256, ...objectMetadata(file) }
    },
  }
}
