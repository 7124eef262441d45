/** Runs the tests that touch time once under each of several machine time zones: none of them may change an answer. */
import { spawnSync } from 'node:child_process'

const TIME_ZONES = ['UTC', 'Europe/Rome', 'America/New_York', 'Pacific/Apia']
const SUITES = ['test/unit', 'test/sql', 'test/contract']

for (const zone of TIME_ZONES) {
  console.log(`\nTZ=${zone}`)
  const run = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...SUITES],
    { stdio: 'inherit', env: { ...process.env, TZ: zone } },
  )
  if (run.status !== 0) process.exit(run.status ?? 1)
}
