/** The files that use `repetitions.ts`, with all repetitions. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectsOf, runOf, testsIn } from './vitest.config.ts'

const ROOT = path.join(import.meta.dirname, '..')
const repeating = testsIn('*').filter((file) =>
  readFileSync(path.join(ROOT, file), 'utf8').includes('/support/repetitions.ts'),
)

export default runOf(projectsOf(repeating), { env: { TEST_LONG: 'on' }, maxWorkers: 2 })
