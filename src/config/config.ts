/** What the environment means: grouped, cross-checked, frozen. The only reader of process.env besides the command line's own flags. */
import path from 'node:path'
import { environment } from './env.ts'
import { Secret } from './secrets.ts'

export type Role = 'all' | 'api' | 'worker'

export interface Config {
  environment: 'production' | 'development' | 'test'
  role: Role
  logLevel: string
  http: {
    host: string
    port: number
    /** Canonical origin; undefined where it is to be derived from the address the server listens on. */
    baseUrl: URL | undefined
    /** Addresses or CIDR ranges of reverse proxies whose X-Forwarded-* headers are believed. */
    trustedProxies: string[]
    comingEndpoints: ReadonlySet<string>
  }
  database: {
    /** Folder of the embedded engine; used where no server is configured. */
    dataDir: string
    url: Secret | undefined
    readUrl: Secret | undefined
  }
  limits: {
    /** Where requests are counted: in this process, in the database, or at a Valkey or Redis address. */
    store: 'memory' | 'postgres' | Secret
    /** The Open plan's rate per address; the contract says 60. */
    openRequestsPerMinute: number
    /** "Reasonable use" of the Open plan per address and day; undefined: not limited. */
    openRequestsPerDay: number | undefined
  }
  sampleData: 'auto' | 'on' | 'off'
  forecasts: {
    /** Whether models are trained here; the base model speaks without. */
    training: boolean
  }
  /** The instant the process's clock starts from, undefined for the machine's own time. */
  clockStart: Temporal.Instant | undefined
}

/** One message that names every problem of the configuration. */
export class ConfigurationError extends Error {
  constructor(problems: string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigurationError'
  }
}

export function readConfig(variables: Record<string, string | undefined>): Config {
  // A variable that is set to nothing, as compose files and shells do, counts as absent.
  const stated = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(stated)
  const misspelt = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const problems = [...misspelt, ...contradictions(stated)]
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems)
  const env = parsed.data

  return Object.freeze({
    environment: env.NODE_ENV,
    role: env.ROLE,
    logLevel: env.LOG_LEVEL,
    http: {
      host: env.HOST,
      port: env.PORT,
      baseUrl: env.BASE_URL === undefined ? undefined : new URL(env.BASE_URL),
      trustedProxies: splitList(env.TRUSTED_PROXIES),
      comingEndpoints: new Set(splitList(env.COMING_ENDPOINTS)),
    },
    database: {
      dataDir: path.resolve(env.DATA_DIR),
      url: env.DATABASE_URL === undefined ? undefined : new Secret(env.DATABASE_URL),
      readUrl: env.READ_DATABASE_URL === undefined ? undefined : new Secret(env.READ_DATABASE_URL),
    },
    limits: {
      store: limitsStore(env.LIMITS_STORE),
      openRequestsPerMinute: env.OPEN_REQUESTS_PER_MINUTE,
      openRequestsPerDay: env.OPEN_REQUESTS_PER_DAY,
    },
    sampleData: env.SAMPLE_DATA,
    forecasts: { training: env.FORECAST_TRAINING === 'on' },
    clockStart: env.CLOCK === undefined ? undefined : Temporal.Instant.from(env.CLOCK),
  })
}

/** What each variable alone cannot show. Works on the strings, so that it has its say beside a variable that is misspelt. */
function contradictions(stated: Partial<Record<string, string>>): string[] {
  const { NODE_ENV, CLOCK, BASE_URL, ROLE, DATABASE_URL, READ_DATABASE_URL } = stated
  const problems: string[] = []
  if (CLOCK !== undefined && NODE_ENV === 'production')
    problems.push('CLOCK: is for demonstrations and tests, refused when NODE_ENV=production')
  if (CLOCK !== undefined && !isInstant(CLOCK))
    problems.push(`CLOCK: "${CLOCK}" is not an instant such as 2026-03-29T10:54:00Z`)
  if (BASE_URL !== undefined && URL.canParse(BASE_URL) && new URL(BASE_URL).pathname !== '/')
    problems.push('BASE_URL: must have no path, /v1 is added to it')
  if (READ_DATABASE_URL !== undefined && DATABASE_URL === undefined)
    problems.push('READ_DATABASE_URL: needs DATABASE_URL, the embedded engine has no replica')
  if ((ROLE === 'api' || ROLE === 'worker') && DATABASE_URL === undefined)
    problems.push(`ROLE: "${ROLE}" needs DATABASE_URL, the embedded engine serves one process that does everything`)
  return problems
}

function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text)
    return true
  } catch {
    return false
  }
}

/** An address may hold a password. */
function limitsStore(text: string): Config['limits']['store'] {
  return text === 'memory' || text === 'postgres' ? text : new Secret(text)
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
