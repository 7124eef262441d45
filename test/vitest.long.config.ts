/** The files that repeat something, and all of its repetitions. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import ordinary from './vitest.config.ts'

const repeating = globSync('test/**/*.test.ts', { cwd: path.join(import.meta.dirname, '..') }).filter((file) =>
  readFileSync(path.join(import.meta.dirname, '..', file), 'utf8').includes('/support/repetitions.ts'),
)

const config = mergeConfig(ordinary, defineConfig({ test: { env: { TEST_LONG: 'on' } } }))
config.test.include = repeating
export default config
