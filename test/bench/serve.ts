/** The app on a scratch database and a real socket as in production, with a key that is held back by nothing. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { devNull } from 'node:os'
import { apiKeyHint, hashApiKey, makeApiKey } from '../../src/api/access/api-key.ts'
import { drainable } from '../../src/api/http/drain.ts'
import { httpServer, serveRequests } from '../../src/api/http/http-server.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { createLogger, logDestination } from '../../src/platform/log.ts'
import { createApp } from '../../src/service/app.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { makeContext } from '../../src/service/context.ts'
import { makeService } from '../../src/service/make-service.ts'
import { insertApiKey } from '../../src/store/api-keys.ts'
import type { Sql } from '../../src/store/database.ts'
import { idleQueue } from '../support/idle-queue.ts'
import type { ScratchDatabase } from './scratch-database.ts'

const UNLIMITED = 1_000_000_000

export interface ServedDatabase extends AsyncDisposable {
  baseUrl: URL
  /** Of an Enterprise key. */
  headers: Record<string, string>
  /** Makes every cached answer stale. */
  raiseDataVersion(): void
}

export async function serve(
  { url, folder }: Pick<ScratchDatabase, 'url' | 'folder'>,
  now: Temporal.Instant,
  env: Record<string, string> = {},
): Promise<ServedDatabase> {
  const config = readConfig({
    NODE_ENV: 'production',
    DATA_DIR: folder,
    ...env,
  })
  const ctx = await makeContext({
    config,
    clock: makeClock(now),
    // Lines are formatted and written as in production, to nowhere.
    log: createLogger({ level: 'info', destination: logDestination(devNull) }),
    open: async () => ({ url, readUrls: [], engine: undefined }),
    openQueue: async () => idleQueue(),
  })
  const key = await issueKey(ctx.database.sql, now)
  const server = httpServer()
  drainable(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const service = makeService(ctx, { baseUrl, health: { stopping: false } })
  let raised = 0
  const app = createApp({
    ...service,
    access: { ...service.access, openRequestsPerMinute: UNLIMITED, pageRequestsPerMinute: UNLIMITED },
    dataVersion: { current: () => ctx.dataVersion.current() + raised },
  })
  serveRequests(server, app, { baseUrl, log: ctx.log })
  return {
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
    raiseDataVersion: () => {
      raised += 1_000_000
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await ctx.stop()
    },
  }
}

async function issueKey(sql: Sql, now: Temporal.Instant): Promise<string> {
  const key = makeApiKey(randomBytes)
  await insertApiKey(sql, {
    id: `key_${randomBytes(6).toString('hex')}`,
    sha256: hashApiKey(key),
    hint: apiKeyHint(key),
    plan: 'Enterprise',
    owner: 'benchmark',
    email: null,
    requestsPerMinute: UNLIMITED,
    requestsPerMonth: UNLIMITED,
    attribution: null,
    createdAt: now,
    rotatedFrom: null,
  })
  return key
}
