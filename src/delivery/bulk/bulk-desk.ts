/** What the HTTP side does with the files of the bulk exports: find one or have it made, sign an address for it, open it for who has one. */
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
import { type DatasetInFormat, type FileStore, storedAbout } from './file-store.ts'
import { mayBeMade } from './may-be-made.ts'
import type { SignedAddresses } from './signed-addresses.ts'

export interface OfferedFile extends BulkFile {
  url: string
  expiresAt: Temporal.Instant
}

export interface OpenedFile {
  /** To be closed by whoever has it. */
  handle: FileHandle
  bytes: number
  sha256: string
  mediaType: string
  filename: string
}

export interface BulkDesk {
  /** Throws 503 where no file has been made yet, or the store has lost it; where there is something to make it of, that is asked for. */
  offer(dataset: BulkDataset, format: BulkFormat, at: { now: Temporal.Instant; baseUrl: URL }): Promise<OfferedFile>
  /** The file behind a signed address; throws 403 where the address is not good, 404 for a name that there is no more, 503 where it is lost. */
  open(name: string, given: { expires: string; signature: string }, now: Temporal.Instant): Promise<OpenedFile>
}

/** A file that can be made is being made by then. */
const RETRY_SECONDS = 60
/** A store that does not answer within this time is taken to have its files. */
const STORE_MS = 2_000

export interface BulkDeskOptions {
  sql: Sql
  store: FileStore
  /** Undefined where the store gives addresses itself. */
  addresses: SignedAddresses | undefined
  /** Called when a file is wanted that could be there, and is not. */
  wake(): Promise<unknown>
}

export function bulkDesk({ sql, store, addresses, wake }: BulkDeskOptions): BulkDesk {
  /** However often a file is wanted, what is asked for is bounded (`mayBeMade`). */
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
      if (!(await isInStore(store, file.name))) throw await lost(file, now)
      const expiresAt = now.round('second').add({ seconds: DOWNLOAD_SECONDS })
      const url =
        (await store.presign?.(file.name, storedAbout(file), DOWNLOAD_SECONDS)) ??
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
      const handle = await openFound(path)
      if (handle === undefined) throw await lost(file, now)
      return { handle, bytes: file.bytes, sha256: file.sha256, ...storedAbout(file) }
    },
  }
}

async function isInStore(store: FileStore, name: string): Promise<boolean> {
  try {
    return await store.has(name, AbortSignal.timeout(STORE_MS))
  } catch {
    return true // its address says the same, and the planner logs it
  }
}

async function openFound(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r')
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return undefined
    throw err
  }
}
