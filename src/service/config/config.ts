/** What the environment means: grouped, cross-checked, frozen. The only reader of process.env besides the command line's own flags. */
import path from 'node:path'
import ipaddr from 'ipaddr.js'
import { ConfigurationError } from '../../platform/configuration-error.ts'
import { isSecretsKey, Secret } from '../../platform/secret.ts'
import { type Environment, environment } from './env.ts'
import { contradictionsOfSources, readSourcesConfig } from './source-config.ts'
import { readValueFiles } from './value-files.ts'

/** The roles of sql/roles. */
export type RoleName = 'analyst' | 'energy_api' | 'energy_worker' | 'energy_monitor'

export type Config = ReturnType<typeof readConfig>

/** An S3-compatible store. */
export interface S3Config {
  bucket: string
  /** In front of every key. */
  prefix: string
  region: string
  /** Undefined: the AWS endpoint of the region. */
  endpoint: URL | undefined
  /** The bucket is in the path of addresses, not in their host. */
  pathStyle: boolean
  /** Undefined: those of the machine's role. */
  credentials: { id: string; secret: Secret } | undefined
}

/** Throws with every problem in one message. */
export function readConfig(variables: Record<string, string | undefined>) {
  // An empty variable, as compose files and shells set it, counts as absent.
  const present = Object.fromEntries(
    Object.entries({ ...proxiesInLowerCase(variables), ...variables }).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  )
  const { values: stated, problems: unreadable } = readValueFiles(present, Object.keys(environment.shape))
  const parsed = environment.safeParse(stated)
  const misspelt = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const problems = [...unreadable, ...misspelt, ...contradictions(stated)]
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems)
  const env = parsed.data

  return Object.freeze({
    environment: env.NODE_ENV,
    role: env.ROLE,
    logLevel: env.LOG_LEVEL,
    /** `auto`: text in a terminal, else JSON. */
    logFormat: env.LOG_FORMAT,
    http: {
      host: env.HOST,
      port: env.PORT,
      /** Processes that serve the API, behind one port. */
      processes: env.API_PROCESSES,
      /** Canonical origin; undefined where it is to be derived from the address the server listens on. */
      baseUrl: env.BASE_URL === undefined ? undefined : new URL(env.BASE_URL),
      /** Addresses or CIDR ranges of reverse proxies whose X-Forwarded-* headers are believed. */
      trustedProxies: splitList(env.TRUSTED_PROXIES),
      comingEndpoints: new Set(splitList(env.COMING_ENDPOINTS)) as ReadonlySet<string>,
    },
    /** Where Prometheus scrapes; port 0: any free one. */
    metrics: { host: env.METRICS_HOST, port: env.METRICS_PORT },
    database: {
      /** Folder of the embedded engine; used where no server is configured. */
      dataDir: path.resolve(env.DATA_DIR),
      /** Whether what the embedded engine has acknowledged survives power loss. */
      durable: env.EMBEDDED_DURABILITY === 'on',
      url: secretUrl(env.DATABASE_URL, env.DATABASE_PASSWORD),
      /** Replicas for reads. */
      readUrls: splitList(env.READ_DATABASE_URL).map((url) => withPassword(url, env.DATABASE_PASSWORD)),
      /** Where analysts' statements run, as the role analyst; undefined: nowhere. */
      analystUrl: secretUrl(env.ANALYST_DATABASE_URL, env.ANALYST_DATABASE_PASSWORD),
      /** `check`: this process may not change the schema and expects it to be up to date. */
      migrations: env.MIGRATIONS,
      /** Passwords that `npm run db:roles` gives to the roles of sql/roles. */
      rolePasswords: rolePasswords(env),
    },
    limits: {
      /** Where requests are counted: in this process, in the database, or at a Valkey or Redis address. */
      store: limitsStore(
        env.LIMITS_STORE ?? (env.API_PROCESSES > 1 ? 'postgres' : 'memory'),
        env.LIMITS_STORE_PASSWORD,
      ),
      /** The Open plan's rate per address; the contract says 60. */
      openRequestsPerMinute: env.OPEN_REQUESTS_PER_MINUTE,
      /** "Reasonable use" of the Open plan per address and day; undefined: not limited. */
      openRequestsPerDay: env.OPEN_REQUESTS_PER_DAY,
      /** Limit of the pages, per address. */
      pageRequestsPerMinute: env.PAGE_REQUESTS_PER_MINUTE,
    },
    secrets: {
      /** 32 bytes in base64 that signing secrets are encrypted with; undefined: a file beside the embedded engine holds it. */
      key: env.SECRETS_KEY === undefined ? undefined : new Secret(env.SECRETS_KEY),
      /** Keys that secrets may still be encrypted with. */
      previous: splitList(env.SECRETS_KEY_PREVIOUS).map((key) => new Secret(key)),
    },
    bulk: {
      /** Whether files of the bulk exports are made here. */
      exports: env.BULK_EXPORTS === 'on',
      /** Folder in which files are written, and from which they are served where no store is configured. */
      folder: path.resolve(env.BULK_DIR ?? path.join(env.DATA_DIR, 'bulk')),
      /** Undefined: files stay in the folder. */
      s3: s3Config(env),
    },
    alerts: {
      perKeyMax: env.ALERTS_PER_KEY,
      /** Whether a receiver has to send a challenge back before it is called about crossings. */
      verification: env.WEBHOOK_VERIFICATION === 'on',
      /** Networks in CIDR notation that webhooks may be in although they are not public. */
      allowedNetworks: splitList(env.WEBHOOK_ALLOWED_NETWORKS),
      /** Ports that webhooks may have besides 443. */
      allowedPorts: splitList(env.WEBHOOK_ALLOWED_PORTS).map(Number),
    },
    /** Undefined: no mail server is configured, and nothing is sent. */
    mail:
      env.SMTP_URL === undefined || env.MAIL_FROM === undefined
        ? undefined
        : { smtp: new Secret(env.SMTP_URL), from: env.MAIL_FROM },
    sampleData: env.SAMPLE_DATA,
    /** Publishers that are fetched from. */
    sources: readSourcesConfig(env),
    /** For requests to publishers; an address may hold a password. */
    proxies: {
      http: env.HTTP_PROXY === undefined ? undefined : new Secret(env.HTTP_PROXY),
      https: env.HTTPS_PROXY === undefined ? undefined : new Secret(env.HTTPS_PROXY),
      except: env.NO_PROXY,
    },
    /** Whether models are trained here; otherwise the base model is used. */
    forecasts: { training: env.FORECAST_TRAINING === 'on' },
    /** The instant the process's clock starts from, undefined for the machine's own time. */
    clockStart: env.CLOCK === undefined ? undefined : Temporal.Instant.from(env.CLOCK),
  })
}

