/**
 * A weekly training and an issue of all subjects, on twenty years of real prices and eight years of their drivers, in the processes that run
 * them: duration and memory. First makes artefacts of the week before, for the hours of PUN and North only: the other zones start
 * from North's under their own names, which takes as long.
 */
import { readFileSync } from 'node:fs'
import { decodeArtefact, encodeArtefact } from '../../jobs/forecasts/artefact-bytes.ts'
import { hourlyRecord } from '../../jobs/forecasts/hourly-record.ts'
import { priceRecord } from '../../jobs/forecasts/price-record.ts'
import { runModels } from '../../jobs/forecasts/run-models.ts'
import {
  type ArtefactBytes,
  type HourlyInputs,
  type IssueTask,
  type Task,
  TEST_DAYS,
  type TrainResult,
  type TrainTask,
  versionsFrom,
} from '../../jobs/forecasts/task.ts'
import { withTrainingSlot } from '../../jobs/forecasts/train-subject.ts'
import { historyAt } from '../../models/history.ts'
import { hourlyEnsemble } from '../../models/hourly/ensemble/ensemble.ts'
import { hourlyHistoryAt } from '../../models/hourly/record.ts'
import { FORECAST_ASSETS, type ForecastSubject, hoursOf } from '../../models/model.ts'
import { FORECAST_SUBJECTS, HOURLY_LOOK_BACK_DAYS } from '../../src/market/forecast-scope.ts'
import { NATIONAL_ZONE, STORED_ZONES, type ZoneCode } from '../../src/market/zones.ts'
import { nationalHolidays } from '../support/national-holidays.ts'
import { type RealHours, realHours } from '../support/real-hours.ts'
import { realVersions } from '../support/real-prices.ts'
import { atMost, type BenchRow } from './bench.ts'
import { realHourlyInputs } from './real-hourly-inputs.ts'

const FROM = '2004-04-01'
/** The last day with data for load, wind and solar. */
const REFITTED_ON = Temporal.PlainDate.from('2023-12-17')
const TRAINED_ON = REFITTED_ON.subtract({ days: 7 })
const YEARS_OF_HOURS = 8
const REFIT_SECONDS_MAX = 150
const ISSUE_SECONDS_MAX = 4
const MEGABYTES_MAX = 500
const SAMPLE_MS = 50
/** As many as an issue reads: one to use and one spare. */
const ISSUED_STATES = 2
/** Unit of CPU time in /proc on Linux. */
const TICKS_PER_SECOND = 100

type States = Map<ForecastSubject, ArtefactBytes[]>
interface TrainedSubject extends TrainResult {
  subject: ForecastSubject
}

export async function forecastSpeed(): Promise<BenchRow[]> {
  const real = realHours(FROM)
  if (!real) {
    console.log('skipped: needs the real prices of ../shared/data')
    return []
  }
  const states = await trainWeekOldStates(real)
  console.log('  the weekly training of everything …')
  const monitor = new ProcessMonitor()
  const trained = await trainings(real, REFITTED_ON, states, monitor)
  for (const result of trained) addArtefacts(states, result)
  console.log('  an issue of everything …')
  const issuing = new ProcessMonitor()
  await issueTwice(real, states, trained, issuing)
  const active = trained.map(({ subject, activeModel }) => `${subject}: ${activeModel}`).join(', ')
  return [
    atMost(REFIT_SECONDS_MAX, 's', monitor.seconds, {
      name: 'training of everything, a week after the last',
      details: monitor.cpuSummary(),
    }),
    atMost(MEGABYTES_MAX, 'MB', monitor.megabytes, {
      name: 'training of everything: memory',
      details: `${monitor.memorySummary()}; ${active}`,
    }),
    atMost(ISSUE_SECONDS_MAX, 's', issuing.seconds, {
      name: 'an issue of all assets, zones and hours',
      details: issuing.cpuSummary(),
    }),
    atMost(MEGABYTES_MAX, 'MB', issuing.megabytes, {
      name: 'an issue: memory',
      details: 'with the start of its process',
    }),
  ]
}

