/** Some longer histories of the simulation; in that of seed 55 the database is killed too. */
import { expect, it } from 'vitest'
import { historyOf, live } from '../simulation/simulate.ts'

const DAYS = 6

it.each([11, 14, 55])('a service keeps every promise through the history of seed %i', async (seed) => {
  const { violation } = await live(historyOf(seed, DAYS))
  expect(violation, `npm run simulate -- --seed ${seed} --days ${DAYS}`).toBeUndefined()
})
