/** A day's list of 30,000 free-market offers through the whole path, twice: all of them new, then one in twenty changed. */
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type FreeMarketOffer, writeFreeMarketXml } from '../support/offer-files.ts'
import type { BenchRow } from './bench.ts'
import type { OfferImport } from './offer-import-process.ts'
import { scratchDatabase } from './scratch-database.ts'

const OFFERS = 30_000
/** With three descriptions of this length a file has the 5.5 kB per offer of the portal's. */
const DESCRIPTION = 'Condizioni economiche dell’offerta, valide per chi aderisce entro la data indicata. '.repeat(12)
const MIB = 1024 * 1024

export default async function offerImport(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const runs: OfferImport[] = []
  let bytes = 0
  for (const day of ['20260201', '20260202']) {
    const file = path.join(scratch.folder, `PO_Offerte_E_MLIBERO_${day}.xml`)
    await writeFreeMarketXml(file, offersOn(day))
    bytes = (await stat(file)).size
    runs.push(await importInProcess(scratch.url, file))
  }
  const [first, second] = runs
  if (first?.added !== OFFERS || second?.changed !== OFFERS / 20)
    throw new Error(`imported otherwise: ${JSON.stringify(runs)}`)
  const seconds = runs.map((run) => run.seconds)
  const of = `${OFFERS} offers, ${Math.round(bytes / MIB)} MiB`
  return [
    {
      name: "import: a day's list of 30,000 offers",
      measured: Math.max(...seconds),
      unit: 's',
      bound: { atMost: 20 },
      details: `${of}: all new ${seconds[0]?.toFixed(1)} s, 5 % changed ${seconds[1]?.toFixed(1)} s`,
    },
    {
      name: 'import: largest memory of that',
      measured: Math.max(...runs.map((run) => run.peakBytes)) / MIB,
      unit: 'MB',
      bound: { atMost: 300 },
      details: 'resident memory of a separate process, database included',
    },
  ]
}

function* offersOn(day: string): Generator<FreeMarketOffer> {
  for (let i = 0; i < OFFERS; i++) {
    const cents = (i % 100) + (day.endsWith('02') && i % 20 === 0 ? 1 : 0)
    const price = i % 2 === 0 ? (0.1 + cents / 1000).toFixed(4) : (0.005 + cents / 10_000).toFixed(4)
    yield { code: `000999ESEMPIO${i}`, kind: i % 2 === 0 ? '01' : '02', price, description: DESCRIPTION }
  }
}

async function importInProcess(url: string, file: string): Promise<OfferImport> {
  const script = path.join(import.meta.dirname, 'offer-import-process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, file])
  return JSON.parse(stdout) as OfferImport
}
