/** One market day of all zones in quarter-hours, from the publisher's bytes to refreshed aggregates, as a poll does it. */

import { ingestSession } from '../../src/ingest/ingest.ts'
import { readDocumentsIn } from '../../src/ingest/read-documents.ts'
import { sourceFileFromBytes } from '../../src/ingest/source-file.ts'
import { makeClock } from '../../src/platform/clock.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { loadPriceLimits } from '../../src/store/price-limits.ts'
import { gmeXml } from '../support/gme-documents.ts'
import { zipArchive } from '../support/zip-archive.ts'
import { type BenchRow, median, time } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'

const DAYS = 21
const FIRST = Temporal.PlainDate.from('2026-10-12')
const INTERVALS = 8 * 96

export default async function marketDay(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  const limits = await loadPriceLimits(scratch.database)
  const bodies = Array.from({ length: DAYS }, (_, n) => {
    const day = FIRST.add({ days: n })
    const name = `${day.toString().replaceAll('-', '')}MGPPrezzi15.xml`
    return zipArchive([{ name, content: gmeXml({ day, resolution: 15 }) }])
  })
  const ingestDay = async (bytes: Buffer, n: number) => {
    await using file = await sourceFileFromBytes('MGPPrezzi.zip', bytes)
    const session = ingestSession({ sql, clock: makeClock(), limits, source: 'gme-mgp', emitEvents: true })
    for await (const document of readDocumentsIn(file)) {
      const { sha256, bytes: size } = document
      const origin = { sha256, address: `bench:${n}`, bytes: size, fetchedAt: Temporal.Now.instant() }
      for await (const item of document.parsed) await session.add(item, origin)
    }
    const summary = await session.finish()
    if (summary.stored === 0) throw new Error('the bench stored nothing')
    await refreshAggregates(sql)
  }

  const durations: number[] = []
  for (const [n, bytes] of bodies.entries()) durations.push(...(await time(1, () => ingestDay(bytes, n))))
  // The first day meets an empty database and cold code, which no poll does.
  const [, ...warm] = durations
  return [
    {
      name: 'a market day of 8 zones in quarter-hours, bytes to aggregates',
      measured: median(warm) / 1000,
      unit: 's',
      bound: { atMost: 0.5 },
      details: `${INTERVALS} intervals, longest of ${warm.length} days ${Math.round(Math.max(...warm))} ms`,
    },
  ]
}
