/**
 * Imports files and folders: reads the documents of each file in order of name, passes them through the gate and stores them. The
 * publisher is the one the caller names, else the one the document's form identifies, else the official one (`defaultSource`).
 */
import { existsSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { AssetSlug } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Clock } from '../platform/clock.ts'
import { DiskFull } from '../platform/disk-space.ts'
import type { Parsed } from '../publishers/observations.ts'
import type { Publisher } from '../publishers/publisher.ts'
import { defaultSourceFor, fundamentalSource, sourceDefinition } from '../publishers/sources.ts'
import type { Database } from '../store/database.ts'
import { loadPriceLimits } from '../store/price-limits.ts'
import { addCounts } from '../store/price-writer.ts'
import { emptySummary, type IngestSession, type IngestSummary, ingestSession } from './ingest.ts'
import { readDocuments, type SourceDocument } from './read-documents.ts'
import { UnreadableFile, unreadable } from './source-file.ts'

export interface ImportOptions {
  database: Pick<Database, 'sql'>
  clock: Clock
  /** Files and folders; folders are searched recursively. */
  paths: string[]
  /** Id of the publisher of everything in the files. */
  source?: string
  /** For CSV whose columns do not name an asset, and to choose among several price columns. */
  asset?: AssetSlug
  column?: string
  /** Day of offer lists; overrides the one in the file name. */
  day?: MarketDay
  onProgress?(progress: ImportProgress): void
  /** Throws DiskFull if there is no disk space to continue after `pricesBefore` prices. */
  requireSpace?(pricesBefore: number): Promise<void>
  signal?: AbortSignal
}

export interface ImportProgress {
  bytesRead: number
  bytesTotal: number
  file: string
}

export interface ImportSummary extends IngestSummary {
  /** Number of documents with at least one item. */
  documents: number
  /** Faults of whole documents of unknown publisher. They are not quarantined, since no decision about them is possible. */
  unattributed: IngestSummary['refused']
  /** Skipped files, and why. */
  skipped: UnreadableFile[]
  /** The error that stopped the import early; the whole days read before it are stored. */
  stoppedBy: DiskFull | undefined
}

/** Items between two checks of disk space; fewer than a batch. */
const ITEMS_BETWEEN_SPACE_CHECKS = 100

/** Throws if none of the paths exists; any other problem with files is in the summary. */
export async function importFiles(options: ImportOptions): Promise<ImportSummary> {
  const { files, skipped } = await listFiles(options.paths)
  const bytesTotal = files.reduce((sum, file) => sum + file.bytes, 0)
  const sessions = await sessionsBySource(options)
  const outcome: Pick<ImportSummary, 'documents' | 'unattributed' | 'skipped' | 'stoppedBy'> = {
    documents: 0,
    unattributed: [],
    skipped,
    stoppedBy: undefined,
  }
  let bytesBefore = 0
  for (const file of files) {
    const onProgress = (bytesRead: number) =>
      options.onProgress?.({ bytesRead: bytesBefore + Math.min(bytesRead, file.bytes), bytesTotal, file: file.path })
    try {
      await importFile(file.path, sessions, outcome, { ...options, onProgress })
    } catch (err) {
      if (err instanceof UnreadableFile) skipped.push(err)
      else if (err instanceof DiskFull) outcome.stoppedBy = err
      else throw err
    }
    if (outcome.stoppedBy !== undefined) break
    bytesBefore += file.bytes
  }
  return { ...(await sessions.finish()), ...outcome }
}

interface Sessions {
  pricesRead(): number
  sessionFor(item: Parsed, document: Pick<SourceDocument, 'source'>): IngestSession
  finish(): Promise<IngestSummary>
}

