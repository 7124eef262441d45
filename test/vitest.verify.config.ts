/** All tests in one run that ends with short files. With a run for each suite, workers would be idle at the end of each. */
import { projectsOf, QUICK, runOf } from './vitest.config.ts'
import { LONGEST, SLOW } from './vitest.slow.config.ts'
import { ZONES } from './vitest.zones.config.ts'

export default runOf([...projectsOf([...SLOW, ...QUICK]), ...ZONES], { longest: LONGEST })
