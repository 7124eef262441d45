import path from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: path.join(import.meta.dirname, '..'),
    include: ['test/{unit,sql,contract,web,browser,attack,e2e}/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A machine may be many times as slow as this one when it is busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: { NODE_ENV: 'test' },
    // A test that asserts nothing fails.
    expect: { requireAssertions: true },
  },
})
