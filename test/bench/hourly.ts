/**
 * A month of hours of a zone, uncached, with fifteen years of eight zones loaded; and how its median grows from one year of data to
 * fifteen.
 */
import { STORED_ZONES } from '../../src/market/zones.ts'
import { type BenchRow, median } from './bench.ts'
import { fillZones } from './fill-zones.ts'
import { scratchDatabase } from './scratch-database.ts'
import { type ServedDatabase, serve } from './serve.ts'

const NOW = Temporal.Instant.from('2026-01-15T12:00:00Z')
const LAST_DAY = Temporal.PlainDate.from('2025-12-31')
const YEARS = 15
const REQUESTS = 60

export default async function hourly(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const firstOfLastYear = LAST_DAY.subtract({ years: 1 }).add({ days: 1 })
  await fillZones(scratch, { from: firstOfLastYear, to: LAST_DAY, resolutionMinutes: 60 })
  await using service = await serve(scratch, NOW)
  const small = await askMonths(service)
  await fillZones(scratch, {
    from: LAST_DAY.subtract({ years: YEARS }).add({ days: 1 }),
    to: firstOfLastYear.subtract({ days: 1 }),
    resolutionMinutes: 60,
  })
  const large = await askMonths(service)
  const p95 = large.toSorted((a, b) => a - b)[Math.floor(large.length * 0.95)] ?? Number.NaN
  return [
    {
      name: 'hours of a month, uncached: p95',
      measured: p95,
      unit: 'ms',
      bound: { atMost: 50 },
      details: `${REQUESTS} requests over HTTP, ${YEARS} years of ${STORED_ZONES.length} zones`,
    },
    {
      name: `hours of a month, uncached: median with ${YEARS} years against 1`,
      measured: median(large) / median(small),
      unit: 'ratio',
      bound: { atMost: 1.3 },
      details: `${median(large).toFixed(1)} ms against ${median(small).toFixed(1)} ms`,
    },
  ]
}

/** Milliseconds of each of many requests for a month of hours, over different zones and months. */
async function askMonths(service: ServedDatabase): Promise<number[]> {
  const durations: number[] = []
  for (let i = 0; i < REQUESTS; i++) {
    service.raiseDataVersion()
    const from = Temporal.PlainDate.from({ year: LAST_DAY.year, month: (i % 12) + 1, day: 1 })
    const zone = ['nazionale', 'nord', 'sici'][i % 3]
    const url = new URL(`/v1/pun/hourly?zone=${zone}&from=${from}&to=${from.add({ days: 30 })}`, service.baseUrl)
    const started = performance.now()
    const answer = await fetch(url, { headers: service.headers })
    await answer.text()
    durations.push(performance.now() - started)
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  }
  return durations.slice(REQUESTS / 10)
}
