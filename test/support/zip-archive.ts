/** ZIP archives for tests: deflated entries, and on request headers that lie. */
import { deflateRawSync } from 'node:zlib'
import { storedEntry, UTF8_NAME, zipArchive as writeArchive } from '../../src/clients/generate/zip-archive.ts'

export interface ZipContent {
  name: string
  content: string | Buffer
  /** What the headers claim as the decompressed size; the truth by default. */
  claimedBytes?: number
  /** What the headers claim as the checksum; the truth by default. */
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
