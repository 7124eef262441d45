/** Writes ZIP archives for tests: deflated entries, a central directory, and on request headers that lie. */
import { crc32, deflateRawSync } from 'node:zlib'

/** Without it names are of the code page of DOS, in which control characters are pictures. */
const UTF8_NAME = 0x800

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
  const entries: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const content of contents) {
    const { data, fields } = packed(content)
    const name = Buffer.from(content.name)
    const entry = Buffer.concat([localHeader(fields, name), name, data])
    directory.push(Buffer.concat([directoryHeader(fields, name, offset), name]))
    entries.push(entry)
    offset += entry.length
  }
  const directoryBytes = directory.reduce((sum, header) => sum + header.length, 0)
  return Buffer.concat([...entries, ...directory, endOfDirectory(contents.length, directoryBytes, offset)])
}

interface Fields {
  flags: number
  method: number
  checksum: number
  compressedBytes: number
  bytes: number
}

function packed({ content, claimedBytes, claimedChecksum, stored = false, encrypted = false }: ZipContent) {
  const plain = Buffer.from(content)
  const data = stored ? plain : deflateRawSync(plain)
  const fields: Fields = {
    flags: UTF8_NAME | (encrypted ? 1 : 0),
    method: stored ? 0 : 8,
    checksum: claimedChecksum ?? crc32(plain),
    compressedBytes: data.length,
    bytes: claimedBytes ?? plain.length,
  }
  return { data, fields }
}

function localHeader(fields: Fields, name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeFields(header, 4, fields, name)
  return header
}

function directoryHeader(fields: Fields, name: Buffer, offset: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(20, 4)
  writeFields(header, 6, fields, name)
  header.writeUInt32LE(offset, 42)
  return header
}

/** The part that both headers share; the time of the file stays 0. */
function writeFields(header: Buffer, at: number, fields: Fields, name: Buffer): void {
  header.writeUInt16LE(20, at)
  header.writeUInt16LE(fields.flags, at + 2)
  header.writeUInt16LE(fields.method, at + 4)
  header.writeUInt32LE(fields.checksum, at + 10)
  header.writeUInt32LE(fields.compressedBytes, at + 14)
  header.writeUInt32LE(fields.bytes, at + 18)
  header.writeUInt16LE(name.length, at + 22)
}

function endOfDirectory(count: number, directoryBytes: number, directoryOffset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directoryBytes, 12)
  end.writeUInt32LE(directoryOffset, 16)
  return end
}
