/**
 * `npm run try-source -- <id> --day <day>` or `-- <id> --file <path>`: fetches from the publisher, or reads the file, as the
 * service would, and prints the contents and the verdict of the gate. Stores nothing and needs no database.
 */
import { parseArgs } from 'node:util'
import { readFetched } from '../ingest/fetched-items.ts'
import { readDocuments } from '../ingest/read-documents.ts'
import { sourceRegistry } from '../ingest/source-registry.ts'
import { type MarketDay, parseMarketDay } from '../market/market-day.ts'
import { makeClock } from '../platform/clock.ts'
import { NotYetPublished, SourceRefused, SourceUnreachable } from '../platform/fetch/outcomes.ts'
import type { Parsed } from '../publishers/observations.ts'
import { FETCHED_PUBLISHERS, sourceById } from '../publishers/sources.ts'
import { readConfig } from '../service/config/config.ts'
import { runCommand, UsageError } from './command.ts'
import { presentItems } from './present-items.ts'
import { print, printError } from './print.ts'

const FETCHED = FETCHED_PUBLISHERS.map(({ id }) => id)

const USAGE = `usage: npm run try-source -- <id> --day <YYYY-MM-DD>
       npm run try-source -- <id> --file <path>
  <id>     to ask: ${FETCHED.join(', ')}; of a file: any source
  --day    market day; credentials and addresses come from the environment, SOURCES need not name the source`

await runCommand(async () => {
  const { id, day, file } = readArguments()
  const items = day === undefined ? await readItems(id, file ?? '') : await fetchItems(id, day)
  if (items === undefined) return 1
  const { lines, isAcceptable } = presentItems(items)
  print(...lines)
  return isAcceptable ? 0 : 1
}, USAGE)

/** Returns undefined if the publisher gave no answer to show. */
async function fetchItems(id: string, day: MarketDay): Promise<Parsed[] | undefined> {
  const source = FETCHED.find((known) => known === id)
  if (source === undefined) throw new UsageError(`"${id}" cannot be fetched from\n${USAGE}`)
  const config = readConfig({ ...process.env, SOURCES: source })
  const clock = makeClock(config.clockStart)
  await using sources = sourceRegistry({ config, clock })
  const fetcher = sources.find(source)
  if (fetcher === undefined) throw new UsageError(`${source} is off: ${offReason(sources.off, source)}`)
  printError(`asking ${source} (${fetcher.way}) for ${day} …`)
  const span = { from: day, to: day }
  const { found, documents, failure } = await readFetched({ clock, sources }, fetcher, span, neverAborted(), false)
  for (const { address } of documents) printError(`got ${address}`)
  if (failure !== undefined) reportFailure(failure)
  if (failure !== undefined && found.length === 0) return undefined
  return found.map(({ item }) => item)
}

async function readItems(id: string, file: string): Promise<Parsed[]> {
  if (sourceById(id) === undefined) throw new UsageError(`there is no source "${id}"\n${USAGE}`)
  const items: Parsed[] = []
  for await (const document of readDocuments(file)) {
    const whose = document.source === undefined ? 'nobody in particular' : document.source
    printError(`read ${document.name}: ${document.kind}, of ${whose}`)
    if (document.source !== undefined && document.source !== id) printError(`  that is not ${id}`)
    items.push(...(await Array.fromAsync(document.parsed)))
  }
  return items
}

/** Reports in a sentence why a publisher delivered no document; anything else is an internal error and is rethrown. */
function reportFailure(failure: unknown): void {
  const isPublisherFailure =
    failure instanceof NotYetPublished || failure instanceof SourceUnreachable || failure instanceof SourceRefused
  if (!isPublisherFailure) throw failure
  printError(`${failure.name}: ${failure.message}`)
}

function offReason(off: readonly { source: string; off: string }[], source: string): string {
  return off.find((one) => one.source === source)?.off ?? 'for no stated reason'
}

/** A signal ends the whole process, so nothing needs to abort. */
function neverAborted(): AbortSignal {
  return new AbortController().signal
}

function readArguments(): { id: string; day: MarketDay | undefined; file: string | undefined } {
  const { values, positionals } = parseArgs({
    options: { day: { type: 'string' }, file: { type: 'string' } },
    allowPositionals: true,
  })
  const [id] = positionals
  if (id === undefined || positionals.length > 1) throw new UsageError(USAGE)
  if ((values.day === undefined) === (values.file === undefined)) {
    throw new UsageError(`one of --day and --file is needed\n${USAGE}`)
  }
  const day = values.day === undefined ? undefined : parseMarketDay(values.day)
  if (values.day !== undefined && day === undefined) {
    throw new UsageError(`--day "${values.day}" is not a day of the calendar such as 2026-03-29`)
  }
  return { id, day, file: values.file }
}
