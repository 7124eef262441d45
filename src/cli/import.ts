/** `npm run import -- <file or folder…>`: loads publishers' files, reports the outcome, and enqueues the refresh of the aggregates. */
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { computeOfferIndices } from '../../jobs/compute-offer-indices.ts'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { type ImportProgress, type ImportSummary, importFiles } from '../ingest/import-files.ts'
import type { OfferDayReport } from '../ingest/offer-days.ts'
import { ASSET_SLUGS, assetBySlug } from '../market/assets.ts'
import { counted } from '../market/counted.ts'
import { parseMarketDay } from '../market/market-day.ts'
import { requireSpace } from '../platform/disk-space.ts'
import { createLogger } from '../platform/log.ts'
import { EXCLUSION_REASONS, NOTES } from '../publishers/arera-offers/reasons.ts'
import { PUBLISHERS } from '../publishers/index.ts'
import { readConfig } from '../service/config/config.ts'
import { type Context, makeContext } from '../service/context.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import type { SampleDataEnd } from '../store/sample-data.ts'
import { runCommand, UsageError } from './command.ts'
import { print, printable, printError } from './print.ts'

const USAGE = `usage: npm run import -- <file or folder…> [--source <id>] [--asset <asset>] [--column <name>] [--day <YYYY-MM-DD>]
  --source   publisher of the values, one of ${PUBLISHERS.map((source) => source.id).join(', ')}
  --asset    for CSV whose columns do not name one: ${ASSET_SLUGS.join(', ')}
  --column   the price column to read, where a CSV has several
  --day      day of lists of offers whose files' names do not tell it`

/** Maximum number of refused days that are listed. */
const REFUSED_SHOWN_MAX = 20

const OPTIONS = {
  source: { type: 'string' },
  asset: { type: 'string' },
  column: { type: 'string' },
  day: { type: 'string' },
} as const

await runCommand(async () => {
  const { values, positionals } = readArguments()
  const asset = values.asset === undefined ? undefined : assetBySlug(values.asset)?.slug
  if (values.asset !== undefined && asset === undefined)
    throw new UsageError(`--asset must be one of ${ASSET_SLUGS.join(', ')}`)
  const source = PUBLISHERS.find(({ id }) => id === values.source)?.id
  if (values.source !== undefined && source === undefined)
    throw new UsageError(`there is no source "${values.source}"\n${USAGE}`)

  const day = values.day === undefined ? undefined : parseMarketDay(values.day)
  if (values.day !== undefined && day === undefined) throw new UsageError('--day must be a date such as 2026-01-14')

  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const { url, dataDir } = config.database
  const requireLocalSpace = async (pricesBefore?: number) => {
    if (url === undefined) await requireSpace(dataDir, pricesBefore)
  }
  await requireLocalSpace()
  const log = createLogger({ level: config.logLevel })
  await using ctx = await makeContext({ config, log, open: openOrJoinDatabase })
  const endBefore = await ctx.sampleData.end()
  const progress = progressBar()
  const importing = importFiles({
    database: ctx.database,
    clock: ctx.clock,
    paths: positionals,
    source,
    asset,
    column: values.column,
    day,
    onProgress: progress.update,
    requireSpace: requireLocalSpace,
  }).finally(progress.stop)
  try {
    const summary = await Promise.race([importing, ctx.failure])
    report(summary)
    await Promise.race([followUp(ctx, summary), ctx.failure])
    await reportSampleDataEnd(ctx, endBefore)
    return isAllStored(summary) ? 0 : 1
  } catch (err) {
    await requireLocalSpace() // reports a full disk rather than the error it caused
    throw err
  }
}, USAGE)

/** Runs even if everything was stored already: an earlier import may have been killed before this step. */
async function followUp(ctx: Context, { read, offerDays }: ImportSummary): Promise<void> {
  if (read > 0) {
    await ctx.queue.work([refreshAggregates], [], ctx)
    await ctx.queue.sendAndWait(refreshAggregates, {})
  }
  if (offerDays.length > 0) {
    await ctx.queue.work([computeOfferIndices], [], ctx)
    await ctx.queue.sendAndWait(computeOfferIndices, {})
  }
}

