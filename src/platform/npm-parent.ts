/**
 * Detects the end of npm in the processes that it started. npm runs a script in a shell and forwards signals only to that shell: dash
 * does not forward a SIGINT, and a SIGTERM ends it without reaching its child. `npm start` therefore replaces the shell (`exec`;
 * Windows has none and runs the other half of the line). Commands cannot, since npm appends their arguments to the line. An npm that is
 * killed forwards nothing. So a process that npm started also checks whether npm, and the shell in between, still exist.
 */
import { readFileSync } from 'node:fs'

const POLL_MS = 200

/** Resolves when npm or its shell has ended; never if npm did not start this process. Does not keep the process alive. */
export function waitForNpmExit(env: NodeJS.ProcessEnv): Promise<'npm ended'> {
  if (env.npm_lifecycle_event === undefined || process.platform === 'win32') return new Promise(() => {})
  const parent = process.ppid
  const npm = isShell(parent) ? parentOf(parent) : undefined
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return
      clearInterval(timer)
      resolve('npm ended')
    }, POLL_MS).unref()
  })
}

/** Whether the process is a shell such as `sh -c 'node src/main.ts'`. Other shells replace themselves with the command, so npm is the parent. */
function isShell(pid: number): boolean {
  return procFile(pid, 'cmdline')?.split('\0')[1] === '-c'
}

/** Reads the parent id from a stat line such as `4711 (sh) S 4710 …`; the name in brackets may contain any character. */
function parentOf(pid: number): number | undefined {
  const fields = procFile(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ')
  return fields && Number(fields[1])
}

/** Undefined if there is no such process, or no /proc (macOS, where the shell replaces itself with the command). */
function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}
