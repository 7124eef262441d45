/** `npm start` and the commands read `.env`; other npm scripts do not. */
import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ENV_FILE = path.join(import.meta.dirname, '../../src/cli/env-file.ts')
const node = JSON.stringify(process.execPath)

it.each([
  ['start', {}, 'file file'],
  ['start', { SECOND: 'set' }, 'file set'],
  ['test', {}, 'none none'],
])('npm run %s with the environment %o prints "%s"', async (script, env, seen) => {
  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), 'energy-prices-env-'))
  const inFolder = (name: string) => path.join(folder.path, name)
  const scripts = { start: `${node} program.ts`, test: `${node} tests.ts` }
  await writeFile(inFolder('package.json'), JSON.stringify({ type: 'module', scripts }))
  await writeFile(inFolder('.env'), 'FIRST=file\nSECOND=file\n')
  await writeFile(
    inFolder('program.ts'),
    `import ${JSON.stringify(ENV_FILE)}\nconsole.log(process.env.FIRST ?? 'none', process.env.SECOND ?? 'none')\n`,
  )
  await writeFile(
    inFolder('tests.ts'),
    "import { execFileSync } from 'node:child_process'\nexecFileSync(process.execPath, ['program.ts'], { stdio: 'inherit' })\n",
  )
  const { npm_lifecycle_script: _, ...rest } = process.env
  const run = promisify(execFile)('npm', ['run', '-s', script], { cwd: folder.path, env: { ...rest, ...env } })
  expect((await run).stdout.trim()).toBe(seen)
})
