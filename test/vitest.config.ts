import { existsSync, globSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import path from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = path.join(import.meta.dirname, '..')
export const testsIn = (folders: string) => globSync(`test/${folders}/**/*.test.ts`, { cwd: ROOT })
/** Tests that change what other files import, or read process-wide counters. */
const ISOLATED_FILES = [
  'test/contract/plan-table.test.ts',
  'test/sql/made-up-publisher.test.ts',
  'test/web/status.test.ts',
]

const canShareProcess = (file: string) =>
  /^test\/(?:unit|sql|contract|web)\//.test(file) && !ISOLATED_FILES.includes(file)

/**
 * Runs projects one after another, since Vitest reuses a shared process only while the next file belongs to the same project. The longest
 * files run first, so that no worker is left with one at the end.
 */
const longestFirst = (longest: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(all: TestSpecification[]) {
      const sorted = await super.sort(all)
      const first = longest.flatMap((file) => all.filter(({ moduleId }) => moduleId.endsWith(file)))
      const others = this.ctx.projects.flatMap(({ name }) => sorted.filter(({ project }) => project.name === name))
      return [...new Set([...first, ...others])]
    }
  }

/** Ends tests that hang: a busy machine may be many times slower than this one. */
const HANG_TIMEOUT_MS = 900_000
/** `npm run test:long` has single tests that take an hour. */
const LONG_HANG_TIMEOUT_MS = 7_200_000

interface Run {
  env?: Record<string, string>
  /** Longest first. */
  longest?: string[]
  maxWorkers?: number
}

export function runOf(projects: TestProjectInlineConfiguration[], { env = {}, longest = [], ...others }: Run = {}) {
  return defineConfig({
    test: {
      root: ROOT,
      globalSetup: ['test/support/global-setup.ts'],
      setupFiles: ['test/support/temporal-equality.ts'],
      pool: 'forks',
      // Many tests wait for other processes; fewer workers would leave the two cores of CI idle at times.
      maxWorkers: 4,
      testTimeout: env.TEST_LONG ? LONG_HANG_TIMEOUT_MS : HANG_TIMEOUT_MS,
      hookTimeout: HANG_TIMEOUT_MS,
      // Tests start hundreds of processes, which share the compile cache.
      env: {
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/compiled'),
        ...(env.TEST_LONG ? {} : ramDiskEnvironment()),
        ...env,
      },
      // A test without assertions fails. A poll fails, and shows its last value, before its test times out.
      expect: { requireAssertions: true, poll: { timeout: HANG_TIMEOUT_MS / 6 } },
      sequence: { sequencer: longestFirst(longest) },
      ...others,
      projects,
    },
  })
}

export const projectsOf = (files: string[]): TestProjectInlineConfiguration[] => [
  { extends: true, test: { name: 'alone', include: files.filter((file) => !canShareProcess(file)) } },
  // Modules, and the database's code, are loaded once per process instead of once per file.
  { extends: true, test: { name: 'together', include: files.filter(canShareProcess), isolate: false } },
]

/** Keeps the tests' databases and files in memory if there is enough: creating 1,500 files on disk takes longer than starting an engine. */
const RAM_DISK = '/dev/shm'
const RAM_DISK_BYTES_MIN = 4 * 1024 ** 3

function ramDiskEnvironment(): Record<string, string> {
  if (!existsSync(RAM_DISK)) return {}
  const { bavail, bsize } = statfsSync(RAM_DISK)
  return Math.min(freemem(), bavail * bsize) < RAM_DISK_BYTES_MIN ? {} : { TMPDIR: RAM_DISK }
}

/** Suites that need neither a browser nor other processes of the service. */
export const QUICK = testsIn('{unit,sql,contract,web,simulation}')

export default runOf(projectsOf(QUICK))
