/**
 * Keeps the last row (the head) of each forecast chain outside the database, as a log line and a file in the store, so that truncation
 * of a chain is detected. Files are never replaced or removed; file names contain the heads themselves, so listing the folder is enough.
 */
import type { SavedHead } from '../../market/ledger.ts'
import { toUtcIso } from '../../market/market-day.ts'
import { ledgerHead, ledgerHeadNotKept } from '../../platform/events.ts'
import type { Logger } from '../../platform/log.ts'
import type { Sql } from '../../store/database.ts'
import { ledgerHeads } from '../../store/forecast-ledger.ts'
import type { FileStore } from './file-store.ts'
import { putContent } from './publish-files.ts'

const FOLDER = 'ledger/'
/** `ledger/hours-issued-<first hash, 8 digits>-<sequence>-<hash>.txt` */
const FIRST_DIGITS = 8
const NAME = /^ledger\/(hours-)?(issued|sample)-([0-9a-f]{8})-(\d+)-([0-9a-f]{64})\.txt$/
/** Time limit for all requests to the store. */
const STORE_MS = 20_000

interface SaveHeadsOptions {
  sql: Sql
  store: FileStore
  /** Folder for files before they are stored. */
  folder: string
  log: Logger
  signal: AbortSignal
}

/** Stores the heads that the store does not have yet. A failure is logged and otherwise ignored. */
export async function saveLedgerHeads({ sql, store, folder, log, signal: stopping }: SaveHeadsOptions): Promise<void> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(STORE_MS)])
  for (const { issuedAt, ...head } of await ledgerHeads(sql)) {
    const { chain, sequence, hash } = head
    const name = nameOf(head)
    const text = `${chain} ${sequence} ${hash} ${toUtcIso(issuedAt)}\n`
    try {
      if (await store.has({ name, bytes: text.length }, signal)) continue
      ledgerHead(log, { chain, sequence, hash })
      await putContent({ store, folder, signal }, { name, mediaType: 'text/plain' }, text)
    } catch (err) {
      stopping.throwIfAborted()
      ledgerHeadNotKept(log, { chain, sequence, hash, err })
    }
  }
}

export async function listSavedHeads(store: FileStore): Promise<SavedHead[]> {
  return (await store.list(FOLDER)).flatMap(({ name }) => {
    const [, hours = '', chain, first, sequence, hash] = NAME.exec(name) ?? []
    if (first === undefined || hash === undefined) return []
    return [{ chain: `${hours && 'hours '}${chain}`, sequence: Number(sequence), hash, first }]
  })
}

function nameOf({ chain, sequence, hash, first }: SavedHead): string {
  return `${FOLDER}${chain.replace(' ', '-')}-${first.slice(0, FIRST_DIGITS)}-${sequence}-${hash}.txt`
}