async function trainWeekOldStates(real: RealHours): Promise<States> {
  console.log('  states of a week before …')
  const states: States = new Map()
  const zones = [NATIONAL_ZONE, 'nord'] as const
  for (const zone of zones) states.set(hoursOf(zone), [await trainBeforeTest(real, zone)])
  for (const result of await trainings(real, TRAINED_ON, states, new ProcessMonitor(), zones))
    addArtefacts(states, result)
  for (const zone of STORED_ZONES) {
    const own = states.get(hoursOf(zone)) ?? states.get(hoursOf('nord'))?.map((state) => copyForZone(state, zone))
    states.set(hoursOf(zone), own as ArtefactBytes[])
  }
  return states
}

/** The model for the test days: horizon of one day, without the trees, which take no time to apply. */
async function trainBeforeTest(real: RealHours, zone: ZoneCode): Promise<ArtefactBytes> {
  const on = TRAINED_ON.subtract({ days: TEST_DAYS + 14 })
  const task = trainHoursTask(real, zone, on, [])
  const now = Temporal.Instant.fromEpochMilliseconds(task.nowMs)
  const history = hourlyHistoryAt(hourlyRecord(task.hours as HourlyInputs), historyAt(priceRecord(task), now), zone)
  const artefact = await hourlyEnsemble({ reachDays: [1], trees: 0 }).train(history)
  const { model, version, span } = artefact
  return { model, version, dataTo: span.to, content: encodeArtefact(artefact) }
}

function copyForZone(state: ArtefactBytes, zone: ZoneCode): ArtefactBytes {
  return { ...state, content: encodeArtefact({ ...decodeArtefact(state.content), asset: hoursOf(zone) }) }
}

/** As the jobs do: the indices one after another, zones in parallel with them, in two processes at a time. */
async function trainings(
  real: RealHours,
  on: Temporal.PlainDate,
  states: States,
  watched: ProcessMonitor,
  zones: readonly ZoneCode[] = STORED_ZONES,
): Promise<TrainedSubject[]> {
  const options = { signal: new AbortController().signal, onStart: (pid: number) => watched.add(pid) }
  const run = (subject: ForecastSubject, task: () => TrainTask) =>
    withTrainingSlot(async (): Promise<TrainedSubject> => ({ subject, ...(await runModels(task(), options)) }))
  const ofAssets = async () => {
    const results: TrainedSubject[] = []
    for (const subject of FORECAST_ASSETS) {
      const artefacts = states.get(subject) ?? []
      results.push(await run(subject, () => ({ kind: 'train', subject, artefacts, ...pricesTo(on) })))
    }
    return results
  }
  const ofZone = (zone: ZoneCode) =>
    run(hoursOf(zone), () => trainHoursTask(real, zone, on, states.get(hoursOf(zone)) ?? []))
  return await watched.measure(async () => (await Promise.all([ofAssets(), ...zones.map(ofZone)])).flat())
}

function trainHoursTask(
  real: RealHours,
  zone: ZoneCode,
  on: Temporal.PlainDate,
  artefacts: ArtefactBytes[],
): TrainTask {
  const from = on.subtract({ years: YEARS_OF_HOURS })
  const prices = pricesTo(on)
  const hours = realHourlyInputs(real, [zone], from, on)
  const versions = versionsFrom(prices.versions, from)
  return { kind: 'train', subject: hoursOf(zone), hours, artefacts, ...prices, versions }
}

/** Measures the second run, in which Node uses its compile cache. */
async function issueTwice(
  real: RealHours,
  states: States,
  trained: readonly TrainedSubject[],
  watched: ProcessMonitor,
) {
  const task = issueTask(real, states, trained)
  const signal = new AbortController().signal
  await runModels(task, { signal })
  const { issues } = await watched.measure(() => runModels(task, { signal, onStart: (pid) => watched.add(pid) }))
  const rejected = issues.filter((one) => one.outcome !== 'made' || one.artefactProblems.length > 0)
  if (rejected.length > 0) throw new Error(`not all was issued: ${JSON.stringify(rejected).slice(0, 500)}`)
}

