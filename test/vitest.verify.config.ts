/** All tests in one run, whose last files are short: run after run, workers have nothing to do at the end of each. */
import { projectsOf, QUICK, runOf } from './vitest.config.ts'
import { LONGEST, SLOW } from './vitest.slow.config.ts'
import { ZONES } from './vitest.zones.config.ts'

export default runOf([...projectsOf([...SLOW, ...QUICK]), ...ZONES], { longest: LONGEST })
