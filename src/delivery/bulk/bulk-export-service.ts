/** The bulk exports for the HTTP layer: find a file or request it, sign a URL for it, open it for the holder of a URL. */
import { type FileHandle, open } from 'node:fs/promises'
import {
  type BulkDataset,
  type BulkFormat,
  badAddress,
  DOWNLOAD_SECONDS,
  forgedAddress,
} from '../../api/contract/bulk.ts'
import { noDataBecause, notFound } from '../../api/contract/errors.ts'
import { type BulkFile, bulkFileNamed, exportStates, filledDatasets, offeredBulkFile } from '../../store/bulk-files.ts'
import type { Sql } from '../../store/database.ts'
import { type DatasetInFormat, type FileStore, objectMetadata } from './file-store.ts'
import { mayBeMade } from './may-be-made.ts'
import type { SignedAddresses } from './signed-addresses.ts'

export interface OfferedFile extends BulkFile {
  url: string
  expiresAt: Temporal.Instant
}

export interface OpenedFile {
  /** To be closed by the caller. */
  handle: FileHandle
  bytes: number
  sha256: string
  mediaType: string
  filename: string
}

export interface BulkExportService {
  /** Throws 503 if no file has been made yet, or the store has lost it or a part of it; one is requested if there are data for it. */
  offer(dataset: BulkDataset, format: BulkFormat, at: { now: Temporal.Instant; baseUrl: URL }): Promise<OfferedFile>
  /** The file of a signed URL; throws 403 if the URL is not valid, 404 if there is no such file any more, 503 if the store has lost it or a part of it. */
  open(name: string, given: { expires: string; signature: string }, now: Temporal.Instant): Promise<OpenedFile>
}

/** By then a file that can be made is in progress. */
const RETRY_SECONDS = 60
/** A store that does not answer within this time is assumed to have its files. */
const STORE_MS = 2_000

export interface BulkExportServiceOptions {
  sql: Sql
  store: FileStore
  /** Undefined if the store signs its own URLs. */
  addresses: SignedAddresses | undefined
  /** Called when a requested file is missing but could be made. */
  wake(): Promise<unknown>
}

export function bulkExportService({ sql, store, addresses, wake }: BulkExportServiceOptions): BulkExportService {
  /** `mayBeMade` limits the number of exports, however often a file is requested. */
  const haveMade = async ({ dataset, format }: DatasetInFormat, now: Temporal.Instant) => {
    const last = (await exportStates(sql)).find((state) => state.dataset === dataset && state.format === format)
    if (mayBeMade(last, now) && (await filledDatasets(sql)).has(dataset)) await wake()
  }

  const lost = async (file: BulkFile, now: Temporal.Instant) => {
    await haveMade(file, now)
    return noDataBecause(`The file of ${file.dataset} as ${file.format} was lost and is made again.`, RETRY_SECONDS)
  }

  return {
    async offer(dataset, format, { now, baseUrl }) {
      const file = await offeredBulkFile(sql, dataset, format)
      if (file === undefined) {
        await haveMade({ dataset, format }, now)
        throw noDataBecause(
          `There is no file of ${dataset} as ${format} yet. It is being made, unless the dataset is empty so far or nothing in it may be passed on in bulk.`,
          RETRY_SECONDS,
        )
      }
      if (!(await isInStore(store, file))) throw await lost(file, now)
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
      const handle = await openWhole(path, file.bytes)
      if (handle === undefined) throw await lost(file, now)
      return { handle, bytes: file.bytes, sha256: file.sha256, ...objectMetadata(file) }
    },
  }
}

async function isInStore(store: FileStore, file: BulkFile): Promise<boolean> {
  try {
    return await store.has(file, AbortSignal.timeout(STORE_MS))
  } catch {
    return true // its address says the same, and the planner logs it
  }
}

/** Undefined where it is missing or has another length. */
async function openWhole(path: string, bytes: number): Promise<FileHandle | undefined> {
  try {
    const handle = await open(path, 'r')
    if ((await handle.stat()).size === bytes) return handle
    await handle.close()
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT')) throw err
  }
  return undefined
}
