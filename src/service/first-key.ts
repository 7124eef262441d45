/**
 * Issues a key of the Trading plan at the first start on a local machine, so that endpoints that need one can be tried at once. It
 * is printed to the terminal only, never logged, and stored as a hash like every key.
 */
import { newApiKey } from '../api/access/api-key.ts'
import { insertApiKey } from '../store/api-keys.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost']
const OWNER = 'this machine'

/** Whether only the person at the terminal sees the output, and only this machine can reach the service. */
export function isLocalStart(
  { environment, role, http, database }: Pick<Config, 'environment' | 'role' | 'http' | 'database'>,
  isTerminal: boolean,
): boolean {
  const isPrivate = LOOPBACK.includes(http.host) && http.baseUrl === undefined && http.processes === 1
  return isTerminal && isPrivate && environment === 'development' && role === 'all' && database.url === undefined
}

/** Returns undefined if any key was ever issued. */
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
