/**
 * `npm run simulate -- --seeds 200 --days 30`: runs 200 histories, every tenth twice with the same result. A seed that breaks a promise is
 * printed with the shortest history that still does. `--seed 17` repeats one seed, `--from 200` starts there, and `--most burst` runs
 * first the seeds with most acts of this kind (or with any text of an act: `--most '"answer-lost","queue":"alerts."'`).
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { historyOf, runHistory, shrinkHistory } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    days: { type: 'string', default: '5' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    most: { type: 'string' },
    shorten: { type: 'string', default: '60' },
    verbose: { type: 'boolean', default: false },
  },
})
// Uses memory for databases if possible: creating their 1,500 files on a disk takes longer than starting an engine.
if (existsSync('/dev/shm')) process.env.TMPDIR ??= '/dev/shm'
const days = Number(values.days)
const first = Number(values.seed ?? values.from)
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first
const started = performance.now()
const totals = {
  seeds: 0,
  days: 0,
  jobs: 0,
  checks: 0,
  crashes: {} as Record<string, number>,
  acts: {} as Record<string, number>,
}
let isBroken = false

const seeds = Array.from({ length: last - first + 1 }, (_, i) => first + i)
if (values.most !== undefined) {
  const count = new Map(
    seeds.map((seed) => [
      seed,
      actsOf(seed).filter((act) => JSON.stringify(act).includes(values.most as string)).length,
    ]),
  )
  seeds.sort((a, b) => (count.get(b) as number) - (count.get(a) as number))
}

for (const seed of seeds) {
  const history = historyOf(seed, days)
  const result = await runHistory(history)
  totals.seeds += 1
  totals.days += result.days
  totals.jobs += result.counts.jobs
  totals.checks += result.counts.checks
  for (const kind of ['crashes', 'acts'] as const)
    for (const [name, count] of Object.entries(result.counts[kind]))
      totals[kind][name] = (totals[kind][name] ?? 0) + count
  if (values.verbose) console.log(result.steps.join('\n'))
  if (result.violation !== undefined) {
    isBroken = true
    console.log(`seed ${seed} (--days ${days}) after step ${result.steps.length}: ${result.violation.message}`)
    if (Number(values.shorten) > 0) {
      const { history: shortest, violation, runs } = await shrinkHistory(seed, days, Number(values.shorten))
      console.log(
        `the shortest history found in ${runs} runs: ${violation.message}\n${JSON.stringify(shortest, null, 1)}`,
      )
    }
    break
  } else if (seed % 10 === 0 || values.seed !== undefined) {
    const rerun = await runHistory(history)
    if (rerun.digest !== result.digest) {
      isBroken = true
      console.log(`seed ${seed}: the same history came out in two ways, ${result.digest} and ${rerun.digest}`)
      const at = result.steps.findIndex((step, i) => step !== rerun.steps[i])
      if (at >= 0) console.log(`first at step ${at}:\n  ${result.steps[at]}\n  ${rerun.steps[at]}`)
    }
    console.log(`seed ${seed}: ${result.digest}`)
  }
}
const seconds = (performance.now() - started) / 1_000
console.log(
  JSON.stringify({ ...totals, seconds: Math.round(seconds), daysPerHour: Math.round((totals.days / seconds) * 3_600) }),
)
process.exitCode = isBroken ? 1 : 0

function actsOf(seed: number) {
  return historyOf(seed, days).days.flatMap(({ acts }) => acts.map(({ act }) => act))
}
