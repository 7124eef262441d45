/**
 * Detects the end of npm in the processes that it started. npm runs a script in a shell and passes signals on to that shell alone: dash keeps a SIGINT to
 * itself and dies of a SIGTERM without signalling its child. `npm start` therefore has its shell replaced (`exec`; Windows has none
 * and takes the other half of the line), which commands cannot, since npm appends their arguments to the line. Nothing is passed on
 * by an npm that is killed. So a process that npm started also checks whether npm, and the shell between, are still there.
 */
import { readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 200

/** Resolves when npm, or its shell, is gone; never where npm did not start this process. Keeps no process alive. */
export function npmGone(env: NodeJS.ProcessEnv): Promise<'npm ended'> {
  if (env.npm_lifecycle_event === undefined || process.platform === 'win32') return new Promise(() => {})
  const parent = process.ppid
  const npm = isShell(parent) ? parentOf(parent) : undefined
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return
      clearInterval(timer)
      resolve('npm ended')
    }, LOOK_EVERY_MS).unref()
  })
}

/** `sh -c 'node src/main.ts'`. Other shells become what they run, and npm is the parent itself. */
function isShell(pid: number): boolean {
  return procFile(pid, 'cmdline')?.split('\0')[1] === '-c'
}

/** Parent id from a stat such as `4711 (sh) S 4710 …`; the name in brackets may hold any character. */
function parentOf(pid: number): number | undefined {
  const fields = procFile(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ')
  return fields && Number(fields[1])
}

/** Undefined without such a process, and where there is no /proc (macOS, whose shell becomes what it runs). */
function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}
