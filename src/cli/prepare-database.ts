/**
 * `npm run prepare-database`, run at installation: prepares the database that a first start copies, so that it is ready in seconds.
 * If that fails, the installation continues and the first start creates its own.
 */
import '../platform/processes/compile-cache.ts'
import { startProblem } from '../service/start-problem.ts'
import { print } from './print.ts'

const started = performance.now()
try {
  const { prepareFirstDatabase } = await import('../service/prepare-first-database.ts')
  await prepareFirstDatabase('sample')
  await import('../service/start-service.ts') // caches its compiled code for the first start
  print(`first database prepared in ${((performance.now() - started) / 1000).toFixed(1)} s`)
} catch (err) {
  print(`no first database prepared: ${startProblem(err) ?? String(err)}`)
}
process.exit(0)
