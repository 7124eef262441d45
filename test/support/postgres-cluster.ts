/**
 * A separate PostgreSQL server for a test file, created and run with Debian's programs (apt-get install postgresql). If the tests run
 * as root, it runs as the user postgres, since the server refuses root. It has no TimescaleDB (see plain-schema.ts).
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'

/** Folder with initdb, postgres and the other programs of the newest version; undefined if there is none. */
const PROGRAMS = globSync('/usr/lib/postgresql/*/bin')
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  .findLast((folder) => globSync('{initdb,postgres,pg_basebackup,psql}', { cwd: folder }).length === 4)
const USER = process.getuid?.() === 0 ? userIds('postgres') : undefined

/** Whether servers that preload TimescaleDB can be started. */
export const hasTimescalePackage =
  PROGRAMS !== undefined &&
  existsSync(
    path.join(
      spawnSync(path.join(PROGRAMS, 'pg_config'), ['--sharedir'], { encoding: 'utf8' }).stdout?.trim() ?? '',
      'extension/timescaledb.control',
    ),
  )

export const hasPostgres = PROGRAMS !== undefined && (process.getuid?.() !== 0 || USER !== undefined)

/** Title of a suite that says why it may be skipped. */
export function needsPostgres(title: string): string {
  return `${title} (needs the programs of a PostgreSQL server)`
}

export const SUPERUSER_PASSWORD = 'superuser-of-a-test'

export interface Outcome {
  status: number | null
  stdout: string
  stderr: string
}

/** A folder owned by the user that the server runs as. */
export interface ServerFolder extends AsyncDisposable {
  folder: string
  /** Runs a program as that user, with the server's programs first in PATH. */
  run(program: string, parameters: string[], env?: Record<string, string>): Promise<Outcome>
  /** Starts a long-running program; the caller ends it. */
  start(program: string, parameters: string[], env?: Record<string, string>): ChildProcess
  /** Writes a file that the server can read. */
  write(name: string, text: string, mode?: number): Promise<string>
}

export interface Server extends AsyncDisposable {
  port: number
  dataDir: string
  /** Connection URL for a role of the database `energy`, over TCP. */
  url(role: string, password: string): string
  superuserUrl: string
  stop(): Promise<void>
}

export async function serverFolder(): Promise<ServerFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-pg-'))
  changeOwner(folder)
  return {
    folder,
    run: (program, parameters, env = {}) => run(program, parameters, { cwd: folder, env: environment(env) }),
    start: (program, parameters, env = {}) =>
      spawn(program, parameters, { ...USER, cwd: folder, env: environment(env), stdio: 'ignore' }),
    async write(name, text, mode = 0o600) {
      const file = path.join(folder, name)
      await writeFile(file, text, { mode })
      changeOwner(file)
      return file
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Creates a cluster with the database `energy` and starts it. `settings` are passed with `postgres -c`. */
export async function startNewServer(
  home: ServerFolder,
  { name = 'primary', settings = {} }: { name?: string; settings?: Record<string, string> } = {},
): Promise<Server> {
  const dataDir = path.join(home.folder, name)
  const passwordFile = await home.write(`${name}.password`, SUPERUSER_PASSWORD)
  await expectSuccess(
    home.run('initdb', [
      ...['--pgdata', dataDir, '--username', 'postgres', '--pwfile', passwordFile, '--encoding', 'UTF8'],
      ...['--locale', 'C.UTF-8', '--auth-local', 'trust', '--auth-host', 'scram-sha-256', '--no-sync'],
    ]),
  )
  const server = await startServer(home, dataDir, settings)
  const socket = ['--host', home.folder, '--port', String(server.port), '--username', 'postgres']
  await expectSuccess(home.run('psql', [...socket, '--no-psqlrc', '--command', 'create database energy', 'postgres']))
  return server
}

/** Starts the server on an existing data folder and waits until it accepts connections. */
export async function startServer(
  home: ServerFolder,
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Server> {
  const port = Number(settings.port ?? (await freePort()))
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home.folder,
    fsync: 'off',
    ...settings,
  }
  const parameters = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const child = spawn('postgres', ['-D', dataDir, ...parameters], {
    ...USER,
    cwd: home.folder,
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk).slice(-4_000)
  })
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGINT')
    await exited
  }
  await untilReady(home, child, port, () => log)
  const url = (role: string, password: string) => `postgres://${role}:${password}@127.0.0.1:${port}/energy`
  return { port, dataDir, url, superuserUrl: url('postgres', SUPERUSER_PASSWORD), stop, [Symbol.asyncDispose]: stop }
}

/** Starts a streaming replica of a server. */
export async function startReplica(
  home: ServerFolder,
  { port }: Server,
  name: string,
  settings: Record<string, string> = {},
): Promise<Server> {
  const dataDir = await makeFolder(path.join(home.folder, name))
  const source = ['--host', '127.0.0.1', '--port', String(port), '--username', 'postgres']
  const env = { PGPASSWORD: SUPERUSER_PASSWORD }
  await expectSuccess(
    home.run(
      'pg_basebackup',
      [...source, '--pgdata', dataDir, '--write-recovery-conf', '--no-sync', '--checkpoint', 'fast'],
      env,
    ),
  )
  return startServer(home, dataDir, settings)
}

/** Waits until the server that `child` runs, or that replaces it by exec, accepts connections. */
export async function untilReady(home: ServerFolder, child: ChildProcess, port: number, log = () => ''): Promise<void> {
  for (;;) {
    const { status } = await home.run('pg_isready', ['--host', '127.0.0.1', '--port', String(port), '--quiet'])
    if (status === 0) return
    if (child.exitCode !== null) throw new Error(`the server ended: ${log()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Throws with the program's output unless it exited with status 0. */
export async function expectSuccess(running: Promise<Outcome>): Promise<Outcome> {
  const outcome = await running
  if (outcome.status !== 0) throw new Error(`ended with ${outcome.status}: ${outcome.stderr}${outcome.stdout}`)
  return outcome
}

export async function makeFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  changeOwner(folder)
  return folder
}

async function run(program: string, parameters: string[], options: SpawnOptions): Promise<Outcome> {
  const child = spawn(program, parameters, { ...options, ...USER, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output.stderr += chunk
  })
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, ...output }
}

function environment(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: `${PROGRAMS}:${process.env.PATH}`, LC_ALL: 'C.UTF-8', ...more }
}

function userIds(name: string): { uid: number; gid: number } | undefined {
  const id = (flag: string) => spawnSync('id', [flag, name], { encoding: 'utf8' })
  const [uid, gid] = [id('-u'), id('-g')]
  return uid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined
}

function changeOwner(file: string): void {
  if (USER !== undefined) chownSync(file, USER.uid, USER.gid)
}