/** Ingests one file; adds its non-empty documents, and the faults of those of unknown publisher, to the outcome. */
async function importFile(
  file: string,
  sessions: Sessions,
  outcome: Pick<ImportSummary, 'documents' | 'unattributed'>,
  options: Omit<ImportOptions, 'onProgress'> & { onProgress(bytesRead: number): void },
): Promise<void> {
  const { asset, column, day, onProgress, clock, signal, requireSpace } = options
  const named = options.source === undefined ? undefined : sourceDefinition(options.source)
  for await (const document of readDocuments(file, { asset, column, day, onProgress })) {
    const isUnattributed = named === undefined && document.source === undefined
    const origin = { sha256: document.sha256, address: document.name, bytes: document.bytes, fetchedAt: clock.now() }
    let items = 0
    for await (const item of document.parsed) {
      signal?.throwIfAborted()
      if (items++ % ITEMS_BETWEEN_SPACE_CHECKS === 0) await requireSpace?.(sessions.pricesRead())
      if (isUnattributed && item.kind === 'document-fault') {
        outcome.unattributed.push({ document: document.name, series: 'document', day: null, faults: [item.fault] })
        continue
      }
      if (named !== undefined) refuseForeign(named, item, document.name)
      await sessions.sessionFor(item, document).add(item, origin)
    }
    if (items > 0) outcome.documents++
  }
}

async function sessionsBySource({ database, clock, source }: ImportOptions): Promise<Sessions> {
  const limits = await loadPriceLimits(database.sql)
  const sessions = new Map<string, IngestSession>()
  return {
    pricesRead: () => [...sessions.values()].reduce((sum, session) => sum + session.pricesRead(), 0),
    sessionFor(item, document) {
      const id = source ?? document.source ?? defaultSource(item).id
      const session = sessions.get(id) ?? ingestSession({ sql: database.sql, clock, limits, source: id })
      sessions.set(id, session)
      return session
    },
    async finish() {
      const total = emptySummary()
      for (const session of sessions.values()) {
        const part = await session.finish()
        Object.assign(total, addCounts(total, part))
        total.read += part.read
        total.refused = total.refused.concat(part.refused) // push(...) could exceed the argument limit
        total.offerDays.push(...part.offerDays)
        total.publishedValues.push(...part.publishedValues)
      }
      return total
    },
  }
}

/** Throws if a price would be attributed to a publisher that does not publish it. */
function refuseForeign({ id, assets, zones }: Publisher, item: Parsed, document: string): void {
  const foreign =
    (item.kind === 'daily-price' && !assets.includes(item.asset) && item.asset) ||
    (item.kind === 'zone-day' && !zones.includes(item.zone) && item.zone)
  if (foreign) throw new UnreadableFile(document, `has prices of ${foreign}, which ${id} does not publish`)
}

function defaultSource(item: Parsed): Publisher {
  if (item.kind === 'fundamental-day') return fundamentalSource(item.series)
  return defaultSourceFor(item.kind === 'daily-price' ? item.asset : 'PUN')
}

interface FileToImport {
  path: string
  bytes: number
}

interface Listing {
  files: FileToImport[]
  skipped: UnreadableFile[]
}

/** Lists files as given and folders recursively, in order of name; skips hidden files in folders. */
async function listFiles(paths: string[]): Promise<Listing> {
  const listing: Listing = { files: [], skipped: [] }
  for (const name of paths) await addToListing(name, [], listing)
  const [missing] = listing.skipped
  if (missing !== undefined && listing.files.length === 0 && !paths.some((name) => existsSync(name))) throw missing // a usage error
  return listing
}

/** `above`: real paths of the enclosing folders, to detect symbolic links that lead back to one of them. */
async function addToListing(name: string, above: string[], listing: Listing): Promise<void> {
  try {
    const found = await stat(name)
    if (!found.isDirectory()) {
      listing.files.push({ path: name, bytes: found.size })
      return
    }
    const folder = await realpath(name)
    if (above.includes(folder))
      throw new UnreadableFile(name, 'is a symbolic link that leads back to a folder above it')
    const below = (await readdir(name)).filter((entry) => !entry.startsWith('.')).sort()
    if (below.length === 0) throw new UnreadableFile(name, 'is an empty folder: put the files in it, or name another')
    for (const entry of below) await addToListing(path.join(name, entry), [...above, folder], listing)
  } catch (err) {
    const problem = err instanceof UnreadableFile ? err : unreadable(name, err)
    if (problem === undefined) throw err
    listing.skipped.push(problem)
  }
}
