/** `npm run forecast -- issue|train|replay`: runs the forecast jobs now, and recomputes past forecasts. */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { SingleBar } from 'cli-progress'
import { firstVersionDay, inputsAt, loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { newReplay } from '../../jobs/forecasts/replay.ts'
import { runModels } from '../../jobs/forecasts/run-models.ts'
import { type MadeDay, type ReplayTask, UnknownModel } from '../../jobs/forecasts/task.ts'
import { issueForecasts } from '../../jobs/issue-forecasts.ts'
import { trainForecasts, trainHours } from '../../jobs/train-forecasts.ts'
import { FORECAST_ASSETS, FORECAST_SLUGS } from '../api/contract/forecasts.ts'
import { counted } from '../market/counted.ts'
import { type ForecastSubject, hoursOf, INPUT_STEPS, ISSUE_KINDS, zoneOf } from '../market/forecast-scope.ts'
import { marketDayOf, parseMarketDay, startOfMarketDay, toUtcIso } from '../market/market-day.ts'
import { isZoneCode, STORED_ZONES } from '../market/zones.ts'
import { createLogger } from '../platform/log.ts'
import { readConfig } from '../service/config/config.ts'
import { type Context, makeContext } from '../service/context.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import { issueStatuses } from '../store/forecast-ledger.ts'
import { saveReplay } from '../store/forecast-replays.ts'
import { refuseToOverwrite, runCommand, UsageError } from './command.ts'
import { print, printError } from './print.ts'

const USAGE = `usage:
  npm run forecast -- issue    issues what is due, and reports the state of each asset
  npm run forecast -- train    trains every model on publishers’ prices and selects the active one
  npm run forecast -- replay --asset ${FORECAST_SLUGS.join('|')} --from <day> --to <day> [--model <id>] [--out <file.csv>]
                               forecasts as of each past market day, kept apart from issued ones; with --out as CSV too
  npm run forecast -- replay --zone <zone> --from <day> --to <day> [--issue ${ISSUE_KINDS.join('|')}] [--inputs <step>]
                               [--out <file.csv>]
                               the hours of a zone likewise; the steps are ${INPUT_STEPS.join(', ')}`

const OPTIONS = {
  asset: { type: 'string' },
  zone: { type: 'string' },
  issue: { type: 'string' },
  inputs: { type: 'string' },
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
  const options = verb === 'replay' ? replayOptions(flags) : undefined
  if (options === undefined && Object.keys(flags).length > 0) throw new UsageError(USAGE)

  const config = readConfig({ LOG_LEVEL: 'info', ...process.env })
  const log = createLogger({ level: config.logLevel })
  const open = () => makeContext({ config, log, open: openOrJoinDatabase })
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')))
  const { signal } = interrupted
  if (options !== undefined) return await replay(options, open, signal)
  await using ctx = await open()
  if (verb === 'issue') await issue({ ctx, signal, payload: {} })
  else await Promise.all([trainForecasts, trainHours].map((one) => one.run({ ctx, signal, payload: { again: true } })))
  return 0
}, USAGE)

function readArguments() {
  return parseArgs({ options: OPTIONS, allowPositionals: true })
}

/** Issues due forecasts, then prints the state of each asset; usually nothing is due. */
async function issue(run: Parameters<typeof issueForecasts.run>[0]): Promise<void> {
  await issueForecasts.run(run)
  for (const { asset, detail, checked_at } of await issueStatuses(run.ctx.database.sql))
    print(`${asset}, ${toUtcIso(checked_at)}: ${detail}`)
}

interface ReplayOptions extends Pick<ReplayTask, 'subject' | 'from' | 'to' | 'model' | 'issue' | 'inputs'> {
  out?: string | undefined
}

function replayOptions(flags: Flags): ReplayOptions {
  const { asset: slug, zone, issue = 'evening', inputs = 'everything', model, out } = flags
  const [from, to] = [dayOf('--from', flags.from), dayOf('--to', flags.to)]
  if (from > to) throw new UsageError(`--from must not be after --to (${to})`)
  if (zone !== undefined) {
    if (slug !== undefined || model !== undefined) throw new UsageError(USAGE)
    if (!isZoneCode(zone)) throw new UsageError(`--zone must be one of ${STORED_ZONES.join(', ')}\n${USAGE}`)
    return {
      subject: hoursOf(zone),
      issue: oneOf('--issue', ISSUE_KINDS, issue),
      inputs: oneOf('--inputs', INPUT_STEPS, inputs),
      ...{ from, to, out },
    }
  }
  const subject = FORECAST_ASSETS.find((code) => code.toLowerCase() === slug)
  if (subject === undefined) throw new UsageError(`--asset must be one of ${FORECAST_SLUGS.join(', ')}\n${USAGE}`)
  if (flags.issue !== undefined || flags.inputs !== undefined) throw new UsageError(USAGE)
  return { subject, from, to, model, out }
}

