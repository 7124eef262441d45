/** All tests in one run that ends with short files. In separate runs per suite, workers would be idle at the end of each. */
import { projectsOf, QUICK, runOf } from './vitest.config.ts'
import { LONGEST, SLOW } from './vitest.slow.config.ts'
import { ZONES } from './vitest.zones.config.ts'

export default runOf([...projectsOf([...SLOW, ...QUICK]), ...ZONES], { longest: LONGEST })
