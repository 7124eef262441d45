/**
 * Import of files and folders: each file's documents are read, pass the gate and are stored, in order of their names. The publisher
 * is the one the caller names, else the one whose form the document has, else the one that states the asset (`defaultSourceFor`).
 */
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { AssetSlug } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Clock } from '../platform/clock.ts'
import type { Parsed } from '../publishers/observations.ts'
import { defaultSourceFor } from '../publishers/sources.ts'
import type { Database } from '../store/database.ts'
import { loadPriceLimits } from '../store/price-limits.ts'
import { addCounts, NOTHING_STORED } from '../store/price-writer.ts'
import { type IngestSession, type IngestSummary, ingestSession } from './ingest.ts'
import { readDocuments, type SourceDocument } from './read-documents.ts'

export interface ImportOptions {
  database: Pick<Database, 'sql' | 'kysely'>
  clock: Clock
  /** Files and folders; folders are searched recursively. */
  paths: string[]
  /** Id of the publisher of everything in the files. */
  source?: string
  /** For CSV whose columns do not name an asset, and to choose among several price columns. */
  asset?: AssetSlug
  column?: string
  /** Day of lists of offers whose file names do not state it. */
  day?: MarketDay
  onProgress?(progress: ImportProgress): void
  signal?: AbortSignal
}

export interface ImportProgress {
  bytesRead: number
  bytesTotal: number
  file: string
}

/** Throws where a path does not exist; whatever is wrong inside a file is in the summary. */
export async function importFiles(options: ImportOptions): Promise<IngestSummary> {
  const files = await listFiles(options.paths)
  const bytesTotal = files.reduce((sum, file) => sum + file.bytes, 0)
  const sessions = await sessionsBySource(options)
  let bytesBefore = 0
  for (const file of files) {
    const onProgress = (bytesRead: number) =>
      options.onProgress?.({ bytesRead: bytesBefore + Math.min(bytesRead, file.bytes), bytesTotal, file: file.path })
    await importFile(file.path, sessions, { ...options, onProgress })
    bytesBefore += file.bytes
  }
  return sessions.finish()
}

interface Sessions {
  of(item: Parsed, document: Pick<SourceDocument, 'source'>): IngestSession
  finish(): Promise<IngestSummary>
}

async function importFile(
  file: string,
  sessions: Sessions,
  options: Omit<ImportOptions, 'onProgress'> & { onProgress(bytesRead: number): void },
): Promise<void> {
  const { asset, column, day, onProgress, clock, signal } = options
  for await (const document of readDocuments(file, { asset, column, day, onProgress })) {
    const origin = { sha256: document.sha256, address: document.name, bytes: document.bytes, fetchedAt: clock.now() }
    for await (const item of document.parsed) {
      signal?.throwIfAborted()
      await sessions.of(item, document).add(item, origin)
    }
  }
}

async function sessionsBySource({ database, clock, source }: ImportOptions): Promise<Sessions> {
  const limits = await loadPriceLimits(database)
  const sessions = new Map<string, IngestSession>()
  return {
    of(item, document) {
      const id = source ?? document.source ?? defaultSourceFor(item.kind === 'daily-price' ? item.asset : 'PUN').id
      const session = sessions.get(id) ?? ingestSession({ sql: database.sql, clock, limits, source: id })
      sessions.set(id, session)
      return session
    },
    async finish() {
      const total: IngestSummary = {
        ...NOTHING_STORED,
        documents: 0,
        read: 0,
        refused: [],
        offerDays: [],
        publishedValues: [],
      }
      for (const session of sessions.values()) {
        const part = await session.finish()
        Object.assign(total, addCounts(total, part))
        total.documents += part.documents
        total.read += part.read
        total.refused.push(...part.refused)
        total.offerDays.push(...part.offerDays)
        total.publishedValues.push(...part.publishedValues)
      }
      return total
    },
  }
}

interface FileToImport {
  path: string
  bytes: number
}

/** Files as named, folders as everything below them in order of name; hidden files are skipped. */
async function listFiles(paths: string[]): Promise<FileToImport[]> {
  const files: FileToImport[] = []
  for (const name of paths) {
    const found = await stat(name)
    if (!found.isDirectory()) files.push({ path: name, bytes: found.size })
    else {
      const below = (await readdir(name)).filter((entry) => !entry.startsWith('.')).sort()
      files.push(...(await listFiles(below.map((entry) => path.join(name, entry)))))
    }
  }
  return files
}
