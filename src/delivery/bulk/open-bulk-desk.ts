/** The desk as it is configured. */

import type { Secret } from '../../platform/secret.ts'
import type { Config } from '../../service/config/config.ts'
import { type BulkDesk, type BulkDeskOptions, bulkDesk } from './bulk-desk.ts'
import { signedAddresses } from './signed-addresses.ts'

/** Undefined where files are in a folder and there is no key to sign their addresses with. */
export function openBulkDesk(
  config: Pick<Config, 'secrets'>,
  { key, ...options }: Omit<BulkDeskOptions, 'addresses'> & { key: Secret | undefined },
): BulkDesk | undefined {
  if (options.store.presign !== undefined) return bulkDesk({ ...options, addresses: undefined })
  if (key === undefined) return undefined
  return bulkDesk({ ...options, addresses: signedAddresses(key, config.secrets.previous) })
}
