/** The TypeScript client as a user has it: packed, and installed into an empty folder. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '../..')

export interface InstalledClient extends AsyncDisposable {
  /** The user's folder, in which programs find the package. */
  user: string
  /** The package itself. */
  folder: string
  /** The command line. */
  bin: string
}

export async function installClient(): Promise<InstalledClient> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-npm-'))
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  await cp(path.join(ROOT, 'src/clients/typescript'), path.join(folder, 'package'), { recursive: true })
  await run('npm', ['pack', '--pack-destination', folder], { cwd: path.join(folder, 'package') })
  const user = path.join(folder, 'user')
  await mkdir(user)
  await writeFile(path.join(user, 'package.json'), '{ "type": "module", "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(folder, 'energy-prices-1.0.0.tgz')], {
    cwd: user,
  })
  await symlink(path.join(ROOT, 'node_modules/apache-arrow'), path.join(user, 'node_modules/apache-arrow'))
  return {
    user,
    folder: path.join(user, 'node_modules/energy-prices'),
    bin: path.join(user, 'node_modules/.bin/energy-prices'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
