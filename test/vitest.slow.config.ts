import { projectsOf, runOf, testsIn } from './vitest.config.ts'

/** Files of half a minute or more, longest first; without its cache, Vitest sorts by file size. */
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

/** Suites that need them, or simulate months and complete trainings. */
export const SLOW = testsIn('{attack,clients,browser,e2e,slow}')

const missingFiles = LONGEST.filter((file) => !SLOW.includes(file))
if (missingFiles.length > 0) throw new Error(`there is no ${missingFiles.join(', ')}`)

export default runOf(projectsOf(SLOW), { longest: LONGEST })
