/** Where finished files are kept: a folder that the service serves itself, or an S3-compatible store. */
import { BULK_FILE_TYPES, type BulkDataset, type BulkFormat } from '../../api/contract/bulk.ts'

export interface DatasetInFormat {
  dataset: BulkDataset
  format: BulkFormat
}

export interface StoredAbout {
  mediaType: string
  /** As which a browser saves it. */
  filename: string
}

export interface FileStore extends Disposable {
  /** Takes over a finished local file under a name of its own: afterwards it is there as a whole, and the local one is gone. */
  put(file: string, name: string, about: StoredAbout, signal?: AbortSignal): Promise<void>
  has(name: string, signal?: AbortSignal): Promise<boolean>
  /** Nothing happens where there is none. */
  remove(name: string, signal?: AbortSignal): Promise<void>
  /** Names of the files that have been there since before the instant. */
  namesBefore(instant: Temporal.Instant, signal?: AbortSignal): Promise<string[]>
  /** An address that is good for so many seconds; undefined where the service signs and serves addresses of its own. */
  presign?(name: string, about: StoredAbout, seconds: number): Promise<string>
  /** The file itself, where the service serves it. */
  path?(name: string): string
}

/** How the file is called and sent: `pun-hourly.parquet`. */
export function storedAbout({ dataset, format }: DatasetInFormat): StoredAbout {
  const { mediaType, extension } = BULK_FILE_TYPES[format]
  return { mediaType, filename: `${dataset}.${extension}` }
}
