/**
 * `node test/simulation/sensitivity.ts`: plants each fault of `planted.ts` in a copy of the project and runs seeds until one breaks a promise.
 * `--seeds 500 --days 4` apply to each fault, `--only 3,17` selects some, `--minutes 5` limits each search, `--most burst`: see `run.ts`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { PLANTED_FAULTS, type PlantedFault } from './planted.ts'

const ROOT = path.join(import.meta.dirname, '../..')

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    days: { type: 'string', default: '4' },
    from: { type: 'string', default: '1' },
    only: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    most: { type: 'string' },
  },
})
const chosen = values.only?.split(',').map(Number) ?? PLANTED_FAULTS.map((_, index) => index + 1)
const copy = copyOfProject()
let found = 0
try {
  for (const number of chosen) {
    const fault = PLANTED_FAULTS[number - 1]
    if (fault === undefined) throw new Error(`there is no fault ${number}`)
    const outcome = search(fault)
    if (outcome.isFound) found += 1
    console.log(`${number}. ${fault.name}: ${outcome.text}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${found} of ${chosen.length} found`)

/** Copies the tracked files; packages are linked to those of the project. */
function copyOfProject(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'energy-prices-planted-'))
  const trackedFiles = spawnSync('git', ['ls-files', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  }).stdout.split('\0')
  for (const name of trackedFiles.filter((one) => one !== '' && !one.startsWith('test/browser/')))
    cpSync(path.join(ROOT, name), path.join(folder, name))
  mkdirSync(path.join(folder, 'node_modules'))
  for (const name of readdirSync(path.join(ROOT, 'node_modules')))
    if (name !== '.cache') symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name))
  return folder
}

function search({ file, from, to }: PlantedFault): { isFound: boolean; text: string } {
  const target = path.join(copy, file)
  const original = readFileSync(target, 'utf8')
  if (original.split(from).length !== 2) throw new Error(`${file} does not have exactly one "${from}"`)
  writeFileSync(
    target,
    original.replace(from, () => to),
  )
  try {
    const { seeds, days, minutes } = values
    const options = ['--from', values.from, '--seeds', seeds, '--days', days, '--shorten', '0']
    if (values.most !== undefined) options.push('--most', values.most)
    const { status, stdout, stderr } = spawnSync(process.execPath, ['test/simulation/run.ts', ...options], {
      cwd: copy,
      encoding: 'utf8',
      timeout: Number(minutes) * 60_000,
      killSignal: 'SIGKILL',
      maxBuffer: 2 ** 28,
    })
    const broken = stdout.split('\n').findIndex((line) => /^seed \d+( \(|: the same)/.test(line))
    const report = stdout
      .split('\n')
      .slice(broken, broken + 2)
      .join(' ')
    const isFound = status === 1 && broken >= 0
    if (isFound) return { isFound, text: `found by ${report.replace(/\s+/g, ' ').slice(0, 240)}` }
    if (status === null) return { isFound, text: `not found within ${minutes} minutes` }
    return { isFound, text: status === 0 ? `not found in ${seeds} seeds` : `not run: ${stderr.slice(-500)}` }
  } finally {
    writeFileSync(target, original)
  }
}