function issueTask(real: RealHours, states: States, trained: readonly TrainedSubject[]): IssueTask {
  const from = REFITTED_ON.subtract({ days: HOURLY_LOOK_BACK_DAYS })
  const activeOf = (subject: ForecastSubject) => trained.find((one) => one.subject === subject)?.activeModel
  const artefactsOf = (subject: ForecastSubject) =>
    (states.get(subject) ?? []).filter(({ model }) => model === activeOf(subject)).slice(0, ISSUED_STATES)
  return {
    kind: 'issue',
    ...pricesTo(REFITTED_ON),
    hours: realHourlyInputs(real, STORED_ZONES, from, REFITTED_ON),
    requests: FORECAST_SUBJECTS.map((subject) => ({
      subject,
      model: activeOf(subject),
      artefacts: artefactsOf(subject),
    })),
  }
}

/** Sorts artefacts newest first. */
function addArtefacts(states: States, { subject, trained }: TrainedSubject): void {
  const all = [...trained, ...(states.get(subject) ?? [])]
  states.set(
    subject,
    all.toSorted((a, b) => b.dataTo.localeCompare(a.dataTo)),
  )
}

function pricesTo(day: Temporal.PlainDate): Pick<Task, 'versions' | 'holidays' | 'nowMs'> {
  const versions = realVersions(FROM, day.toString())
  if (!versions) throw new Error('the real prices are gone')
  const now = day.toZonedDateTime({ timeZone: 'Europe/Rome', plainTime: '20:00' })
  return { versions, holidays: nationalHolidays(2000, 2029), nowMs: now.epochMilliseconds }
}

/** Samples processes while they run (Linux only): CPU time, and peak total memory. */
class ProcessMonitor {
  seconds = 0
  megabytes = 0
  #proportionalMegabytes = 0
  readonly #ticks = new Map<number, number>()

  add(pid: number): void {
    this.#ticks.set(pid, 0)
  }

  async measure<Result>(run: () => Promise<Result>): Promise<Result> {
    const timer = setInterval(() => this.#sample(), SAMPLE_MS)
    const started = performance.now()
    try {
      return await run()
    } finally {
      this.seconds = (performance.now() - started) / 1000
      clearInterval(timer)
    }
  }

  cpuSummary(): string {
    const ticks = [...this.#ticks.values()].reduce((sum, own) => sum + own, 0)
    return `${(ticks / TICKS_PER_SECOND).toFixed(1)} s of processor time in ${this.#ticks.size} processes`
  }

  memorySummary(): string {
    return `two processes, ${this.#proportionalMegabytes.toFixed(0)} MB with their common pages counted once`
  }

  #sample(): void {
    if (process.platform !== 'linux') return
    let kilobytes = 0
    let proportional = 0
    for (const pid of this.#ticks.keys()) {
      const status = fileOf(pid, 'status')
      kilobytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
      proportional += Number(/^Pss:\s+(\d+)/m.exec(fileOf(pid, 'smaps_rollup'))?.[1] ?? 0)
      // Fields 14 and 15; the process name in brackets is field 2.
      const [user, system] = fileOf(pid, 'stat').split(') ')[1]?.split(' ').slice(11, 13) ?? []
      if (user !== undefined) this.#ticks.set(pid, Number(user) + Number(system))
    }
    this.megabytes = Math.max(this.megabytes, kilobytes / 1000)
    this.#proportionalMegabytes = Math.max(this.#proportionalMegabytes, proportional / 1000)
  }
}

/** Empty if the process has ended. */
function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT' || (err as NodeJS.ErrnoException).code === 'ESRCH') return ''
    throw err
  }
}
