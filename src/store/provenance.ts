/** Provenance of a day's values: the documents they were read from. */
import type { AssetCode } from '../market/assets.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { ZoneCode } from '../market/zones.ts'
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

export interface DocumentOfDay {
  /** From 1; the highest is current. */
  version: number
  /** When a later document replaced the values; null for those that are current. */
  replaced_at: Temporal.Instant | null
  /** Number of the day's values from this document. */
  values: number
  published_at: Temporal.Instant
  fetched_at: Temporal.Instant
  source: string
  address: string
  sha256: string
  bytes: number
}

export interface ProvenanceStore {
  /** Latest version first. The PUN is both an asset and a zone. */
  documents(of: { asset?: AssetCode; zone?: ZoneCode }, day: MarketDay): Promise<DocumentOfDay[]>
}

const LIST = query<DocumentOfDay>('provenance_list')

export function provenanceStore(sql: Sql): ProvenanceStore {
  return {
    async documents({ asset, zone }, day) {
      return LIST(sql, asset ?? null, zone ?? null, day)
    },
  }
}
