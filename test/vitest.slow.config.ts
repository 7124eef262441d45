import { projectsOf, runOf, testsIn } from './vitest.config.ts'

/** From half a minute on, the longest first; without its cache Vitest goes by the files' sizes. */
export const LONGEST = [
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
export const SLOW = testsIn('{attack,clients,browser,e2e,slow}')

const gone = LONGEST.filter((file) => !SLOW.includes(file))
if (gone.length > 0) throw new Error(`there is no ${gone.join(', ')}`)

export default runOf(projectsOf(SLOW), { longest: LONGEST })
