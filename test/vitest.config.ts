import { existsSync, globSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = path.join(import.meta.dirname, '..')
export const testsIn = (folders: string) => globSync(`test/${folders}/**/*.test.ts`, { cwd: ROOT })
/** They change what others import, or read what their process has counted. */
const ALONE = ['test/contract/plan-table.test.ts', 'test/sql/made-up-publisher.test.ts', 'test/web/status.test.ts']

const isTogether = (file: string) => /^test\/(?:unit|sql|contract|web)\//.test(file) && !ALONE.includes(file)

/** So that no worker is left with a long one at the end. */
const beginningWith = (files: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(all: TestSpecification[]) {
      const first = files.flatMap((file) => all.filter(({ moduleId }) => moduleId.endsWith(file)))
      return [...first, ...(await super.sort(all.filter((one) => !first.includes(one))))]
    }
  }

/** Ends what hangs: a machine may be many times as slow as this one when it is busy. */
const HANGS_AFTER_MS = 900_000
/** `npm run test:long` does in one test what takes an hour. */
const HANGS_AFTER_MS_LONG = 7_200_000

/** Of all runs. */
export const settings = (env: Record<string, string> = {}) => ({
  root: ROOT,
  globalSetup: ['test/support/global-setup.ts'],
  pool: 'forks' as const,
  // Many wait for other processes, so that two would leave the two cores of CI idle at times.
  maxWorkers: 3,
  testTimeout: env.TEST_LONG ? HANGS_AFTER_MS_LONG : HANGS_AFTER_MS,
  hookTimeout: HANGS_AFTER_MS,
  // Tests start hundreds of processes: their compiled code is kept for the next.
  env: { NODE_ENV: 'test', NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/compiled'), ...env },
  // A test that asserts nothing fails. What is waited for is shown before its test is ended.
  expect: { requireAssertions: true, poll: { timeout: HANGS_AFTER_MS / 6 } },
})

export function testsOf(
  files: string[],
  { env = {}, longest = [], ...others }: { env?: Record<string, string>; longest?: string[]; maxWorkers?: number } = {},
) {
  const gone = longest.filter((file) => !files.includes(file))
  if (gone.length > 0) throw new Error(`there is no ${gone.join(', ')}`)
  return defineConfig({
    test: {
      ...settings(env),
      ...others,
      sequence: { sequencer: beginningWith(longest) },
      projects: [
        // Modules, and the database's code, are loaded once by each process instead of once by each file.
        { extends: true, test: { name: 'together', include: files.filter(isTogether), isolate: false } },
        { extends: true, test: { name: 'alone', include: files.filter((file) => !isTogether(file)) } },
      ],
    },
  })
}

/** Databases and files of the tests are in memory where there is enough: a disk takes longer to make their 1,500 files than an engine to start. */
const MEMORY = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3

export function inMemory(): Record<string, string> {
  if (!existsSync(MEMORY)) return {}
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(freemem(), bavail * bsize) < MEMORY_BYTES_MIN ? {} : { TMPDIR: MEMORY }
}

/** Those that need neither a browser nor other processes of the service. */
export default testsOf(testsIn('{unit,sql,contract,web,simulation}'), { env: inMemory() })
