/** Store of finished files: a folder served by the service, or an S3-compatible store. */
import { BULK_FILE_TYPES, type BulkDataset, type BulkFormat } from '../../api/contract/bulk.ts'

export interface DatasetInFormat {
  dataset: BulkDataset
  format: BulkFormat
}

/** A file as recorded in the database. */
interface StoredFile {
  name: string
  bytes: number
}

export interface ObjectMetadata {
  mediaType: string
  /** File name that a browser saves it under. */
  filename: string
}

/** A file in the store. */
export interface ListedFile extends StoredFile {
  storedAt: Temporal.Instant
}

/** Names may contain folders: `lake/pun-hourly/data/…`. */
export interface FileStore extends Disposable {
  /** Moves a finished local file into the store atomically, replacing any file of that name. The local file is removed. */
  put(file: string, name: string, about: ObjectMetadata, signal?: AbortSignal): Promise<void>
  /** Whether the store has the file in its full length. */
  has(file: StoredFile, signal?: AbortSignal): Promise<boolean>
  /** Does nothing if there is no such file. */
  remove(name: string, signal?: AbortSignal): Promise<void>
  /** Lists the files of a folder, not recursively. `folder` is `''` or ends in `/`. */
  list(folder: string, signal?: AbortSignal): Promise<ListedFile[]>
  /** URI of a file or folder for programs that read the store directly: `file:///…`, `s3://…`. */
  uri(name: string): string
  /** Returns a URL valid for `seconds`. Undefined if the service signs and serves its own URLs. */
  presign?(name: string, about: ObjectMetadata, seconds: number): Promise<string>
  /** Path of the file, if the service serves it itself. */
  path?(name: string): string
}

/** Media type and download name: `pun-hourly.parquet`. */
export function objectMetadata({ dataset, format }: DatasetInFormat): ObjectMetadata {
  const { mediaType, extension } = BULK_FILE_TYPES[format]
  return { mediaType, filename: `${dataset}.${extension}` }
}