const ADDRESS_AND_PASSWORD = [
  ['DATABASE_URL', 'DATABASE_PASSWORD'],
  ['READ_DATABASE_URL', 'DATABASE_PASSWORD'],
  ['ANALYST_DATABASE_URL', 'ANALYST_DATABASE_PASSWORD'],
  ['LIMITS_STORE', 'LIMITS_STORE_PASSWORD'],
] as const
/** `http_proxy` and the like are the older and more common spelling. */
function proxiesInLowerCase(variables: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map((name) => [name, variables[name.toLowerCase()]]),
  )
}

/** Checks across variables. Works on the strings, so that it also reports if another variable is misspelt. */
function contradictions(stated: Partial<Record<string, string>>): string[] {
  const { NODE_ENV, CLOCK, BASE_URL, ROLE, DATABASE_URL, READ_DATABASE_URL, MIGRATIONS } = stated
  const problems: string[] = []
  if (CLOCK !== undefined && NODE_ENV === 'production')
    problems.push('CLOCK: is for demonstrations and tests, refused when NODE_ENV=production')
  if (CLOCK !== undefined && !isInstant(CLOCK))
    problems.push(`CLOCK: "${CLOCK}" is not an instant such as 2026-03-29T10:54:00Z`)
  if (BASE_URL !== undefined && URL.canParse(BASE_URL) && new URL(BASE_URL).pathname !== '/')
    problems.push('BASE_URL: must have no path, /v1 is added to it')
  if (READ_DATABASE_URL !== undefined && DATABASE_URL === undefined)
    problems.push('READ_DATABASE_URL: needs DATABASE_URL, the embedded engine has no replica')
  if (MIGRATIONS === 'check' && DATABASE_URL === undefined)
    problems.push('MIGRATIONS: "check" needs DATABASE_URL, the process that starts the embedded engine migrates it')
  for (const [urlName, passwordName] of ADDRESS_AND_PASSWORD) {
    const urls = splitList(stated[urlName] ?? '')
    if (stated[passwordName] !== undefined && urls.some((url) => URL.canParse(url) && new URL(url).password !== ''))
      problems.push(`${passwordName}: ${urlName} holds a password already`)
  }
  if ((ROLE === 'api' || ROLE === 'worker') && DATABASE_URL === undefined)
    problems.push(`ROLE: "${ROLE}" needs DATABASE_URL, the embedded engine needs ROLE=all`)
  return [
    ...problems,
    ...processesProblems(stated),
    ...secretsProblems(stated),
    ...proxyProblems(stated),
    ...webhookProblems(stated),
    ...mailProblems(stated),
    ...s3Problems(stated),
    ...contradictionsOfSources(stated),
  ]
}

function processesProblems({ API_PROCESSES = '1', DATABASE_URL, LIMITS_STORE, ROLE }: Partial<Record<string, string>>) {
  if (API_PROCESSES === '1') return []
  if (DATABASE_URL === undefined) return ['API_PROCESSES: needs DATABASE_URL, the embedded engine serves one process']
  return [
    ...(LIMITS_STORE === 'memory' ? ['API_PROCESSES: needs a LIMITS_STORE that the processes share'] : []),
    ...(ROLE === 'worker' ? ['API_PROCESSES: a worker serves no API'] : []),
  ]
}

