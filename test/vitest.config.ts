import path from 'node:path'
import { defineConfig } from 'vitest/config'

const ROOT = path.join(import.meta.dirname, '..')

export default defineConfig({
  test: {
    root: ROOT,
    include: ['test/{unit,sql,contract,clients,web,browser,attack,e2e}/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A machine may be many times as slow as this one when it is busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Tests start hundreds of processes: their compiled code is kept for the next.
    env: { NODE_ENV: 'test', NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/compiled') },
    // A test that asserts nothing fails.
    expect: { requireAssertions: true },
  },
})
