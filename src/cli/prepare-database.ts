/**
 * `npm run prepare-database`, at installation: the database that a first start copies, so that it is ready in seconds. Where it cannot be
 * made the installation continues; the first start then makes its own.
 */
import '../platform/processes/keep-compiled.ts'
import { startProblem } from '../service/start-problem.ts'
import { print } from './print.ts'

const started = performance.now()
try {
  const { prepareFirstDatabase } = await import('../service/prepare-first-database.ts')
  await prepareFirstDatabase('sample')
  await import('../service/start-service.ts') // compiled for the first start too
  print(`first database prepared in ${((performance.now() - started) / 1000).toFixed(1)} s`)
} catch (err) {
  print(`no first database prepared: ${startProblem(err) ?? String(err)}`)
}
process.exit(0)
