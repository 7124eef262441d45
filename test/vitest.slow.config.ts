import { testsIn, testsOf } from './vitest.config.ts'

/** From half a minute on, the longest first; without its cache Vitest goes by the files' sizes. */
const LONGEST = [
  'test/e2e/sample-data.test.ts',
  'test/slow/fallback-ladder.test.ts',
  'test/slow/histories.test.ts',
  'test/e2e/forecast-commands.test.ts',
  'test/browser/pages.test.ts',
  'test/e2e/start-and-stop.test.ts',
  'test/slow/bulk.test.ts',
  'test/e2e/move.test.ts',
  'test/e2e/product.test.ts',
  'test/e2e/keys.test.ts',
  'test/slow/forecast-training.test.ts',
  'test/slow/first-start.test.ts',
]

/** Those that do, or live through months and whole trainings. */
export default testsOf(testsIn('{attack,clients,browser,e2e,slow}'), {}, LONGEST)
