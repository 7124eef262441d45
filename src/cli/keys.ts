/** `npm run keys -- create|list|rotate|revoke|find`: issues and withdraws API keys. A key is printed once and stored as a hash. */
import { randomBytes, randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { makeClock } from '../clock.ts'
import { readConfig } from '../config/config.ts'
import { PLAN_NAMES } from '../contract/plans.ts'
import { apiKeyHint, hashApiKey, isWellFormedApiKey, makeApiKey } from '../domain/api-key.ts'
import { parseDuration } from '../domain/duration.ts'
import { openOrJoinDatabase } from '../open-database.ts'
import {
  type ApiKeyRecord,
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

const USAGE = `usage:
  npm run keys -- create --plan <Developer|API|Pro|Trading|Enterprise> --owner <text> [--email <address>]
                         [--per-minute <n>] [--per-month <n>] [--attribution <text>] [--json]
  npm run keys -- list [--json]
  npm run keys -- rotate <id> [--overlap 7d] [--json]
  npm run keys -- revoke <id>
  npm run keys -- find <key>`

const DEFAULT_OVERLAP = '7d'

const OPTIONS = {
  plan: { type: 'string' },
  owner: { type: 'string' },
  email: { type: 'string' },
  'per-minute': { type: 'string' },
  'per-month': { type: 'string' },
  attribution: { type: 'string' },
  overlap: { type: 'string', default: DEFAULT_OVERLAP },
  json: { type: 'boolean', default: false },
} as const

type Flags = ReturnType<typeof parseFlags>['values']

interface Command {
  sql: Sql
  flags: Flags
  /** The word after the verb: an id or a key. */
  subject: string
  now: Temporal.Instant
}

const COMMANDS: Record<string, { needsSubject: boolean; run(command: Command): Promise<number> }> = {
  create: { needsSubject: false, run: create },
  list: { needsSubject: false, run: list },
  rotate: { needsSubject: true, run: rotate },
  revoke: { needsSubject: true, run: revoke },
  find: { needsSubject: true, run: find },
}

await runCommand(async () => {
  const { values: flags, positionals } = parseFlags()
  const [verb = '', subject = '', ...rest] = positionals
  const command = COMMANDS[verb]
  if (command === undefined || rest.length > 0 || command.needsSubject !== (subject !== '')) throw new UsageError(USAGE)

  const config = readConfig(process.env)
  await using stack = new AsyncDisposableStack()
  const location = await openOrJoinDatabase(config)
  if (location.engine !== undefined) stack.use(location.engine)
  const database = stack.use(connectDatabase(location))
  await migrate(database)
  return await command.run({ sql: database.sql, flags, subject, now: makeClock(config.clockStart).now() })
})

function parseFlags() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true })
  } catch (err) {
    throw new UsageError(`${err instanceof Error ? err.message : err}\n${USAGE}`)
  }
}

async function create({ sql, flags, now }: Command): Promise<number> {
  const plan = PLAN_NAMES.find((name): name is KeyedPlan => name === flags.plan && name !== 'Open')
  if (plan === undefined)
    throw new UsageError(`--plan must be one of ${PLAN_NAMES.slice(1).join(', ')}; the Open plan needs no key`)
  if (!flags.owner) throw new UsageError('--owner must say whose key it is')
  const own = {
    requestsPerMinute: count(flags, 'per-minute'),
    requestsPerMonth: count(flags, 'per-month'),
    attribution: flags.attribution ?? null,
  }
  if (plan !== 'Enterprise' && Object.values(own).some((value) => value !== null)) {
    throw new UsageError('--per-minute, --per-month and --attribution are for Enterprise keys')
  }
  const issued = issue({ plan, owner: flags.owner, email: flags.email ?? null, ...own, rotatedFrom: null }, now)
  await insertApiKey(sql, issued.record)
  return printIssued(issued, flags)
}

async function list({ sql, flags, now }: Command): Promise<number> {
  const keys = await listApiKeys(sql)
  if (flags.json) console.log(JSON.stringify(keys))
  else if (keys.length === 0) console.log('there are no keys')
  else for (const key of keys) console.log(describe(key, now))
  return 0
}

async function rotate({ sql, flags, subject, now }: Command): Promise<number> {
  const old = await findApiKey(sql, subject)
  if (old === undefined) throw new UsageError(`there is no key ${subject}`)
  if (old.revokedAt !== null) throw new UsageError(`the key ${subject} is revoked; create a new one`)
  const overlap = parseDuration(flags.overlap)
  if (overlap === undefined) throw new UsageError(`--overlap "${flags.overlap}" is not a duration such as 7d, 12h or 0`)
  const oldExpiresAt = now.add(overlap)
  const issued = issue({ ...old, rotatedFrom: old.id }, now)
  await rotateApiKey(sql, old.id, oldExpiresAt, issued.record)
  if (!flags.json) console.log(`${old.id} stays valid until ${oldExpiresAt.round('second')}`)
  return printIssued(issued, flags)
}

async function revoke({ sql, subject, now }: Command): Promise<number> {
  if (!(await revokeApiKey(sql, subject, now))) throw new UsageError(`there is no key ${subject}`)
  console.log(`${subject} is revoked; running services refuse it within 5 seconds`)
  return 0
}

async function find({ sql, subject, now }: Command): Promise<number> {
  if (!isWellFormedApiKey(subject)) throw new UsageError('that is not a key: its form or its checksum is wrong')
  const key = await findApiKeyByHash(sql, hashApiKey(subject))
  console.log(key === undefined ? 'no such key was issued here' : describe(key, now))
  return key === undefined ? 1 : 0
}

interface IssuedKey {
  key: string
  record: NewApiKey
}

function issue(about: Omit<NewApiKey, 'id' | 'sha256' | 'hint' | 'createdAt'>, createdAt: Temporal.Instant): IssuedKey {
  const key = makeApiKey(randomBytes)
  const id = `key_${Array.from({ length: 12 }, () => randomInt(36).toString(36)).join('')}`
  return { key, record: { ...about, id, sha256: hashApiKey(key), hint: apiKeyHint(key), createdAt } }
}

function printIssued({ key, record }: IssuedKey, flags: Flags): number {
  if (flags.json) console.log(JSON.stringify({ id: record.id, key, plan: record.plan, owner: record.owner }))
  else console.log(`${record.id}  ${record.plan}  ${record.owner}\n${key}\nThe key is shown only now; keep it safe.`)
  return 0
}

function count(flags: Flags, name: 'per-minute' | 'per-month'): number | null {
  const text = flags[name]
  if (text === undefined) return null
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new UsageError(`--${name} "${text}" is not a whole number above zero`)
  return Number(text)
}

function describe(key: ApiKeyRecord, now: Temporal.Instant): string {
  return [key.id, key.hint, key.plan, key.owner, key.email ?? '-', state(key, now)].join('  ')
}

function state(key: ApiKeyRecord, now: Temporal.Instant): string {
  if (key.revokedAt !== null) return `revoked ${key.revokedAt.round('second')}`
  if (key.expiresAt === null) return 'active'
  return Temporal.Instant.compare(key.expiresAt, now) <= 0 ? 'expired' : `active until ${key.expiresAt.round('second')}`
}
