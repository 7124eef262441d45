import { testsIn, testsOf } from './vitest.config.ts'

/** Those that do, or live through months and whole trainings. */
export default testsOf(testsIn('{clients,browser,e2e,slow}'))
