/** The environment as strings: names, shapes and defaults of every variable. What they mean is decided in config.ts. */
import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)

export const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUSTED_PROXIES: z.string().default(''),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  READ_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SAMPLE_DATA: z.enum(['auto', 'on', 'off']).default('auto'),
  CLOCK: z.string().optional(),
  LIMITS_STORE: z
    .union([z.enum(['memory', 'postgres']), z.url({ protocol: /^(redis|rediss|valkey|valkeys)$/ })])
    .default('memory'),
  OPEN_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(60),
  OPEN_REQUESTS_PER_DAY: z.coerce.number().int().min(1).optional(),
  FORECAST_TRAINING: z.enum(['on', 'off']).default('on'),
  COMING_ENDPOINTS: z.string().default(''),
})

export type Environment = z.infer<typeof environment>
