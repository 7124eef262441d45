/** The desk as it is configured. */
import type { Config } from '../config/config.ts'
import type { Secret } from '../config/secrets.ts'
import type { Sql } from '../store/database.ts'
import { type BulkDesk, bulkDesk } from './bulk-desk.ts'
import type { FileStore } from './file-store.ts'
import { signedAddresses } from './signed-addresses.ts'

/** Undefined where files are in a folder and there is no key to sign their addresses with. */
export function openBulkDesk(
  config: Pick<Config, 'secrets'>,
  { sql, store, key }: { sql: Sql; store: FileStore; key: Secret | undefined },
): BulkDesk | undefined {
  if (store.presign !== undefined) return bulkDesk({ sql, store, addresses: undefined })
  if (key === undefined) return undefined
  return bulkDesk({ sql, store, addresses: signedAddresses(key, config.secrets.previous) })
}
