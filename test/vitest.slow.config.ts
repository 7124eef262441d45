import { inMemory, testsIn, testsOf } from './vitest.config.ts'

/** From half a minute on, the longest first; without its cache Vitest goes by the files' sizes. */
const LONGEST = [
  'test/browser/pictures.test.ts',
  'test/browser/pages.test.ts',
  'test/e2e/analyst-copies.test.ts',
  'test/e2e/sample-data.test.ts',
  'test/e2e/start-and-stop.test.ts',
  'test/slow/bulk.test.ts',
  'test/slow/histories.test.ts',
  'test/slow/forecast-training.test.ts',
]

/** Those that do, or live through months and whole trainings. */
export default testsOf(testsIn('{attack,clients,browser,e2e,slow}'), {
  env: inMemory(),
  longest: LONGEST,
})
