/** The environment as strings: names, shapes and defaults of every variable. What they mean is decided in config.ts. */
import { z } from 'zod'
import { PAGES, PLANS } from '../../api/contract/plans.ts'
import { wholeNumber } from '../../publishers/settings.ts'
import { SOURCE_VARIABLES } from './source-config.ts'

const port = wholeNumber(0, 65_535)
/** Characters that work in a URL and a file alike and need no normalising (RFC 4013) before hashing. */
const password = z.string().regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 visible ASCII characters')

const SERVERS = /^\s*postgres(ql)?:\/\/[^\s,]+(\s*,\s*postgres(ql)?:\/\/[^\s,]+)*\s*$|^$/
const VISIBLE = /^[\x21-\x7e]+$/
/** As every compatible store accepts it; the rules of AWS are stricter. */
const bucket = z
  .string()
  .regex(
    /^(\w[\w.-]{1,61}\w|arn:[\w:/.-]+)$/,
    'must be the name of a bucket, or the ARN of an access point, without scheme or path',
  )
const keyPrefix = z
  .string()
  .regex(/^([\w.!()'*-][\w.!()'*/-]*)?$/, 'must be the start of a key, such as bulk/, and not begin with a slash')

const proxy = z.string().min(1).optional()
const address = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be an address such as ${example}` }).optional()

export const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_PORT: port.default(9464),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: address(/^https?$/, 'https://energy.example'),
  TRUSTED_PROXIES: z.string().default(''),
  DATA_DIR: z.string().min(1).default('./data'),
  EMBEDDED_DURABILITY: z.enum(['on', 'off']).default('on'),
  DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user@host/database'),
  READ_DATABASE_URL: z.string().regex(SERVERS, 'must be postgres:// addresses, separated by commas').default(''),
  DATABASE_PASSWORD: password.optional(),
  ANALYST_DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user@host/database'),
  ANALYST_DATABASE_PASSWORD: password.optional(),
  API_DATABASE_PASSWORD: password.optional(),
  WORKER_DATABASE_PASSWORD: password.optional(),
  MONITOR_DATABASE_PASSWORD: password.optional(),
  MIGRATIONS: z.enum(['auto', 'check']).default('auto'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  API_PROCESSES: wholeNumber(1, 64).default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['auto', 'json', 'text']).default('auto'),
  SAMPLE_DATA: z.enum(['auto', 'off']).default('auto'),
  CLOCK: z.string().optional(),
  LIMITS_STORE: z
    .union([
      z.enum(['memory', 'postgres']),
      z.url({
        protocol: /^(redis|rediss|valkey|valkeys)$/,
        error: 'must be memory, postgres, or an address such as valkey://host:6379',
      }),
    ])
    .optional(),
  LIMITS_STORE_PASSWORD: password.optional(),
  OPEN_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(PLANS.Open.requestsPerMinute),
  OPEN_REQUESTS_PER_DAY: wholeNumber(1).optional(),
  PAGE_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(PAGES.requestsPerMinute),
  FORECAST_TRAINING: z.enum(['on', 'off']).default('on'),
  COMING_ENDPOINTS: z.string().default(''),
  SECRETS_KEY: z.string().optional(),
  SECRETS_KEY_PREVIOUS: z.string().default(''),
  BULK_EXPORTS: z.enum(['on', 'off']).default('on'),
  BULK_DIR: z.string().min(1).optional(),
  BULK_S3_BUCKET: bucket.optional(),
  BULK_S3_PREFIX: keyPrefix.default(''),
  BULK_S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a region')
    .default('us-east-1'),
  BULK_S3_ENDPOINT: address(/^https?$/, 'https://s3.example'),
  BULK_S3_PATH_STYLE: z.enum(['true', 'false']).default('false'),
  BULK_S3_ACCESS_KEY_ID: z.string().regex(VISIBLE, 'must be visible ASCII characters').optional(),
  BULK_S3_SECRET_ACCESS_KEY: z.string().regex(VISIBLE, 'must be visible ASCII characters').optional(),
  ALERTS_PER_KEY: wholeNumber(1, 100_000).default(100),
  WEBHOOK_VERIFICATION: z.enum(['on', 'off']).default('off'),
  WEBHOOK_ALLOWED_NETWORKS: z.string().default(''),
  WEBHOOK_ALLOWED_PORTS: z.string().default(''),
  SMTP_URL: address(/^smtps?$/, 'smtps://user@host'),
  MAIL_FROM: z.string().optional(),
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  NO_PROXY: z.string().default(''),
  ...SOURCE_VARIABLES,
})

export type Environment = z.infer<typeof environment>
