/** Runs a few seeds of the simulation, over a day of 23 hours and one of 25; in a long run, as many as fit in an hour. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { isLongRun } from '../support/repetitions.ts'
import { historyOf, runHistory } from './simulate.ts'

/** Seeds with their number of days. The first two have most kinds of acts, and days of 23, 24 and 25 hours, in hours and in quarters. */
const ALL_SEEDS = [
  [48, 2],
  [310, 2],
  [2000040, 1], // a fetch fails after storing its prices and before queueing their refresh
] as const
/** In other time zones, one seed is enough. */
const SEEDS = process.env.ONE_SEED ? ALL_SEEDS.slice(0, 1) : ALL_SEEDS
const LONG_RUN_MS = 3_600_000
const LONG_RUN_DAYS = 10
const FOLDER = import.meta.dirname

describe('a service that lives through histories', () => {
  it('keeps every promise', async () => {
    const started = performance.now()
    for (let seed = 1; isLongRun ? performance.now() - started < LONG_RUN_MS : seed <= SEEDS.length; seed++) {
      const [chosen, days] = (isLongRun ? undefined : SEEDS[seed - 1]) ?? [seed, LONG_RUN_DAYS]
      const { violation } = await runHistory(historyOf(chosen, days))
      expect(violation, `npm run simulate -- --seed ${chosen} --days ${days}`).toBeUndefined()
    }
  })
})

it('names each promise as the list of guarantees or the README does', () => {
  const listed = ['../guarantees.md', 'README.md']
    .map((file) => readFileSync(path.join(FOLDER, file), 'utf8'))
    .join('\n')
  const sources = globSync('*.ts', { cwd: FOLDER }).map((file) => readFileSync(path.join(FOLDER, file), 'utf8'))
  const named = sources.flatMap((text) =>
    [...text.matchAll(/(?:new Violation|expectLines)\(\s*'([^']+)'/g)].map(([, name]) => name as string),
  )
  expect(named.length).toBeGreaterThan(20)
  expect([...new Set(named)].filter((name) => !listed.includes(name))).toEqual([])
})
