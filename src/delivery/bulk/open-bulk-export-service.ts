/** The bulk export service as configured. */

import type { Secret } from '../../platform/secret.ts'
import type { Config } from '../../service/config/config.ts'
import { type BulkExportService, type BulkExportServiceOptions, bulkExportService } from './bulk-export-service.ts'
import { signedAddresses } from './signed-addresses.ts'

/** Undefined if files are in a folder and there is no key to sign their URLs with. */
export function openBulkExportService(
  config: Pick<Config, 'secrets'>,
  { key, ...options }: Omit<BulkExportServiceOptions, 'addresses'> & { key: Secret | undefined },
): BulkExportService | undefined {
  if (options.store.presign !== undefined) return bulkExportService({ ...options, addresses: undefined })
  if (key === undefined) return undefined
  return bulkExportService({ ...options, addresses: signedAddresses(key, config.secrets.previous) })
}
