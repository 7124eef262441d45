/** Where finished files are kept: a folder served by the service, or an S3-compatible store. */
import { BULK_FILE_TYPES, type BulkDataset, type BulkFormat } from '../../api/contract/bulk.ts'

export interface DatasetInFormat {
  dataset: BulkDataset
  format: BulkFormat
}

/** As the database describes it. */
interface StoredFile {
  name: string
  bytes: number
}

interface ObjectMetadata {
  mediaType: string
  /** The name under which a browser saves it. */
  filename: string
}

export interface FileStore extends Disposable {
  /** Moves a finished local file into the store, all or nothing; the local file is gone afterwards. */
  put(file: string, name: string, about: ObjectMetadata, signal?: AbortSignal): Promise<void>
  /** Whether it is there in its full length. */
  has(file: StoredFile, signal?: AbortSignal): Promise<boolean>
  /** Does nothing if there is no such file. */
  remove(name: string, signal?: AbortSignal): Promise<void>
  /** Names of the files stored before the instant. */
  namesBefore(instant: Temporal.Instant, signal?: AbortSignal): Promise<string[]>
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
