/** Store of finished files: a folder served by the service, or an S3-compatible store. */
import { BULK_FILE_TYPES, type BulkDataset, type BulkFormat } from '../../api/contract/bulk.ts'

export interface DatasetInFormat {
  dataset: BulkDataset
  format: BulkFormat
}

/** A file as the database describes it. */
interface StoredFile {
  name: string
  bytes: number
}

export interface ObjectMetadata {
  mediaType: string
  /** The name under which a browser saves it. */
  filename: string
}

/** A file in the store. */
export interface ListedFile extends StoredFile {
  storedAt: Temporal.Instant
}

/** Names may have folders: `lake/pun-hourly/data/…`. */
export interface FileStore extends Disposable {
  /** Moves a finished local file into the store, all or nothing, in place of one of that name; the local file is gone afterwards. */
  put(file: string, name: string, about: ObjectMetadata, signal?: AbortSignal): Promise<void>
  /** Whether it is there in its full length. */
  has(file: StoredFile, signal?: AbortSignal): Promise<boolean>
  /** Does nothing if there is no such file. */
  remove(name: string, signal?: AbortSignal): Promise<void>
  /** The files of a folder, `''` or ending in `/`, without those of the folders in it. */
  list(folder: string, signal?: AbortSignal): Promise<ListedFile[]>
  /** Address of a file or a folder for programs that read the store themselves: `file:///…`, `s3://…`. */
  uri(name: string): string
  /** A URL valid for so many seconds; undefined if the service signs and serves its own URLs. */
  presign?(name: string, about: ObjectMetadata, seconds: number): Promise<string>
  /** Path of the file, if the service serves it itself. */
  path?(name: string): string
}

/** Media type and download name: `pun-hourly.parquet`. */
export function objectMetadata({ dataset, format }: DatasetInFormat): ObjectMetadata {
  const { mediaType, extension } = BULK_FILE_TYPES[format]
  return { mediaType, filename: `${dataset}.${extension}` }
}
