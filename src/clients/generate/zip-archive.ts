/** Writes ZIP archives: entries, and a central directory. */
import { crc32 } from 'node:zlib'

/** Flag for UTF-8 names. Without it, names are in the DOS code page, where control characters are graphic symbols. */
export const UTF8_NAME = 0x800
/** 1 January 1980, the earliest possible date. It is fixed, so that the same content gives the same archive. */
const DATE = 0x0021

export interface ZipEntry {
  name: string
  data: Buffer
  flags: number
  /** 0: stored, 8: deflated. */
  method: number
  checksum: number
  /** Uncompressed size. */
  bytes: number
}

export function storedEntry(name: string, content: string | Buffer): ZipEntry {
  const data = Buffer.from(content)
  return { name, data, flags: UTF8_NAME, method: 0, checksum: crc32(data), bytes: data.length }
}

export function zipArchive(contents: ZipEntry[]): Buffer {
  const entries: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const content of contents) {
    const name = Buffer.from(content.name)
    const entry = Buffer.concat([localHeader(content, name), name, content.data])
    directory.push(Buffer.concat([directoryHeader(content, name, offset), name]))
    entries.push(entry)
    offset += entry.length
  }
  const directoryBytes = directory.reduce((sum, header) => sum + header.length, 0)
  return Buffer.concat([...entries, ...directory, endOfDirectory(contents.length, directoryBytes, offset)])
}

function localHeader(entry: ZipEntry, name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeFields(header, 4, entry, name)
  return header
}

function directoryHeader(entry: ZipEntry, name: Buffer, offset: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(20, 4)
  writeFields(header, 6, entry, name)
  header.writeUInt32LE(offset, 42)
  return header
}

/** The part that both headers share. */
function writeFields(header: Buffer, at: number, { flags, method, checksum, data, bytes }: ZipEntry, name: Buffer) {
  header.writeUInt16LE(20, at)
  header.writeUInt16LE(flags, at + 2)
  header.writeUInt16LE(method, at + 4)
  header.writeUInt16LE(DATE, at + 8)
  header.writeUInt32LE(checksum, at + 10)
  header.writeUInt32LE(data.length, at + 14)
  header.writeUInt32LE(bytes, at + 18)
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
