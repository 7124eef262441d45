/** What only the names of the portal's files state: `PO_Offerte_E_MLIBERO_20260201.xml` is electricity on 2026-02-01. */

import { type MarketDay, parseMarketDay } from '../../market/market-day.ts'
import type { Commodity } from '../../market/offers.ts'
import { UnreadableDocument } from '../faults.ts'

export interface NamedFile {
  day: MarketDay
  /** Undefined if the name does not say. */
  commodity: Commodity | 'dual' | undefined
}

const COMMODITIES: Readonly<Record<string, Commodity | 'dual'>> = { E: 'luce', G: 'gas', D: 'dual' }

/** Also of an entry in an archive, and of a day written with hyphens. `day` replaces the one in the name. Fails with UnreadableDocument. */
export function readFileName(name: string, day?: MarketDay): NamedFile {
  const baseName = name.split(/[!/\\]/).at(-1) ?? ''
  const [, letter] = /_([EGD])_/.exec(baseName) ?? []
  const commodity = letter === undefined ? undefined : COMMODITIES[letter]
  const named = day ?? dayIn(baseName)
  if (named === undefined) {
    const detail = `${JSON.stringify(baseName)} does not state the day of the list, nor do its contents: pass --day YYYY-MM-DD`
    throw new UnreadableDocument('file name', detail)
  }
  return { day: named, commodity }
}

/** The last date in it. */
function dayIn(baseName: string): MarketDay | undefined {
  const [, year, month, day] = /.*(?<!\d)(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(baseName) ?? []
  return year === undefined ? undefined : parseMarketDay(`${year}-${month}-${day}`)
}