/** The first real value removes the sample data; only the import that removed them reports it. */
async function reportSampleDataEnd(ctx: Context, endBefore: SampleDataEnd | undefined): Promise<void> {
  const end = await ctx.sampleData.end()
  if (endBefore === undefined && end !== undefined && end.removedPrices > 0)
    print(`sample data removed: ${end.removedPrices} synthetic prices and everything derived from them`)
}

function isAllStored({ refused, unattributed, skipped, stoppedBy }: ImportSummary): boolean {
  return refused.length + unattributed.length + skipped.length === 0 && stoppedBy === undefined
}

function readArguments() {
  const parsed = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (parsed.positionals.length === 0) throw new UsageError(USAGE)
  return parsed
}

/** Shows progress on a terminal; otherwise only the summary is printed. */
function progressBar(): { update(progress: ImportProgress): void; stop(): void } {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} }
  const bar = new SingleBar({ format: '{bar} {percentage}% {file}', clearOnComplete: true })
  return {
    update({ bytesRead, bytesTotal, ...now }) {
      const file = printable(now.file)
      if (!bar.isActive) bar.start(bytesTotal, 0, { file })
      bar.update(bytesRead, { file })
    },
    stop: () => bar.stop(),
  }
}

function report(summary: ImportSummary): void {
  const { documents, read, stored, unchanged, corrected, outranked, refused, offerDays, publishedValues } = summary
  const { unattributed, skipped, stoppedBy } = summary
  const faulty = [...refused, ...unattributed]
  for (const { document, series, day, faults } of faulty.slice(0, REFUSED_SHOWN_MAX)) {
    for (const { place, detail, code } of faults) {
      const about = day === null || place.endsWith(day) ? '' : ` ${series} ${day}:`
      printError(`${document}:${about} ${place}: ${detail} [${code}]`)
    }
  }
  if (faulty.length > REFUSED_SHOWN_MAX) printError(`… and ${faulty.length - REFUSED_SHOWN_MAX} more`)
  for (const { message } of skipped) printError(`${message}: skipped`)
  for (const part of publishedValues) {
    print(
      `${part.document}: ${part.series}: ${counted(part.stored, 'value')} stored, ${part.unchanged} unchanged, ${part.corrected} corrected`,
    )
  }
  for (const offerDay of offerDays) print(...describeOfferDay(offerDay))
  const better = outranked > 0 ? `, ${outranked} left out for a better source or resolution` : ''
  const unknown = unattributed.length > 0 ? `; ${unattributed.length} of no known publisher` : ''
  const passedOver = skipped.length > 0 ? `; ${skipped.length} skipped` : ''
  print(
    `${counted(documents, 'document')}, ${counted(read, 'price')} read: ${stored} stored, ${unchanged} unchanged, ${corrected} corrected${better}; ` +
      `${refused.length} quarantined${reasons(refused)}${unknown}${passedOver}`,
  )
  if (stoppedBy !== undefined) printError(`${stoppedBy.message} Whole days were stored up to there.`)
}

/** ` (3 incomplete_day, 1 zero_run)` */
function reasons(refused: ImportSummary['refused']): string {
  const byCode = Map.groupBy(
    refused.flatMap(({ faults }) => [...new Set(faults.map((fault) => fault.code))]),
    (code) => code,
  )
  if (byCode.size === 0) return ''
  return ` (${[...byCode].map(([code, days]) => `${days.length} ${code}`).join(', ')})`
}

/** Returns lines, the summary first. */
function describeOfferDay(report: OfferDayReport): string[] {
  const { document, dataset, day, read, added, changed, withdrawn, unchanged, excluded, notes } = report
  const used = added + changed + unchanged
  const lines = [
    `${document}: ${dataset} ${day}: ${counted(read, 'offer')} read, ${used} in use (${added} new, ${changed} changed, ${unchanged} unchanged), ` +
      `${withdrawn} withdrawn; ${read - used} left out${excluded.length === 0 ? '' : ':'}`,
  ]
  for (const { reason, offers, examples } of excluded) {
    lines.push(`  ${offers} ${reason}: ${EXCLUSION_REASONS[reason]} (${examples[0]})`)
  }
  if (notes.length > 0) lines.push('  of those in use:')
  for (const { note, offers } of notes) lines.push(`  ${offers} ${note}: ${NOTES[note]}`)
  return lines
}
