/** `npm run quarantine -- list|show|accept|reject`: shows days that failed the gate, and records the operator's decisions about them. */
import { parseArgs } from 'node:util'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { createLogger } from '../platform/log.ts'
import { readConfig } from '../service/config/config.ts'
import { type Context, makeContext } from '../service/context.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import {
  acceptQuarantined,
  findQuarantined,
  listQuarantine,
  QUARANTINE_STATUSES,
  type QuarantinedDay,
  rejectQuarantined,
} from '../store/quarantine.ts'
import { runCommand, UsageError } from './command.ts'
import { print } from './print.ts'

const USAGE = `usage:
  npm run quarantine -- list [--status open|accepted|rejected] [--limit 50] [--json]
  npm run quarantine -- show <id> [--json]
  npm run quarantine -- accept <id>     stores the day with its gaps
  npm run quarantine -- reject <id>     it is not asked about again`

const OPTIONS = {
  status: { type: 'string', default: 'open' },
  limit: { type: 'string', default: '50' },
  json: { type: 'boolean', default: false },
} as const

type Flags = ReturnType<typeof readArguments>['values']

await runCommand(async () => {
  const { values: flags, positionals } = readArguments()
  const [verb = '', subject, ...rest] = positionals
  if (rest.length > 0) throw new UsageError(USAGE)
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const log = createLogger({ level: config.logLevel })
  await using ctx = await makeContext({ config, log, open: openOrJoinDatabase })
  if (verb === 'list' && subject === undefined) return await list(ctx, flags)
  const id = Number(subject)
  if (!['show', 'accept', 'reject'].includes(verb) || !Number.isSafeInteger(id) || id < 1) throw new UsageError(USAGE)
  const day = await findQuarantined(ctx.database.sql, id)
  if (day === undefined) throw new UsageError(`there is no quarantined day ${id}`)
  if (verb === 'show') return show(day, flags)
  if (day.status !== 'open') throw new UsageError(`day ${id} is ${day.status} already`)
  return verb === 'accept' ? await accept(ctx, day) : await reject(ctx, day)
}, USAGE)

function readArguments() {
  return parseArgs({ options: OPTIONS, allowPositionals: true })
}

async function list(ctx: Context, flags: Flags): Promise<number> {
  const status = QUARANTINE_STATUSES.find((one) => one === flags.status)
  const limit = Number(flags.limit)
  if (status === undefined) throw new UsageError(`--status must be one of ${QUARANTINE_STATUSES.join(', ')}`)
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new UsageError(`--limit "${flags.limit}" is not a whole number above zero`)
  const days = await listQuarantine(ctx.database.sql, status, limit)
  if (flags.json) print(JSON.stringify(days))
  else if (days.length === 0) print(`nothing is ${status}`)
  else for (const day of days) print(summary(day))
  return 0
}

function show(day: QuarantinedDay, flags: Flags): number {
  if (flags.json) {
    print(JSON.stringify(day))
    return 0
  }
  print(summary(day))
  print(`document ${day.address}, sha256 ${day.sha256}`)
  for (const detail of day.details) print(`- ${detail}`)
  if (day.prices !== null) print(...day.prices.map((price, i) => `${i + 1}: ${price ?? 'missing'}`))
  return 0
}

async function accept(ctx: Context, day: QuarantinedDay): Promise<number> {
  if (day.prices === null) throw new UsageError(`day ${day.id} has no prices that could be stored`)
  const counts = await acceptQuarantined(ctx.database.sql, day.id, ctx.clock.now()).catch((err: unknown) => {
    // 55000: the database function refuses, and its message gives the reason.
    if (err instanceof Error && 'code' in err && err.code === '55000') throw new UsageError(err.message)
    throw err
  })
  await ctx.queue.work([refreshAggregates], [], ctx)
  await ctx.queue.sendAndWait(refreshAggregates, {})
  print(
    `accepted ${day.id}: ${counts.stored} stored, ${counts.corrected} corrected, ${counts.unchanged} unchanged, ${counts.outranked} left out for a better source`,
  )
  return 0
}

async function reject(ctx: Context, day: QuarantinedDay): Promise<number> {
  await rejectQuarantined(ctx.database.sql, day.id, ctx.clock.now())
  print(`rejected ${day.id}`)
  return 0
}

function summary({ id, quarantinedAt, source, series, marketDay, reasons }: QuarantinedDay): string {
  return [id, quarantinedAt.round('second'), source, series, marketDay ?? '-', reasons.join(',')].join('  ')
}
