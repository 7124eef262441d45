/** ZIP archives for tests: deflated entries, optionally with false headers. */
import { deflateRawSync } from 'node:zlib'
import { storedEntry, UTF8_NAME, zipArchive as writeArchive } from '../../src/clients/generate/zip-archive.ts'

export interface ZipContent {
  name: string
  content: string | Buffer
  /** The decompressed size in the headers; the true one by default. */
  claimedBytes?: number
  /** The checksum in the headers; the true one by default. */
  claimedChecksum?: number
  stored?: boolean
  encrypted?: boolean
}

export function zipArchive(contents: ZipContent[]): Buffer {
  return writeArchive(
    contents.map(({ name, content, claimedBytes, claimedChecksum, stored = false, encrypted = false }) => {
      const plain = storedEntry(name, content)
      return {
        name,
        data: stored ? plain.data : deflateRawSync(plain.data),
        flags: UTF8_NAME | (encrypted ? 1 : 0),
        method: stored ? 0 : 8,
        checksum: claimedChecksum ?? plain.checksum,
        bytes: claimedBytes ?? plain.bytes,
      }
    }),
  )
}