function secretsProblems({ SECRETS_KEY, SECRETS_KEY_PREVIOUS = '' }: Partial<Record<string, string>>): string[] {
  const problems: string[] = []
  if (SECRETS_KEY !== undefined && !isSecretsKey(SECRETS_KEY))
    problems.push('SECRETS_KEY: must be 32 bytes in base64, as "openssl rand -base64 32" prints them')
  if (splitList(SECRETS_KEY_PREVIOUS).some((key) => !isSecretsKey(key)))
    problems.push('SECRETS_KEY_PREVIOUS: must be keys of 32 bytes in base64, separated by commas')
  return problems
}

/** Names of networks, as Express knows them. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** A number alone, which elsewhere counts proxies, would be read as an address. */
function proxyProblems({ TRUSTED_PROXIES = '' }: Partial<Record<string, string>>): string[] {
  const isTrustable = (text: string) =>
    NAMED_NETWORKS.includes(text) || (/[.:]/.test(text) && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text)))
  const wrong = splitList(TRUSTED_PROXIES).find((text) => !isTrustable(text))
  return wrong === undefined ? [] : [`TRUSTED_PROXIES: "${wrong}" is no address or network such as 10.1.0.0/16`]
}

function webhookProblems(stated: Partial<Record<string, string>>): string[] {
  const { WEBHOOK_ALLOWED_NETWORKS = '', WEBHOOK_ALLOWED_PORTS = '' } = stated
  const network = splitList(WEBHOOK_ALLOWED_NETWORKS).find((text) => !ipaddr.isValidCIDR(text))
  const port = splitList(WEBHOOK_ALLOWED_PORTS).find((text) => !/^\d{1,5}$/.test(text) || Number(text) > 65_535)
  return [
    ...(network === undefined ? [] : [`WEBHOOK_ALLOWED_NETWORKS: "${network}" is not a network such as 10.1.0.0/16`]),
    ...(port === undefined ? [] : [`WEBHOOK_ALLOWED_PORTS: "${port}" is not a port`]),
  ]
}

function mailProblems({ SMTP_URL, MAIL_FROM }: Partial<Record<string, string>>): string[] {
  if ((SMTP_URL === undefined) === (MAIL_FROM === undefined)) return []
  return [SMTP_URL === undefined ? 'MAIL_FROM: needs SMTP_URL' : 'SMTP_URL: needs MAIL_FROM, the sender of the mails']
}

function s3Problems(stated: Partial<Record<string, string>>): string[] {
  const { BULK_S3_BUCKET, BULK_S3_ACCESS_KEY_ID, BULK_S3_SECRET_ACCESS_KEY } = stated
  const problems: string[] = []
  if (BULK_S3_BUCKET === undefined) {
    const orphans = Object.keys(stated).filter((name) => name.startsWith('BULK_S3_'))
    problems.push(...orphans.map((name) => `${name}: needs BULK_S3_BUCKET`))
  }
  if ((BULK_S3_ACCESS_KEY_ID === undefined) !== (BULK_S3_SECRET_ACCESS_KEY === undefined))
    problems.push('BULK_S3_ACCESS_KEY_ID: and BULK_S3_SECRET_ACCESS_KEY come together')
  return problems
}

function s3Config(env: Environment): S3Config | undefined {
  if (env.BULK_S3_BUCKET === undefined) return undefined
  const { BULK_S3_ACCESS_KEY_ID: id, BULK_S3_SECRET_ACCESS_KEY: secret } = env
  return {
    bucket: env.BULK_S3_BUCKET,
    prefix: env.BULK_S3_PREFIX,
    region: env.BULK_S3_REGION,
    endpoint: env.BULK_S3_ENDPOINT === undefined ? undefined : new URL(env.BULK_S3_ENDPOINT),
    pathStyle: env.BULK_S3_PATH_STYLE === 'true',
    credentials: id === undefined || secret === undefined ? undefined : { id, secret: new Secret(secret) },
  }
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
function limitsStore(text: string, password: string | undefined): 'memory' | 'postgres' | Secret {
  return text === 'memory' || text === 'postgres' ? text : withPassword(text, password)
}

function secretUrl(address: string | undefined, password: string | undefined): Secret | undefined {
  return address === undefined ? undefined : withPassword(address, password)
}

/** The address with the password, which it does not contain yet (see contradictions). */
function withPassword(address: string, password: string | undefined): Secret {
  if (password === undefined) return new Secret(address)
  const url = new URL(address)
  url.password = encodeURIComponent(password)
  return new Secret(url.href)
}

function rolePasswords(env: Environment): Readonly<Partial<Record<RoleName, Secret>>> {
  const stated: Record<RoleName, string | undefined> = {
    analyst: env.ANALYST_DATABASE_PASSWORD,
    energy_api: env.API_DATABASE_PASSWORD,
    energy_worker: env.WORKER_DATABASE_PASSWORD,
    energy_monitor: env.MONITOR_DATABASE_PASSWORD,
  }
  return Object.fromEntries(
    Object.entries(stated).flatMap(([role, value]) => (value === undefined ? [] : [[role, new Secret(value)]])),
  )
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
