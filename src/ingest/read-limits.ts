/** What one imported file may cost. Sizes are counted while inflating: an archive's header is not trusted. */

const MIB = 1024 * 1024

export interface ReadLimits {
  /** Size of a gzip or ZIP file as found. */
  compressedFileBytes: number
  /** Size of one document, after decompression. */
  documentBytes: number
  /** Size of all documents of one archive together, after decompression. */
  archiveBytes: number
  /** Bytes out per byte in, once a document has passed `ratioFreeBytes`. GME's repetitive XML stays below 60. */
  ratio: number
  ratioFreeBytes: number
  /** Size of a workbook, as found and its parts together: it is held in memory whole. A yearly report has 0.6 MiB. */
  workbookBytes: number
  /** Entries of one ZIP. */
  entries: number
}

export const READ_LIMITS: Readonly<ReadLimits> = {
  compressedFileBytes: 64 * MIB,
  documentBytes: 256 * MIB,
  archiveBytes: 1024 * MIB,
  ratio: 200,
  ratioFreeBytes: MIB,
  workbookBytes: 16 * MIB,
  entries: 5_000,
}

/** For messages: `64 MiB`, `1.5 KiB`, `12 bytes`. */
export function readableSize(bytes: number): string {
  if (bytes >= MIB) return `${+(bytes / MIB).toFixed(1)} MiB`
  return bytes >= 1024 ? `${+(bytes / 1024).toFixed(1)} KiB` : `${bytes} bytes`
}
