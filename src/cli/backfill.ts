/**
 * `npm run backfill -- --source <id> --from <day> --to <day>`: fetches a past period of a publisher. It can run beside a running
 * service, can be interrupted, and resumes where it stopped when it is run again.
 */
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { computeOfferIndices } from '../../jobs/compute-offer-indices.ts'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { type BackfillProgress, type BackfillSummary, backfill } from '../ingest/backfill.ts'
import { counted } from '../market/counted.ts'
import { type MarketDay, parseMarketDay } from '../market/market-day.ts'
import { createLogger } from '../platform/log.ts'
import type { DaySpan } from '../publishers/fetch-days.ts'
import type { Fetcher } from '../publishers/fetcher.ts'
import { latestDueDay } from '../publishers/schedule.ts'
import { FETCHED_PUBLISHERS } from '../publishers/sources.ts'
import { readConfig } from '../service/config/config.ts'
import { type Context, makeContext } from '../service/context.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import { runCommand, UsageError } from './command.ts'
import { print, printError } from './print.ts'

const FETCHED = FETCHED_PUBLISHERS.map(({ id }) => id)

const USAGE = `usage: npm run backfill -- --source <id> --from <YYYY-MM-DD> [--to <YYYY-MM-DD>] [--again]
  --source   one of ${FETCHED.join(', ')}; credentials and addresses come from the environment
  --from     first market day
  --to       last market day; default: the latest that is out
  --again    also days that are stored already, for corrections`

const OPTIONS = {
  source: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  again: { type: 'boolean', default: false },
} as const

/** Maximum number of missing days that are listed. */
const MISSING_SHOWN_MAX = 20
/** The shell's exit code for an interrupted command. */
const INTERRUPTED = 130

if (import.meta.main)
  await runCommand(async () => {
    const { source, from, to, again } = readArguments(process.argv.slice(2))
    const config = readConfig({ LOG_LEVEL: 'warn', ...process.env, SOURCES: source })
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort(new Error(signal)))

    const log = createLogger({ level: config.logLevel })
    await using ctx = await makeContext({ config, log, open: openOrJoinDatabase })
    const fetcher = fetcherOf(ctx, source)
    const span = { from, to: to ?? latestDueDay(fetcher, ctx.clock.now()) }
    if (Temporal.PlainDate.compare(span.from, span.to) > 0)
      throw new UsageError(`--from ${span.from} is after --to ${span.to}`)
    const progress = progressBar()
    const summary = await backfill(ctx, {
      fetcher,
      span,
      again,
      signal: stop.signal,
      onProgress: progress.update,
    }).finally(progress.stop)
    if (summary.counts.stored + summary.counts.corrected > 0) {
      await ctx.queue.work([refreshAggregates], [], ctx)
      await ctx.queue.sendAndWait(refreshAggregates, {})
    }
    if (summary.offerLists > 0) {
      await ctx.queue.work([computeOfferIndices], [], ctx)
      await ctx.queue.sendAndWait(computeOfferIndices, {})
    }
    report(source, span, summary)
    if (summary.stoppedBy === 'signal') return INTERRUPTED
    return summary.stoppedBy !== undefined || summary.refused.length > 0 ? 1 : 0
  }, USAGE)

export function readArguments(args: string[]): {
  source: string
  from: MarketDay
  to: MarketDay | undefined
  again: boolean
} {
  const { values } = parseArgs({ args, options: OPTIONS })
  const source = FETCHED.find((id) => id === values.source)
  if (source === undefined) throw new UsageError(`--source must be one of ${FETCHED.join(', ')}\n${USAGE}`)
  if (values.from === undefined) throw new UsageError(`--from is missing\n${USAGE}`)
  const to = values.to === undefined ? undefined : dayOf('--to', values.to)
  return { source, from: dayOf('--from', values.from), to, again: values.again }
}

function dayOf(name: string, text: string): MarketDay {
  const day = parseMarketDay(text)
  if (day === undefined) throw new UsageError(`${name} must be a calendar date, YYYY-MM-DD; got "${text}"`)
  return day
}

function fetcherOf({ sources }: Pick<Context, 'sources'>, source: string): Fetcher {
  const fetcher = sources.find(source)
  if (fetcher !== undefined) return fetcher
  const reason = sources.off.find((off) => off.source === source)?.off
  throw new UsageError(`${source} cannot be fetched from: ${reason}`)
}

/** Shows progress on a terminal; otherwise only the summary is printed. */
function progressBar(): { update(progress: BackfillProgress): void; stop(): void } {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} }
  const bar = new SingleBar({
    format: '{bar} {value} of {total} days, {eta_formatted} left, at {day}',
    clearOnComplete: true,
  })
  return {
    update({ daysDone, daysTotal, day }) {
      if (!bar.isActive) bar.start(daysTotal, 0, { day: day.toString() })
      bar.update(daysDone, { day: day.toString() })
    },
    stop: () => bar.stop(),
  }
}

function report(source: string, span: DaySpan, summary: BackfillSummary): void {
  const { counts, offerLists, expected, alreadyStored, missing, refused, stoppedBy } = summary
  for (const { document, series, day, faults } of refused.slice(0, MISSING_SHOWN_MAX)) {
    for (const { place, detail, code } of faults)
      printError(`${document}: ${series} ${day}: ${place}: ${detail} [${code}]`)
  }
  if (missing.length > 0) {
    const rest = missing.length > MISSING_SHOWN_MAX ? ` and ${missing.length - MISSING_SHOWN_MAX} more` : ''
    printError(`not complete: ${missing.slice(0, MISSING_SHOWN_MAX).join(', ')}${rest}`)
  }
  const lists = offerLists > 0 ? `${counted(offerLists, 'list')} of offers stored; ` : ''
  const better = counts.outranked > 0 ? `, ${counts.outranked} left out for a better source` : ''
  print(
    `${source} ${span.from} to ${span.to}: ${counted(expected, 'day')}, ${alreadyStored} there already; prices: ${counts.stored} stored, ` +
      `${counts.unchanged} unchanged, ${counts.corrected} corrected${better}; ${lists}${refused.length} quarantined`,
  )
  if (stoppedBy === 'signal') printError('stopped; run the same command to continue')
  else if (stoppedBy !== undefined)
    printError(`${stoppedBy.ended}: ${stoppedBy.message}; run the same command to continue`)
}
