/** `npm run keys -- create|list|rotate|revoke|find`: issues and revokes API keys. A key is printed once and stored as a hash. */
import { parseArgs } from 'node:util'
import { hashApiKey, isWellFormedApiKey, newApiKey } from '../api/access/api-key.ts'
import { PLAN_NAMES } from '../api/contract/plans.ts'
import { parseDuration } from '../market/duration.ts'
import { makeClock } from '../platform/clock.ts'
import { readConfig } from '../service/config/config.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import {
  findApiKey,
  findApiKeyByHash,
  insertApiKey,
  type KeyedPlan,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../store/api-keys.ts'
import { connectDatabase, type Sql } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { runCommand, UsageError } from './command.ts'
import { keyTable, presentKey } from './present-key.ts'
import { print, printError } from './print.ts'

const USAGE = `usage:
  npm run keys -- create --plan <Developer|API|Pro|Trading|Enterprise> --owner <text> [--email <address>] [--json]
                         [--per-minute <n>] [--per-month <n>] [--attribution <text>]  (these three for Enterprise)
  npm run keys -- list [--json]
  npm run keys -- rotate <id> [--overlap 7d] [--json]
  npm run keys -- revoke <id>
  npm run keys -- find <key> [--json]`

const TEXT = { type: 'string' } as const
const JSON_FLAG = { json: { type: 'boolean' } } as const
const DEFAULT_OVERLAP = '7d'
/** Texts that fit on one line of the list. */
const ONE_LINE = /^\P{Cc}{1,200}$/u
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/

interface Flags {
  plan?: string
  owner?: string
  email?: string
  'per-minute'?: string
  'per-month'?: string
  attribution?: string
  overlap?: string
  json?: boolean
}

interface Call {
  flags: Flags
  /** The word after the verb: an id or a key. */
  subject: string
  now: Temporal.Instant
}

interface Verb {
  options: Record<string, { type: 'string' | 'boolean' }>
  hasSubject: boolean
  /** Checks the call before any database is opened, and returns the work to do. */
  prepare(call: Call): (sql: Sql) => Promise<number>
}

const VERBS: Record<string, Verb> = {
  create: {
    options: {
      plan: TEXT,
      owner: TEXT,
      email: TEXT,
      'per-minute': TEXT,
      'per-month': TEXT,
      attribution: TEXT,
      ...JSON_FLAG,
    },
    hasSubject: false,
    prepare: create,
  },
  list: { options: JSON_FLAG, hasSubject: false, prepare: list },
  rotate: { options: { overlap: TEXT, ...JSON_FLAG }, hasSubject: true, prepare: rotate },
  revoke: { options: {}, hasSubject: true, prepare: revoke },
  find: { options: JSON_FLAG, hasSubject: true, prepare: find },
}

if (import.meta.main)
  await runCommand(async () => {
    const config = readConfig(process.env)
    const work = prepareCall(process.argv.slice(2), makeClock(config.clockStart).now())

    await using stack = new AsyncDisposableStack()
    const location = await openOrJoinDatabase(config)
    if (location.engine !== undefined) stack.use(location.engine)
    const database = stack.use(connectDatabase(location))
    await migrate(database)
    return await work(database.sql)
  }, USAGE)

/** Checks the call and returns the work to do. */
export function prepareCall([name = '', ...rest]: string[], now: Temporal.Instant): (sql: Sql) => Promise<number> {
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined
  if (verb === undefined) throw new UsageError(USAGE)
  const { values, positionals } = parseArgs({ args: rest, options: verb.options, allowPositionals: true })
  if (positionals.length !== (verb.hasSubject ? 1 : 0)) throw new UsageError(USAGE)
  return verb.prepare({ flags: values as Flags, subject: positionals[0] ?? '', now })
}

