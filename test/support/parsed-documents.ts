/** Reads documents through the real path in tests: bytes in, items and faults out. */
import { type ReadOptions, readDocumentsIn, type SourceDocument } from '../../src/ingest/read-documents.ts'
import { sourceFileFromBytes } from '../../src/ingest/source-file.ts'
import type { Fault } from '../../src/publishers/faults.ts'
import type { DailyPrice, Parsed, ZoneDay } from '../../src/publishers/observations.ts'

export interface ReadResult {
  documents: (Omit<SourceDocument, 'parsed'> & { items: Parsed[] })[]
  items: Parsed[]
  zoneDays: ZoneDay[]
  dailyPrices: DailyPrice[]
  /** Faults of documents, not of their days. */
  faults: Fault[]
}

/** Everything the file states, document by document and all together. */
export async function readAll(
  content: string | Buffer,
  options: ReadOptions & { name?: string } = {},
): Promise<ReadResult> {
  const file = await sourceFileFromBytes(options.name ?? 'document', Buffer.from(content))
  const documents: ReadResult['documents'] = []
  for await (const { parsed, ...document } of readDocumentsIn(file, options)) {
    documents.push({ ...document, items: await Array.fromAsync(parsed) })
  }
  const items = documents.flatMap((document) => document.items)
  return {
    documents,
    items,
    zoneDays: items.filter((item) => item.kind === 'zone-day'),
    dailyPrices: items.filter((item) => item.kind === 'daily-price'),
    faults: items.flatMap((item) => (item.kind === 'document-fault' ? [item.fault] : [])),
  }
}

/** `nord 2026-01-14 60` and the like: which zone-days came out, in order. */
export function namesOf(zoneDays: ZoneDay[]): string[] {
  return zoneDays.map(({ zone, day, resolutionMinutes }) => `${zone} ${day} ${resolutionMinutes}`)
}
