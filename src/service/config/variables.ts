/**
 * Every environment variable: its field in the configuration, name, shape, default and meaning. Types, parsing and the table in
 * README.md are derived from it. The variables of publishers are defined with the publishers (`src/publishers/`).
 */
import path from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { PAGES, PLANS } from '../../api/contract/plans.ts'
import { isSecretsKey, Secret } from '../../platform/secret.ts'
import { wholeNumber } from '../../publishers/settings.ts'

const port = wholeNumber(0, 65_535)
const host = z
  .string()
  .refine(
    (name) => URL.canParse(`http://${name.includes(':') ? `[${name}]` : name}`),
    'must be an address or a host name',
  )
  .default('127.0.0.1')
/** Characters that work in a URL and a file alike and need no normalising (RFC 4013) before hashing. */
const password = z
  .string()
  .regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 visible ASCII characters')
  .transform(secret)
  .optional()
const visible = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
  .optional()
const onOff = (byDefault: 'on' | 'off') =>
  z
    .enum(['on', 'off'])
    .default(byDefault)
    .transform((text) => text === 'on')
const address = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address such as ${example}` })
const server = address(/^postgres(ql)?$/, 'postgres://user@host/database').optional()
const SERVER_LIST_PATTERN = /^\s*postgres(ql)?:\/\/[^\s,]+(\s*,\s*postgres(ql)?:\/\/[^\s,]+)*\s*$|^$/

/** A list separated by commas; `problemOf` returns the problem of an item. */
function list(problemOf: (item: string) => string | undefined = () => undefined) {
  return z
    .string()
    .default('')
    .transform((text, ctx) => {
      const items = splitList(text)
      const problem = items.map(problemOf).find((found) => found !== undefined)
      if (problem !== undefined) ctx.addIssue(problem)
      return items
    })
}

/** Names of networks that Express accepts. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

const proxies = list((text) => {
  // A bare number, which elsewhere counts proxies, would be parsed as an address.
  const isAddress = /[.:]/.test(text) && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text))
  if (isAddress || NAMED_NETWORKS.includes(text)) return undefined
  return `"${text}" is no address or network such as 10.1.0.0/16`
})

/** `byDefault`: the default that the table shows if it is not that of the shape. */
function variable<Shape extends z.ZodType>(name: string, shape: Shape, meaning: string, byDefault?: string) {
  return { name, shape, meaning, byDefault }
}

export const VARIABLES = {
  http: {
    port: variable('PORT', port.default(8080), 'port of the API; `0` takes a free one'),
    host: variable('HOST', host, 'address it listens on'),
    /** Undefined: derived from the address the server listens on. */
    baseUrl: variable(
      'BASE_URL',
      address(/^https?$/, 'https://energy.example')
        .refine(
          (text) => !URL.canParse(text) || new URL(text).pathname === '/',
          'must have no path, /v1 is added to it',
        )
        .transform((text) => new URL(text))
        .optional(),
      'canonical origin, such as `https://energy.example`. Once it is set, requests to other host names are redirected to it, and http to https behind a proxy',
      'the address it listens on',
    ),
    trustedProxies: variable(
      'TRUSTED_PROXIES',
      proxies,
      'addresses or networks, separated by commas, whose `X-Forwarded-*` headers are trusted',
    ),
    processes: variable(
      'API_PROCESSES',
      wholeNumber(1, 64).default(1),
      'processes that serve the API behind one port, and beside them, with `ROLE=all`, one that works; SIGHUP restarts them one after another. Needs `DATABASE_URL`',
    ),
    comingEndpoints: variable(
      'COMING_ENDPOINTS',
      list().transform((paths): ReadonlySet<string> => new Set(paths)),
      'paths, such as `/ttf/today`, that are announced but not available yet',
    ),
  },
  metrics: {
    port: variable('METRICS_PORT', port.default(9464), "port of Prometheus' `/metrics`; `0` takes a free one"),
    host: variable(
      'METRICS_HOST',
      host,
      'address it listens on; there is no authentication, so keep it reachable for Prometheus only',
    ),
  },
  process: {
    role: variable(
      'ROLE',
      z.enum(['all', 'api', 'worker']).default('all'),
      '`api` or `worker` for one of the two; needs `DATABASE_URL`',
    ),
    logLevel: variable(
      'LOG_LEVEL',
      z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
      '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; logs go to standard output',
    ),
    logFormat: variable(
      'LOG_FORMAT',
      z.enum(['auto', 'json', 'text']).default('auto'),
      '`json`: one object a line; `text`: lines for a person; `auto`: text in a terminal, else JSON',
    ),
    sampleData: variable(
      'SAMPLE_DATA',
      z.enum(['auto', 'off']).default('auto'),
      '`auto`: synthetic data until the first price or offer of a publisher is stored; `off`: none, and existing ones are removed',
    ),
    clockStart: variable(
      'CLOCK',
      z
        .string()
        .refine(isInstant, { error: ({ input }) => `"${input}" is not an instant such as 2026-03-29T10:54:00Z` })
        .transform((text) => Temporal.Instant.from(text))
        .optional(),
      "an instant at which the service's clock starts, for demonstrations and tests; refused in production",
      "the machine's",
    ),
    environment: variable(
      'NODE_ENV',
      z.enum(['production', 'development', 'test']).default('development'),
      '`production` turns off the validation of every answer against its schema',
    ),
  },
  database: {
    dataDir: variable(
      'DATA_DIR',
      z
        .string()
        .min(1)
        .default('./data')
        .transform((folder) => path.resolve(folder)),
      'folder of the embedded database; used by one service at a time. While SQL queries run, each of their copies in `analysts/` takes the same space again',
      '`./data`',
    ),
    durable: variable(
      'EMBEDDED_DURABILITY',
      onOff('on'),
      'whether what the embedded database has acknowledged survives power loss; `off`: faster commits, and power loss may destroy the database',
    ),
    url: variable('DATABASE_URL', server, 'a TimescaleDB server instead of the embedded one'),
    readUrls: variable(
      'READ_DATABASE_URL',
      z
        .string()
        .regex(SERVER_LIST_PATTERN, 'must be postgres:// addresses, separated by commas')
        .default('')
        .transform(splitList),
      'replicas of it for reads, separated by commas; one that is behind is passed over',
    ),
    password: variable('DATABASE_PASSWORD', password, 'the password for all, if their addresses do not contain it'),
    analystUrl: variable(
      'ANALYST_DATABASE_URL',
      server,
      'where `POST /v1/sql` runs queries, as the role `analyst`. Without it they run on copies of the embedded database; with `DATABASE_URL` alone the endpoint is off',
    ),
    analystPassword: variable(
      'ANALYST_DATABASE_PASSWORD',
      password,
      'its password, if the address does not contain it; also the one that `npm run db:roles` gives to the role',
    ),
    apiPassword: variable(
      'API_DATABASE_PASSWORD',
      password,
      'password that `npm run db:roles` gives to the role `energy_api`',
    ),
    workerPassword: variable('WORKER_DATABASE_PASSWORD', password, 'the same for `energy_worker`'),
    monitorPassword: variable('MONITOR_DATABASE_PASSWORD', password, 'the same for `energy_monitor`'),
    migrations: variable(
      'MIGRATIONS',
      z.enum(['auto', 'check']).default('auto'),
      '`check`: the schema must be up to date already, for roles that may not change it',
    ),
  },
  forecasts: {
    training: variable(
      'FORECAST_TRAINING',
      onOff('on'),
      '`off`: no models are trained, and the base model makes the forecasts',
    ),
  },
  limits: {
    store: variable(
      'LIMITS_STORE',
      z
        .union([
          z.enum(['memory', 'postgres']),
          z.url({
            protocol: /^(redis|rediss|valkey|valkeys)$/,
            error: 'must be memory, postgres, or an address such as valkey://host:6379',
          }),
        ])
        .optional(),
      'where requests are counted: `memory` for one process; `postgres`, or a `redis://` or `valkey://` address (`rediss://`, `valkeys://` with TLS), where several share the limits',
      '`memory`; `postgres` with several `API_PROCESSES`',
    ),
    password: variable('LIMITS_STORE_PASSWORD', password, 'its password, if the address does not contain it'),
    openRequestsPerMinute: variable(
      'OPEN_REQUESTS_PER_MINUTE',
      wholeNumber(1, 1_000_000).default(PLANS.Open.requestsPerMinute),
      'requests per minute from an address without a key',
    ),
    openRequestsPerDay: variable('OPEN_REQUESTS_PER_DAY', wholeNumber(1).optional(), 'the same per day', 'not limited'),
    pageRequestsPerMinute: variable(
      'PAGE_REQUESTS_PER_MINUTE',
      wholeNumber(1, 1_000_000).default(PAGES.requestsPerMinute),
      'pages per minute to one address',
    ),
  },
  sources: {
    enabled: variable('SOURCES', z.string().default(''), 'publishers to fetch from, by id, separated by commas'),
  },
  proxies: {
    http: variable(
      'HTTP_PROXY',
      z.string().min(1).transform(secret).optional(),
      'proxy for requests to publishers by http; lower-case names work too',
    ),
    https: variable('HTTPS_PROXY', z.string().min(1).transform(secret).optional(), 'the same by https'),
    except: variable('NO_PROXY', z.string().default(''), 'hosts that are reached without one'),
  },
  secrets: {
    key: variable(
      'SECRETS_KEY',
      z
        .string()
        .refine(isSecretsKey, 'must be 32 bytes in base64, as "openssl rand -base64 32" prints them')
        .transform(secret)
        .optional(),
      '32 bytes in base64 that encrypt signing secrets and sign the addresses of files. With `DATABASE_URL`, alerts and bulk exports from the folder are off without it',
      'a file in `DATA_DIR`',
    ),
    previous: variable(
      'SECRETS_KEY_PREVIOUS',
      list((key) =>
        isSecretsKey(key) ? undefined : 'must be keys of 32 bytes in base64, separated by commas',
      ).transform((keys) => keys.map(secret)),
      'earlier keys, separated by commas, needed until `npm run secrets -- rotate` has run',
    ),
  },
  alerts: {
    perKeyMax: variable('ALERTS_PER_KEY', wholeNumber(1, 100_000).default(100), 'maximum number of alerts per key'),
    verification: variable(
      'WEBHOOK_VERIFICATION',
      onOff('off'),
      '`on`: a receiver of alerts must echo a challenge before it is called about crossings',
    ),
    allowedNetworks: variable(
      'WEBHOOK_ALLOWED_NETWORKS',
      list((text) => (ipaddr.isValidCIDR(text) ? undefined : `"${text}" is not a network such as 10.1.0.0/16`)),
      'networks (CIDR) in which webhooks are allowed although they are not public',
    ),
    allowedPorts: variable(
      'WEBHOOK_ALLOWED_PORTS',
      list((text) =>
        /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? undefined : `"${text}" is not a port`,
      ).transform((ports) => ports.map(Number)),
      'ports allowed for webhooks besides 443',
    ),
  },
  mail: {
    smtp: variable(
      'SMTP_URL',
      address(/^smtps?$/, 'smtps://user@host')
        .transform(secret)
        .optional(),
      'mail server (`smtp://` or `smtps://`, with user and password) for mails to key owners, alerts among them, and to people who confirm an address. Without it no mail is sent and `/developer-key` is off',
    ),
    from: variable('MAIL_FROM', z.string().optional(), 'sender of these mails'),
  },
  bulk: {
    exports: variable('BULK_EXPORTS', onOff('on'), '`off`: this process makes no files for the bulk exports'),
    folder: variable(
      'BULK_DIR',
      z.string().min(1).optional(),
      'folder in which these files are written and from which they are served; the API and the worker must share it',
      '`bulk` in `DATA_DIR`',
    ),
  },
  /** An S3-compatible store. */
  s3: {
    /** The naming rules of all compatible stores; those of AWS are stricter. */
    bucket: variable(
      'BULK_S3_BUCKET',
      z
        .string()
        .regex(
          /^(\w[\w.-]{1,61}\w|arn:[\w:/.-]+)$/,
          'must be the name of a bucket, or the ARN of an access point, without scheme or path',
        )
        .optional(),
      'an S3-compatible store that serves the files instead of the folder, from addresses that it presigns',
    ),
    /** Undefined: the AWS endpoint of the region. */
    endpoint: variable(
      'BULK_S3_ENDPOINT',
      address(/^https?$/, 'https://s3.example')
        .transform((text) => new URL(text))
        .optional(),
      'where it is',
      'AWS',
    ),
    region: variable(
      'BULK_S3_REGION',
      z
        .string()
        .regex(/^[\w-]+$/, 'must be the name of a region')
        .default('us-east-1'),
      'its region',
    ),
    pathStyle: variable(
      'BULK_S3_PATH_STYLE',
      z
        .enum(['true', 'false'])
        .default('false')
        .transform((text) => text === 'true'),
      'whether the bucket is part of the path of addresses, not of their host',
      '`false`',
    ),
    prefix: variable(
      'BULK_S3_PREFIX',
      z
        .string()
        .regex(/^([\w.!()'*-][\w.!()'*/-]*)?$/, 'must be the start of a key, such as bulk/, and not begin with a slash')
        .default(''),
      'prefix of every key',
    ),
    accessKeyId: variable(
      'BULK_S3_ACCESS_KEY_ID',
      visible,
      'credentials of the store; the bucket must be private',
      "those of the machine's role",
    ),
    secretAccessKey: variable('BULK_S3_SECRET_ACCESS_KEY', visible, 'their secret', "those of the machine's role"),
  },
}

type Groups = typeof VARIABLES
/** The values of each group, by field. */
export type Values = {
  [Group in keyof Groups]: {
    [Field in keyof Groups[Group]]: Groups[Group][Field] extends { shape: z.ZodType }
      ? z.output<Groups[Group][Field]['shape']>
      : never
  }
}

function secret(text: string): Secret {
  return new Secret(text)
}

function isInstant(text: string): boolean {
  try {
    Temporal.Instant.from(text)
    return true
  } catch {
    return false
  }
}

export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