function oneOf<Value extends string>(name: string, values: readonly Value[], text: string): Value {
  const value = values.find((one) => one === text)
  if (value === undefined) throw new UsageError(`${name} must be one of ${values.join(', ')}\n${USAGE}`)
  return value
}

function dayOf(name: string, text: string | undefined): string {
  const day = text === undefined ? undefined : parseMarketDay(text)
  if (day === undefined) throw new UsageError(`${name} must be a calendar date, YYYY-MM-DD\n${USAGE}`)
  return day.toString()
}

/** Opens the database to read prices and again to save the replay, not for the minutes or hours in between. */
async function replay(options: ReplayOptions, open: () => Promise<Context>, signal: AbortSignal): Promise<number> {
  const { subject, issue, out } = options
  if (out !== undefined) await refuseToOverwrite(out)
  const { now, synthetic, inputs } = await readInputs(open, subject)
  const task = { kind: 'replay' as const, ...options, ...inputs }
  const { forecasts } = await withProgress(options, (onDay) => runModels(task, { signal, onDay })).catch(
    (err: Error) => {
      throw err.name === UnknownModel.name ? new UsageError(err.message) : err // it comes from another process
    },
  )
  await using ctx = await open()
  const made = newReplay(subject, { synthetic, purpose: 'command', madeAt: now, issue, forecasts })
  await saveReplay(ctx.database.sql, made)
  const published = forecasts.filter(({ role }) => role === 'published')
  if (out !== undefined) await writeFile(out, csvOf(subject, published), { flag: 'wx' })
  return report(zoneOf(subject) === undefined ? subject : `hours of ${zoneOf(subject)}`, published)
}

async function readInputs(open: () => Promise<Context>, subject: ForecastSubject) {
  await using ctx = await open()
  const { sql } = ctx.database
  const now = ctx.clock.now()
  const today = marketDayOf(now)
  const loaded = await loadVersions(sql, today, ALL_YEARS)
  const inputs = await inputsAt(sql, now, [subject], loaded, firstVersionDay(today, ALL_YEARS))
  return { now, synthetic: loaded.synthetic, inputs }
}

function report(what: string, published: readonly { infoDate: string; model: string }[]): number {
  const days = new Set(published.map(({ infoDate }) => infoDate)).size
  const models = [...new Set(published.map((one) => one.model))].join(', ') || 'no model'
  print(
    `${what}: ${counted(days, 'day')} replayed by ${models}, ${counted(published.length, 'forecast')} kept as a replay`,
  )
  return days > 0 ? 0 : 1
}

/** Shows a bar on a terminal; otherwise prints a line for each month, so that a log shows progress. */
async function withProgress<Result>(
  { from, to }: { from: string; to: string },
  run: (onDay: (day: string) => void) => Promise<Result>,
): Promise<Result> {
  const daysTo = (day: string) => Temporal.PlainDate.from(from).until(day).days + 1
  if (!process.stderr.isTTY) {
    let month = ''
    return run((day) => {
      if (day.startsWith(month) && month !== '') return
      month = day.slice(0, 'YYYY-MM'.length)
      printError(`${month}: ${daysTo(day)} of ${counted(daysTo(to), 'day')}`)
    })
  }
  const bar = new SingleBar({ format: '{bar} {day} {value}/{total} days, {eta_formatted} left' })
  bar.start(daysTo(to), 0, { day: from })
  try {
    return await run((day) => bar.update(daysTo(day), { day }))
  } finally {
    bar.stop()
  }
}

/** Formats CSV for programs: comma, decimal point. A zone has a line for each hour, with the instant at which the hour begins. */
function csvOf(subject: ForecastSubject, days: readonly MadeDay[]): string {
  const zone = zoneOf(subject)
  const header =
    zone === undefined
      ? 'asset,issued_at,target_date,horizon,p10,p50,p90'
      : 'zone,issued_at,starts_at,target_date,horizon,inputs,p10,p50,p90'
  const lines = days.flatMap((day) => {
    const issuedAt = Temporal.Instant.fromEpochMilliseconds(day.issuedAtMs)
    const prices = (...quantiles: number[]) => quantiles.map((price) => price.toFixed(4))
    if (!('inputs' in day))
      return [[subject.toLowerCase(), issuedAt, day.targetDate, day.horizonDays, ...prices(day.p10, day.p50, day.p90)]]
    const start = startOfMarketDay(Temporal.PlainDate.from(day.targetDate))
    return day.p50.map((p50, hour) => [
      ...[zone, issuedAt, start.add({ hours: hour }), day.targetDate, day.horizonDays, day.inputs],
      ...prices(day.p10[hour] as number, p50, day.p90[hour] as number),
    ])
  })
  return [header, ...lines.map((line) => line.join(',')), ''].join('\n')
}
