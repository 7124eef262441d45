/** The nightly work on twenty years of real prices, in the process in which it runs: how long it takes and how large it grows. */
import { readFileSync } from 'node:fs'
import { runModels } from '../../jobs/forecasts/run-models.ts'
import type { ArtefactBytes, TrainResult, TrainTask } from '../../jobs/forecasts/task.ts'
import { FORECAST_ASSETS } from '../../models/model.ts'
import { nationalHolidays } from '../support/national-holidays.ts'
import { realVersions } from '../support/real-prices.ts'
import type { BenchRow } from './bench.ts'

const FROM = '2004-04-01'
const TRAINED_TO = '2024-10-31'
const REFITTED_TO = '2024-11-30'
const REFIT_SECONDS_MAX = 60
const ISSUE_SECONDS_MAX = 2
const MEGABYTES_MAX = 250
const SAMPLE_MS = 100

export async function forecastSpeed(): Promise<BenchRow[]> {
  if (!realVersions(FROM, REFITTED_TO)) {
    console.log('skipped: needs the real prices of ../shared/data')
    return []
  }
  const first = await refit(TRAINED_TO, [])
  const known = first.results.flatMap(({ trained }) => trained.map((one): ArtefactBytes => one))
  const again = await refit(REFITTED_TO, known)
  const seconds = await issueSeconds(again.results)
  const details = (run: Refit) => `${run.results.map((one) => `${one.asset}: ${one.activeModel} is active`).join(', ')}`
  return [
    bounded('nightly refit of all assets', again.seconds, 's', REFIT_SECONDS_MAX, details(again)),
    bounded('nightly refit: memory of its process', again.megabytes, 'MB', MEGABYTES_MAX, 'largest resident size'),
    bounded('first training of all, without a past', first.seconds, 's', 5 * REFIT_SECONDS_MAX, details(first)),
    bounded('issuing all assets to 180 days', seconds, 's', ISSUE_SECONDS_MAX, 'with the start of its process'),
  ]
}

interface Refit {
  results: TrainResult[]
  seconds: number
  megabytes: number
}

async function refit(to: string, artefacts: readonly ArtefactBytes[]): Promise<Refit> {
  const run: Refit = { results: [], seconds: 0, megabytes: 0 }
  for (const asset of FORECAST_ASSETS) {
    const task: TrainTask = { kind: 'train', asset, artefacts: [...artefacts], ...pricesTo(to) }
    const started = performance.now()
    let timer: NodeJS.Timeout | undefined
    const onStart = (pid: number) => {
      timer = setInterval(() => {
        run.megabytes = Math.max(run.megabytes, largestMegabytes(pid))
      }, SAMPLE_MS)
    }
    run.results.push(await runModels(task, { signal: new AbortController().signal, onStart }))
    clearInterval(timer)
    run.seconds += (performance.now() - started) / 1000
  }
  return run
}

async function issueSeconds(results: readonly TrainResult[]): Promise<number> {
  const assets = results.map(({ asset, activeModel, trained }) => {
    return { asset, model: activeModel, artefacts: trained.filter(({ model }) => model === activeModel).slice(-1) }
  })
  const started = performance.now()
  await runModels({ kind: 'issue', assets, ...pricesTo(REFITTED_TO) }, { signal: new AbortController().signal })
  return (performance.now() - started) / 1000
}

function pricesTo(to: string) {
  const versions = realVersions(FROM, to)
  if (!versions) throw new Error('the real prices are gone')
  const now = Temporal.PlainDate.from(to).toZonedDateTime({ timeZone: 'Europe/Rome', plainTime: '20:00' })
  return { versions, holidays: nationalHolidays(2000, 2029), nowMs: now.epochMilliseconds }
}

/** Of a process on Linux; 0 elsewhere. */
function largestMegabytes(pid: number): number {
  if (process.platform !== 'linux') return 0
  try {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1000
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT' || (err as NodeJS.ErrnoException).code === 'ESRCH') return 0
    throw err
  }
}

function bounded(name: string, measured: number, unit: BenchRow['unit'], atMost: number, details: string): BenchRow {
  return { name, measured, unit, bound: { atMost }, details }
}
