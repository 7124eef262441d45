/** Writes bytes to a file that must not exist yet, counts and hashes them, and syncs the file. On an error the file is removed. */
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { DaySpan } from './dataset.ts'

export interface WrittenFile {
  bytes: number
  /** SHA-256 in hexadecimal. */
  sha256: string
}

export interface MadeFile extends WrittenFile {
  rows: number
  days: DaySpan
  sourceIds: string[]
}

export async function writeAndSync(file: string, content: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
  const handle = await open(file, 'wx', 0o644)
  try {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const piece of content) {
      hash.update(piece)
      await handle.writeFile(piece)
      bytes += piece.length
    }
    await handle.sync()
    await handle.close()
    return { bytes, sha256: hash.digest('hex') }
  } catch (err) {
    await handle.close()
    await rm(file, { force: true })
    throw err
  }
}
