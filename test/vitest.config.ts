import { existsSync, globSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import path from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = path.join(import.meta.dirname, '..')
export const testsIn = (folders: string) => globSync(`test/${folders}/**/*.test.ts`, { cwd: ROOT })
/** Tests that change what other files import, or read process-wide counters. */
const ALONE = ['test/contract/plan-table.test.ts', 'test/sql/made-up-publisher.test.ts', 'test/web/status.test.ts']

const isTogether = (file: string) => /^test\/(?:unit|sql|contract|web)\//.test(file) && !ALONE.includes(file)

/**
 * Runs projects one after another, since Vitest reuses a shared process only while the next file belongs to the same project. The longest
 * files run first, so that no worker is left with one at the end.
 */
const beginningWith = (longest: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(all: TestSpecification[]) {
      const sorted = await super.sort(all)
      const first = longest.flatMap((file) => all.filter(({ moduleId }) => moduleId.endsWith(file)))
      const others = this.ctx.projects.flatMap(({ name }) => sorted.filter(({ project }) => project.name === name))
      return [...new Set([...first, ...others])]
    }
  }

/** Ends tests that hang: a busy machine may be many times slower than this one. */
const HANGS_AFTER_MS = 900_000
/** `npm run test:long` has single tests that take an hour. */
const HANGS_AFTER_MS_LONG = 7_200_000

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
      pool: 'forks',
      // Many tests wait for other processes; fewer workers would leave the two cores of CI idle at times.
      maxWorkers: 4,
      testTimeout: env.TEST_LONG ? HANGS_AFTER_MS_LONG : HANGS_AFTER_MS,
      hookTimeout: HANGS_AFTER_MS,
      // Tests start hundreds of processes, which share the compile cache.
      env: {
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/compiled'),
        ...(env.TEST_LONG ? {} : inMemory()),
        ...env,
      },
      // A test without assertions fails. A poll fails, and shows its last value, before its test times out.
      expect: { requireAssertions: true, poll: { timeout: HANGS_AFTER_MS / 6 } },
      sequence: { sequencer: beginningWith(longest) },
      ...others,
      projects,
    },
  })
}

export const projectsOf = (files: string[]): TestProjectInlineConfiguration[] => [
  { extends: true, test: { name: 'alone', include: files.filter((file) => !isTogether(file)) } },
  // Modules, and the database's code, are loaded once per process instead of once per file.
  { extends: true, test: { name: 'together', include: files.filter(isTogether), isolate: false } },
]

/** Keeps the tests' databases and files in memory if there is enough: creating 1,500 files on disk takes longer than starting an engine. */
const MEMORY = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3

function inMemory(): Record<string, string> {
  if (!existsSync(MEMORY)) return {}
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(freemem(), bavail * bsize) < MEMORY_BYTES_MIN ? {} : { TMPDIR: MEMORY }
}

/** Suites that need neither a browser nor other processes of the service. */
export const QUICK = testsIn('{unit,sql,contract,web,simulation}')

export default runOf(projectsOf(QUICK))
