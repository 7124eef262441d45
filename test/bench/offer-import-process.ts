/** Imports one file into the database at a URL, and prints duration and memory. */

import { importFiles } from '../../src/ingest/import-files.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { connectDatabase } from '../../src/store/database.ts'
import type { OfferCounts } from '../../src/store/offer-writer.ts'

export interface OfferImport extends OfferCounts {
  seconds: number
  peakBytes: number
}

if (import.meta.main) {
  const [url = '', file = ''] = process.argv.slice(2)
  await using database = connectDatabase({ url, poolSize: 2 })
  const started = performance.now()
  const { offerDays, refused } = await importFiles({ database, clock: makeClock(), paths: [file] })
  const [counts] = offerDays
  if (counts === undefined) throw new Error(`refused: ${JSON.stringify(refused)}`)
  const seconds = (performance.now() - started) / 1000
  console.log(
    JSON.stringify({ ...counts, excluded: undefined, seconds, peakBytes: process.resourceUsage().maxRSS * 1024 }),
  )
}
