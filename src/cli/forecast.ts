/** `npm run forecast -- issue|train|replay`: runs the forecast jobs now, and recomputes past forecasts. */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { codeVersion } from '../../jobs/forecasts/code-version.ts'
import { loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { replayed } from '../../jobs/forecasts/replayed.ts'
import { runModels } from '../../jobs/forecasts/run-models.ts'
import { type MadeForecast, UnknownModel } from '../../jobs/forecasts/task.ts'
import { issueForecasts } from '../../jobs/issue-forecasts.ts'
import { trainForecasts } from '../../jobs/train-forecasts.ts'
import { FORECAST_ASSETS, FORECAST_SLUGS, type ForecastAsset } from '../api/contract/forecasts.ts'
import { marketDayOf, parseMarketDay } from '../market/market-day.ts'
import { createLogger } from '../platform/log.ts'
import { readConfig } from '../service/config/config.ts'
import { type Context, makeContext } from '../service/context.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import { issueStatuses } from '../store/forecast-ledger.ts'
import { saveReplay } from '../store/forecast-models.ts'
import { runCommand, UsageError } from './command.ts'
import { refuseToOverwrite } from './new-file.ts'
import { print } from './print.ts'

const USAGE = `usage:
  npm run forecast -- issue    issues what is due, and reports the state of each asset
  npm run forecast -- train    trains every model on publishers’ prices and selects the active one
  npm run forecast -- replay --asset ${FORECAST_SLUGS.join('|')} --from <day> --to <day> [--model <id>] [--out <file.csv>]
                               forecasts as of each past market day, kept apart from issued ones; with --out as CSV too`

const OPTIONS = {
  asset: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  model: { type: 'string' },
  out: { type: 'string' },
} as const

/** Longer than any history. */
const ALL_YEARS = 100

type Flags = ReturnType<typeof readArguments>['values']

await runCommand(async () => {
  const { values: flags, positionals } = readArguments()
  const [verb, ...rest] = positionals
  if (rest.length > 0 || !(verb === 'issue' || verb === 'train' || verb === 'replay')) throw new UsageError(USAGE)
  const wanted = verb === 'replay' ? replayWanted(flags) : undefined
  if (wanted === undefined && Object.keys(flags).length > 0) throw new UsageError(USAGE)

  const config = readConfig({ LOG_LEVEL: 'info', ...process.env })
  const log = createLogger({ level: config.logLevel })
  await using ctx = await makeContext({ config, log, open: openOrJoinDatabase })
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))
  const run = { ctx, signal: interrupted.signal }
  if (wanted !== undefined) return await replay(wanted, run)
  if (verb === 'train') await trainForecasts.run({ ...run, payload: { again: true } })
  else await issue({ ...run, payload: {} })
  return 0
}, USAGE)

function readArguments() {
  return parseArgs({ options: OPTIONS, allowPositionals: true })
}

/** Issues what is due, then prints the state of each asset; usually nothing is due. */
async function issue(run: Parameters<typeof issueForecasts.run>[0]): Promise<void> {
  await issueForecasts.run(run)
  for (const { asset, detail, checked_at } of await issueStatuses(run.ctx.database.sql))
    print(`${asset}, ${checked_at.toString({ smallestUnit: 'second' })}: ${detail}`)
}

interface ReplayWanted {
  asset: ForecastAsset
  from: string
  to: string
  model: string | undefined
  out: string | undefined
}

function replayWanted({ asset: slug, from, to, model, out }: Flags): ReplayWanted {
  const asset = FORECAST_ASSETS.find((code) => code.toLowerCase() === slug)
  if (asset === undefined) throw new UsageError(`--asset must be one of ${FORECAST_SLUGS.join(', ')}\n${USAGE}`)
  const [first, last] = [dayOf('--from', from), dayOf('--to', to)]
  if (first > last) throw new UsageError(`--from must not be after --to (${last})`)
  return { asset, from: first, to: last, model, out }
}

function dayOf(name: string, text: string | undefined): string {
  const day = text === undefined ? undefined : parseMarketDay(text)
  if (day === undefined) throw new UsageError(`${name} must be a calendar date, YYYY-MM-DD\n${USAGE}`)
  return day.toString()
}

async function replay(wanted: ReplayWanted, { ctx, signal }: { ctx: Context; signal: AbortSignal }): Promise<number> {
  const { asset, from, to, model, out } = wanted
  if (out !== undefined) await refuseToOverwrite(out)
  const now = ctx.clock.now()
  const { versions, holidays, synthetic } = await loadVersions(ctx.database.sql, marketDayOf(now), ALL_YEARS)
  const task = { kind: 'replay' as const, asset, from, to, model, versions, holidays, nowMs: now.epochMilliseconds }
  const { forecasts } = await runModels(task, { signal, onDay: progress() }).catch((err: Error) => {
    throw err.name === UnknownModel.name ? new UsageError(err.message) : err // it comes from another process
  })
  await saveReplay(ctx.database.sql, {
    asset,
    synthetic,
    purpose: 'command',
    codeVersion: codeVersion(),
    madeAt: now,
    forecasts: forecasts.map(replayed),
  })
  const published = forecasts.filter(({ role }) => role === 'published')
  if (out !== undefined) await writeFile(out, csvOf(asset, published), { flag: 'wx' })
  const days = new Set(published.map(({ infoDate }) => infoDate)).size
  const models = [...new Set(published.map((one) => one.model))].join(', ') || 'no model'
  print(`${asset}: ${days} days replayed by ${models}, ${published.length} forecasts kept as a replay`)
  return days > 0 ? 0 : 1
}

/** On a terminal only. */
function progress(): (day: string) => void {
  return process.stderr.isTTY ? (day) => process.stderr.write(`\r${day}`) : () => {}
}

/** As programs read it: comma, decimal point. */
function csvOf(asset: ForecastAsset, forecasts: readonly MadeForecast[]): string {
  const lines = forecasts.map(({ issuedAtMs, targetDate, horizonDays, p10, p50, p90 }) =>
    [
      asset.toLowerCase(),
      Temporal.Instant.fromEpochMilliseconds(issuedAtMs),
      targetDate,
      horizonDays,
      ...[p10, p50, p90].map((price) => price.toFixed(4)),
    ].join(','),
  )
  return ['asset,issued_at,target_date,horizon,p10,p50,p90', ...lines, ''].join('\n')
}
