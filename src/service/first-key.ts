/**
 * A key of the Trading plan for the person who starts the service on their own machine for the first time, so that what needs one can be tried at once. It is
 * written to the terminal alone, never to a log, and stored as a hash like every key.
 */
import { newApiKey } from '../api/access/api-key.ts'
import { insertApiKey } from '../store/api-keys.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost']
const OWNER = 'this machine'

/** Whether nobody but the person at the terminal sees what is written, and nobody but this machine reaches the service. */
export function isLocalStart(
  { environment, role, http, database }: Pick<Config, 'environment' | 'role' | 'http' | 'database'>,
  isTerminal: boolean,
): boolean {
  const isPrivate = LOOPBACK.includes(http.host) && http.baseUrl === undefined && http.processes === 1
  return isTerminal && isPrivate && environment === 'development' && role === 'all' && database.url === undefined
}

/** Undefined where a key has ever been issued. */
export async function issueFirstKey({
  database,
  clock,
}: Pick<Context, 'database' | 'clock'>): Promise<string | undefined> {
  const [row] = await database.sql<{ found: boolean }[]>`select exists (select from api_keys) as found`
  if (row?.found !== false) return undefined
  const { key, ...stored } = newApiKey()
  const limits = { requestsPerMinute: null, requestsPerMonth: null, attribution: null }
  const record = { ...stored, ...limits, plan: 'Trading' as const, owner: OWNER, email: null, rotatedFrom: null }
  await insertApiKey(database.sql, { ...record, createdAt: clock.now() })
  return key
}
