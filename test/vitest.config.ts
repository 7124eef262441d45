import { existsSync, globSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import path from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const ROOT = path.join(import.meta.dirname, '..')
export const testsIn = (folders: string) => globSync(`test/${folders}/**/*.test.ts`, { cwd: ROOT })
/** They change what others import, or read what their process has counted. */
const ALONE = ['test/contract/plan-table.test.ts', 'test/sql/made-up-publisher.test.ts', 'test/web/status.test.ts']

const isTogether = (file: string) => /^test\/(?:unit|sql|contract|web)\//.test(file) && !ALONE.includes(file)

/**
 * Projects come one after another, since Vitest keeps a process that files share only while the next file is of the same project; before them
 * the longest files, so that no worker is left with one at the end.
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

/** Ends what hangs: a machine may be many times as slow as this one when it is busy. */
const HANGS_AFTER_MS = 900_000
/** `npm run test:long` does in one test what takes an hour. */
const HANGS_AFTER_MS_LONG = 7_200_000

interface Run {
  env?: Record<string, string>
  /** Files, the longest first. */
  longest?: string[]
  maxWorkers?: number
}

export function runOf(projects: TestProjectInlineConfiguration[], { env = {}, longest = [], ...others }: Run = {}) {
  return defineConfig({
    test: {
      root: ROOT,
      globalSetup: ['test/support/global-setup.ts'],
      pool: 'forks',
      // Many wait for other processes, so that fewer would leave the two cores of CI idle at times.
      maxWorkers: 4,
      testTimeout: env.TEST_LONG ? HANGS_AFTER_MS_LONG : HANGS_AFTER_MS,
      hookTimeout: HANGS_AFTER_MS,
      // Tests start hundreds of processes: their compiled code is kept for the next.
      env: {
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/compiled'),
        ...(env.TEST_LONG ? {} : inMemory()),
        ...env,
      },
      // A test that asserts nothing fails. A poll fails, and shows the last value, before its test times out.
      expect: { requireAssertions: true, poll: { timeout: HANGS_AFTER_MS / 6 } },
      sequence: { sequencer: beginningWith(longest) },
      ...others,
      projects,
    },
  })
}

export const projectsOf = (files: string[]): TestProjectInlineConfiguration[] => [
  { extends: true, test: { name: 'alone', include: files.filter((file) => !isTogether(file)) } },
  // Modules, and the database's code, are loaded once by each process instead of once by each file.
  { extends: true, test: { name: 'together', include: files.filter(isTogether), isolate: false } },
]

/** Databases and files of the tests are in memory where there is enough: a disk takes longer to make their 1,500 files than an engine to start. */
const MEMORY = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 1024 ** 3

function inMemory(): Record<string, string> {
  if (!existsSync(MEMORY)) return {}
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(freemem(), bavail * bsize) < MEMORY_BYTES_MIN ? {} : { TMPDIR: MEMORY }
}

/** Those that need neither a browser nor other processes of the service. */
export const QUICK = testsIn('{unit,sql,contract,web,simulation}')

export default runOf(projectsOf(QUICK))
