/** Reads documents as production does: from bytes to items and faults. */
import { type ReadOptions, readDocumentsIn, type SourceDocument } from '../../src/ingest/read-documents.ts'
import { sourceFileFromBytes } from '../../src/ingest/source-file.ts'
import type { Fault } from '../../src/publishers/faults.ts'
import type { DailyPrice, Parsed, ZoneDay } from '../../src/publishers/observations.ts'

export interface ReadResult {
  documents: (Omit<SourceDocument, 'parsed'> & { items: Parsed[] })[]
  items: Parsed[]
  zoneDays: ZoneDay[]
  dailyPrices: DailyPrice[]
  /** Faults of whole documents, without those of single days. */
  faults: Fault[]
}

/** Everything that the file contains, by document and in total. */
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

/** The zone-days in order, like `nord 2026-01-14 60`. */
export function namesOf(zoneDays: ZoneDay[]): string[] {
  return zoneDays.map(({ zone, day, resolutionMinutes }) => `${zone} ${day} ${resolutionMinutes}`)
}
