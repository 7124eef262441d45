/** What the HTTP side does with the files of the bulk exports: find one or have it made, sign an address for it, open it for who has one. */
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
  /** Undefined where no file has been made yet; where there is something to make it of, that is asked for. */
  offer(
    dataset: BulkDataset,
    format: BulkFormat,
    at: { now: Temporal.Instant; baseUrl: URL },
  ): Promise<OfferedFile | undefined>
  /** The file behind a signed address; throws 403 where the address is not good, 404 where there is no such file here. */
  open(name: string, given: { expires: string; signature: string }, now: Temporal.Instant): Promise<OpenedFile>
}

export interface BulkExportServiceOptions {
  sql: Sql
  store: FileStore
  /** Undefined where the store gives addresses itself. */
  addresses: SignedAddresses | undefined
  /** Called when a file is wanted that could be there, and is not. */
  wake(): Promise<unknown>
}

export function bulkExportService({ sql, store, addresses, wake }: BulkExportServiceOptions): BulkExportService {
  /** However often a file is wanted, it is asked for once an hour at most. */
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
      const verdict = addresses?.judge(name, given, now) ?? 'forged'
      if (verdict === 'forged') throw forgedAddress()
      if (verdict === 'expired') throw badAddress('This address has expired: GET /v1/bulk/{dataset} gives a new one.')
      const file = await bulkFileNamed(sql, name)
      const path = file && store.path?.(file.name)
      if (file === undefined || path === undefined) throw notFound('There is no file of that name any more.')
      return { path, bytes: file.bytes, sha256: file.sha256, ...objectMetadata(file) }
    },
  }
}
