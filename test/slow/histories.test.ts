/** Some longer histories of the simulation; the one with seed 55 also kills the database. */
import { expect, it } from 'vitest'
import { historyOf, runHistory } from '../simulation/simulate.ts'

const DAYS = 6

it.each([11, 14, 55])('a service keeps every promise through the history of seed %i', async (seed) => {
  const { violation } = await runHistory(historyOf(seed, DAYS))
  expect(violation, `npm run simulate -- --seed ${seed} --days ${DAYS}`).toBeUndefined()
})
