/** The TypeScript client as users get it: installed from the service into an empty folder. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface InstalledClient extends AsyncDisposable {
  /** The user's folder; programs in it can import the package. */
  user: string
  /** The package itself. */
  folder: string
  /** The command line. */
  bin: string
}

export async function installClient({ baseUrl }: { baseUrl: string }): Promise<InstalledClient> {
  const user = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-npm-'))
  await writeFile(path.join(user, 'package.json'), '{ "type": "module", "private": true }')
  const url = `${baseUrl}/downloads/energy-prices-1.0.0.tgz`
  await run('npm', ['install', '--no-audit', '--no-fund', '--cache', path.join(user, 'cache'), url], { cwd: user })
  return {
    user,
    folder: path.join(user, 'node_modules/@italian-energy-prices/client'),
    bin: path.join(user, 'node_modules/.bin/energy-prices'),
    [Symbol.asyncDispose]: () => rm(user, { recursive: true, force: true }),
  }
}