function create({ flags, now }: Call) {
  const plan = PLAN_NAMES.find((name): name is KeyedPlan => name === flags.plan && name !== 'Open')
  if (plan === undefined)
    throw new UsageError(`--plan must be one of ${PLAN_NAMES.slice(1).join(', ')}; the Open plan needs no key`)
  const own = {
    requestsPerMinute: countFlag(flags, 'per-minute', 1_000_000),
    requestsPerMonth: countFlag(flags, 'per-month', 1_000_000_000_000),
    attribution: textFlag(flags, 'attribution', ONE_LINE),
  }
  if (plan !== 'Enterprise' && Object.values(own).some((value) => value !== null)) {
    throw new UsageError('--per-minute, --per-month and --attribution are for Enterprise keys')
  }
  const owner = textFlag(flags, 'owner', ONE_LINE)
  if (owner === null) throw new UsageError('--owner must say whose key it is')
  const issued = issue({ plan, owner, email: textFlag(flags, 'email', ADDRESS), ...own, rotatedFrom: null }, now)
  return async (sql: Sql) => {
    await insertApiKey(sql, issued.record)
    return printIssued(issued, flags)
  }
}

function list({ flags, now }: Call) {
  return async (sql: Sql) => {
    const keys = await listApiKeys(sql)
    if (flags.json) print(JSON.stringify(keys.map((key) => presentKey(key, now))))
    else print(...(keys.length === 0 ? ['there are no keys'] : keyTable(keys, now)))
    return 0
  }
}

function rotate({ flags, subject, now }: Call) {
  const overlap = parseDuration(flags.overlap ?? DEFAULT_OVERLAP)
  if (overlap === undefined) throw new UsageError(`--overlap "${flags.overlap}" is not a duration such as 7d, 12h or 0`)
  return async (sql: Sql) => {
    const old = await findApiKey(sql, subject)
    if (old === undefined) throw new UsageError(`there is no key ${subject}`)
    const issued = issue({ ...old, rotatedFrom: old.id }, now)
    const validUntil = await rotateApiKey(sql, old.id, now.add(overlap), issued.record)
    if (validUntil === undefined)
      throw new UsageError(`the key ${subject} is no longer valid; create a new one for ${old.owner}`)
    if (!flags.json) print(`${old.id} stays valid until ${validUntil.round('second')}`)
    return printIssued(issued, flags, { rotated_from: old.id, rotated_valid_until: validUntil.round('second') })
  }
}

function revoke({ subject, now }: Call) {
  return async (sql: Sql) => {
    if (!(await revokeApiKey(sql, subject, now))) throw new UsageError(`there is no key ${subject}`)
    print(`${subject} is revoked; running services refuse it within 5 seconds`)
    return 0
  }
}

function find({ flags, subject, now }: Call) {
  if (!isWellFormedApiKey(subject)) throw new UsageError('that is not a key: its form or its checksum is wrong')
  return async (sql: Sql) => {
    const key = await findApiKeyByHash(sql, hashApiKey(subject))
    if (key === undefined) {
      printError('no such key was issued here')
      return 1
    }
    print(...(flags.json ? [JSON.stringify(presentKey(key, now))] : keyTable([key], now)))
    return 0
  }
}

interface IssuedKey {
  key: string
  record: NewApiKey
}

function issue(about: Omit<NewApiKey, 'id' | 'sha256' | 'hint' | 'createdAt'>, createdAt: Temporal.Instant): IssuedKey {
  const { key, ...stored } = newApiKey()
  return { key, record: { ...about, ...stored, createdAt } }
}

function printIssued({ key, record: { id, plan, owner, email } }: IssuedKey, flags: Flags, more: object = {}): number {
  if (flags.json) print(JSON.stringify({ id, key, plan, owner, email, ...more }))
  else print(`${id}  ${plan}  ${owner}`, key, 'The key is shown only now; keep it safe.')
  return 0
}

function textFlag(flags: Flags, name: 'owner' | 'email' | 'attribution', form: RegExp): string | null {
  const value = flags[name]?.trim()
  if (value === undefined) return null
  if (form.test(value)) return value
  throw new UsageError(
    form === ADDRESS
      ? `--${name} "${value}" is not an e-mail address`
      : `--${name} must be one line of 1 to 200 characters`,
  )
}

function countFlag(flags: Flags, name: 'per-minute' | 'per-month', max: number): number | null {
  const value = flags[name]
  if (value === undefined) return null
  if (!/^[1-9]\d{0,12}$/.test(value) || Number(value) > max)
    throw new UsageError(`--${name} "${value}" is not a whole number from 1 to ${max}`)
  return Number(value)
}
