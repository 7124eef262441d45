/** The service's context on a test database and the test's own clock, without log output. */

import { createLogger } from '../../src/platform/log.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { type Context, makeContext } from '../../src/service/context.ts'
import type { TestDatabase } from './database.ts'

/** `env` is the complete environment. */
export function testContext(
  db: TestDatabase,
  now: () => Temporal.Instant,
  env: Record<string, string> = {},
): Promise<Context> {
  return makeContext({
    config: readConfig(env),
    log: createLogger({ level: 'silent' }),
    clock: { now },
    open: async () => ({ url: db.url, readUrls: [], engine: undefined }),
  })
}
